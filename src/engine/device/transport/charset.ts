/** Bytes of an answer to text, and text to bytes for the device. */
import { getCarriedByte, carry, hasCarried } from '#shared/text/carried-bytes.ts';
import { sniffEncoding } from '#shared/text/file-encoding.ts';

interface DecodedText {
  /** Text with its byte order mark, if there is one. */
  readonly text: string;
  readonly charset: string;
  /** Bytes that the character set does not know are carried in the text, see `carried-bytes.ts`. */
  readonly carried: boolean;
  /** Such bytes were replaced: writing the text back would change them. */
  readonly lossy: boolean;
}

/**
 * Decodes a body. A byte order mark counts, or zero bytes where UTF-16 has them; then the charset the answer names, then
 * an XML declaration, then UTF-8. The first of those that fits the bytes is taken, else the first. An unknown charset
 * counts as not named.
 */
export function decodeBody(body: Uint8Array, contentType: string): DecodedText {
  const marked = markedCharset(body);
  const labels =
    marked === undefined
      ? [known(/charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]), known(declaredCharset(body)), 'utf-8']
      : [marked];
  const names = new Set(labels.filter((label) => label !== undefined));
  let charset: string | undefined;
  for (const name of names) {
    const text = decoderOf(name).decode(body);
    if (!isFaithful(text, body, name)) continue;
    if (goesBackAs(text, name, body)) return { text, charset: name, carried: false, lossy: false };
    charset ??= name;
  }
  charset ??= [...names][0] ?? 'utf-8';
  const carried = carryingText(body, charset);
  if (carried !== undefined && goesBackAs(carried, charset, body))
    return { text: carried, charset, carried: true, lossy: false };
  return { text: decoderOf(charset).decode(body), charset, carried: false, lossy: true };
}

/**
 * Returns true if writing the text gives the very bytes that were read. Character sets of East Asia have two spellings
 * of one character, and characters of three and four bytes that are not written here.
 */
function goesBackAs(text: string, charset: string, body: Uint8Array): boolean {
  if (charset.startsWith('utf-') || Buffer.from(text, 'latin1').equals(body)) return true;
  const bytes = encodeAs(text, charset);
  return bytes !== undefined && Buffer.compare(bytes, body) === 0;
}

/**
 * Returns true if no byte was replaced; the replacement character, or one that carries bytes, may also have
 * come from the device itself.
 */
