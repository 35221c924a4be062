/** Bytes of an answer to text, and text to bytes for the device. */
import { sniffEncoding } from '../../../shared/text/file-encoding.ts';

interface DecodedText {
  /** With its byte order mark, where there is one. */
  readonly text: string;
  readonly charset: string;
  /** Bytes that the character set does not know were replaced: writing the text back would change them. */
  readonly lossy: boolean;
}

/**
 * A byte order mark counts, or zero bytes where UTF-16 has them; then the charset the answer names, then an
 * XML declaration, then UTF-8. A charset nobody knows counts as not named.
 */
export function decodeBody(body: Uint8Array, contentType: string): DecodedText {
  const label =
    markedCharset(body) ??
    known(/charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]) ??
    known(declaredCharset(body)) ??
    'utf-8';
  const text = decoderOf(label).decode(body);
  return { text, charset: label, lossy: text.includes('\uFFFD') && !isValid(body, label) };
}

/** False where bytes were replaced; the replacement character may also have come from the device itself. */
function isValid(body: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

function markedCharset(body: Uint8Array): string | undefined {
  const sniffed = sniffEncoding(body);
  if (sniffed !== 'utf-8') return sniffed;
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? sniffed : undefined;
}

function declaredCharset(body: Uint8Array): string | undefined {
  return declaredIn(
    Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 200)).toString('latin1'),
  );
}

const DECLARATION = /^(\s*<\?xml[^>]*?\sencoding\s*=\s*)(["'])([A-Za-z0-9._-]+)\2/;

function declaredIn(xml: string): string | undefined {
  return DECLARATION.exec(xml)?.[3];
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  if (label.toLowerCase() === 'utf-8') return 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** By the standard's names, of which there are few. */
const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  const made = decoders.get(charset) ?? new TextDecoder(charset, { ignoreBOM: true });
  decoders.set(charset, made);
  return made;
}

interface EncodedText {
  readonly bytes: Uint8Array;
  /** For the content type. */
  readonly charset: string;
}

/**
 * A document for the wire. It goes in the character set in which the device gave it out (`read`), else in the one it
 * declares; Unicode goes as UTF-8, and a declaration of another encoding then says so. Undefined where the character
 * set does not have one of the characters.
 */
export function encodeBody(
  text: string,
  format: 'xml' | 'json',
  read: string | undefined,
): EncodedText | undefined {
  const declared = format === 'xml' ? declaredIn(text) : undefined;
  const charset = read ?? known(declared) ?? 'utf-8';
  if (charset.startsWith('utf-'))
    return {
      bytes: Buffer.from(format === 'xml' ? declaredAs(text, 'UTF-8') : text, 'utf8'),
      charset: 'UTF-8',
    };
  const named = known(declared) === charset ? declared : undefined;
  const bytes = encodeAs(
    named === undefined && declared !== undefined ? declaredAs(text, charset) : text,
    charset,
  );
  return bytes === undefined ? undefined : { bytes, charset: named ?? charset };
}

function declaredAs(xml: string, charset: string): string {
  return xml.replace(DECLARATION, (whole, start: string, quote: string, name: string) =>
    name.toLowerCase() === charset.toLowerCase() ? whole : `${start}${quote}${charset}${quote}`,
  );
}

const LINE_END = 0x0a;
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** `TextEncoder` knows UTF-8 alone: what `TextDecoder` reads from each byte and each pair of bytes, turned round. */
function tableFor(charset: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(charset);
  const table = new Map<string, readonly number[]>();
  const learn = (sequences: readonly (readonly number[])[]): void => {
    const read = decoder
      .decode(Uint8Array.from(sequences.flatMap((bytes) => [...bytes, LINE_END])))
      .split('\n');
    sequences.forEach((bytes, at) => {
      const character = read[at] ?? '';
      if ([...character].length === 1 && character !== '\uFFFD' && !table.has(character))
        table.set(character, bytes);
    });
  };
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  for (const byte of bytes) learn([[byte]]);
  for (const lead of bytes.slice(0x81, 0xff)) learn(bytes.slice(0x40, 0xff).map((trail) => [lead, trail]));
  table.set('\n', [LINE_END]);
  tables.set(charset, table);
  return table;
}

function encodeAs(text: string, charset: string): Uint8Array | undefined {
  const table = tableFor(charset);
  const out: number[] = [];
  for (const character of text) {
    const bytes = table.get(character);
    if (bytes === undefined) return undefined;
    out.push(...bytes);
  }
  return Uint8Array.from(out);
}