function isFaithful(text: string, body: Uint8Array, label: string): boolean {
  if (hasCarried(text)) return false;
  if (!text.includes('\uFFFD')) return true;
  try {
    new TextDecoder(label, { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

/** Most bytes that are carried: what has more of them is no text. */
const MOST_CARRIED = 64 * 1024;
/** Not read byte by byte: UTF-16, and what is switched by escape sequences. */
const NOT_BY_BYTES = /^(?:utf-16|iso-2022)/;

/** Returns the text with the bytes that do not fit carried in it; undefined if there are too many. */
function carryingText(body: Uint8Array, charset: string): string | undefined {
  if (NOT_BY_BYTES.test(charset)) return undefined;
  const sequence = charset === 'utf-8' ? utf8Sequence : sequencesOf(charset);
  const decoder = decoderOf(charset);
  const parts: string[] = [];
  let carried = 0;
  let start = 0;
  for (let at = 0; at < body.byteLength;) {
    const length = (body[at] ?? 0) < 0x80 ? 1 : sequence(body, at);
    if (length === 0) {
      carried += 1;
      if (carried > MOST_CARRIED) return undefined;
      if (at > start) parts.push(decoder.decode(body.subarray(start, at)));
      parts.push(carry(body[at] ?? 0));
      start = at + 1;
    }
    at += Math.max(1, length);
  }
  parts.push(decoder.decode(body.subarray(start)));
  return parts.join('');
}

/**
 * Returns the length of the character at this place; 0 if none begins there, or one that carries a byte
 * itself.
 */
function utf8Sequence(body: Uint8Array, at: number): number {
  const [first, second] = [body[at] ?? 0, body[at + 1] ?? 0];
  const [third, fourth] = [body[at + 2] ?? 0, body[at + 3] ?? 0];
  const follows = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;
  if (first >= 0xc2 && first <= 0xdf) return follows(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const [least, most] = first === 0xe0 ? [0xa0, 0xbf] : first === 0xed ? [0x80, 0x9f] : [0x80, 0xbf];
    return second >= least && second <= most && follows(third) ? 3 : 0;
  }
  if (first < 0xf0 || first > 0xf4) return 0;
  const [least, most] = first === 0xf0 ? [0x90, 0xbf] : first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
  if (second < least || second > most || !follows(third) || !follows(fourth)) return 0;
  return first === 0xf4 && second === 0x8f && (third === 0xba || third === 0xbb) ? 0 : 4;
}

/** Tells the length of a character that goes back as the very same bytes; 0 if there is none. */
function sequencesOf(charset: string): (body: Uint8Array, at: number) => number {
  const lengths = new Map<number, number>();
  const leads = new Set<number>();
  for (const [first = 0, second] of tableFor(charset).values()) {
    if (second === undefined) lengths.set(first, 1);
    else {
      lengths.set(first * 256 + second, 2);
      leads.add(first);
    }
  }
  return (body, at) => {
    const [first, second] = [body[at] ?? 0, body[at + 1] ?? 0];
    const length = lengths.get(leads.has(first) ? first * 256 + second : first);
    if (length !== undefined || second !== BACKSLASH) return length ?? 0;
    // The second byte alone would escape what follows in JSON.
    return decoderOf(charset).decode(body.subarray(at, at + 2)).length === 1 ? 2 : 0;
  };
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

/** Decoders by the standard's names, of which there are few. */
const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  const made = decoders.get(charset) ?? new TextDecoder(charset, { ignoreBOM: true });
  decoders.set(charset, made);
  return made;
}

interface EncodedText {
  readonly bytes: Uint8Array;
  /** Charset for the content type; undefined if the text carries bytes that no charset has. */
  readonly charset: string | undefined;
}

/**
 * Encodes a document for the wire. It goes in the character set in which the device gave it out (`read`),
 * else in the one it declares; Unicode goes as UTF-8, and a declaration of another encoding then says so.
 * Returns undefined if the character set does not have one of the characters.
 */
export function encodeBody(
  text: string,
  format: 'xml' | 'json',
  read: string | undefined,
): EncodedText | undefined {
  const declared = format === 'xml' ? declaredIn(text) : undefined;
  const charset = read ?? known(declared) ?? 'utf-8';
  const carries = hasCarried(text);
  if (charset.startsWith('utf-')) {
    if (carries) return { bytes: carriedBytes(text), charset: undefined };
    return {
      bytes: Buffer.from(format === 'xml' ? declaredAs(text, 'UTF-8') : text, 'utf8'),
      charset: 'UTF-8',
    };
  }
  const named = known(declared) === charset ? declared : undefined;
  const bytes = encodeAs(
    named === undefined && declared !== undefined && !carries ? declaredAs(text, charset) : text,
    charset,
  );
  return bytes === undefined ? undefined : { bytes, charset: carries ? undefined : (named ?? charset) };
}

function carriedBytes(text: string): Uint8Array {
  return Buffer.concat(
    text.split(/([\u{10fe80}-\u{10feff}]+)/u).map((part) => {
      const isCarried = getCarriedByte(part) !== undefined;
      return isCarried
        ? Buffer.from(Array.from(part, (each) => getCarriedByte(each) ?? 0))
        : Buffer.from(part, 'utf8');
    }),
  );
}

function declaredAs(xml: string, charset: string): string {
  return xml.replace(DECLARATION, (whole, start: string, quote: string, name: string) =>
    name.toLowerCase() === charset.toLowerCase() ? whole : `${start}${quote}${charset}${quote}`,
  );
}

const LINE_END = 0x0a;
const BACKSLASH = 0x5c;
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/**
 * Builds the reverse of what `TextDecoder` reads from each byte and each pair of bytes: `TextEncoder` knows
 * UTF-8 alone.
 */
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
  const out = new Uint8Array(text.length * 2);
  let length = 0;
  for (const character of text) {
    const bytes = table.get(character);
    const byte = bytes?.[0] ?? getCarriedByte(character);
    if (byte === undefined) return undefined;
    out[length++] = byte;
    if (bytes?.[1] !== undefined) out[length++] = bytes[1];
  }
  return out.subarray(0, length);
}
