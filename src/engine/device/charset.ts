/** Bytes of an answer to text. */
import { sniffEncoding } from '../../shared/file-encoding.ts';

export interface DecodedText {
  readonly text: string;
  /** Bytes that the character set does not know were replaced: writing the text back would change them. */
  readonly lossy: boolean;
}

/**
 * A byte order mark counts, or zero bytes where UTF-16 has them; then the charset the answer names, then an
 * XML declaration, then UTF-8. A charset nobody knows counts as not named.
 */
export function decodeBody(body: Uint8Array, contentType: string): DecodedText {
  const label = markedCharset(body) ?? known(/charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]) ?? known(declaredCharset(body)) ?? 'utf-8';
  const text = new TextDecoder(label).decode(body);
  return { text, lossy: text.includes('\uFFFD') && !isValid(body, label) };
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
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 200)).toString('latin1');
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(start)?.[1];
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** An XML document for the wire, where everything goes as UTF-8: a declaration that was read with another encoding says so. */
export function declaredAsUtf8(xml: string): string {
  return xml.replace(/^(\s*<\?xml[^>]*?\sencoding\s*=\s*)(["'])(?!utf-8\2)[A-Za-z0-9._-]+\2/i, '$1$2UTF-8$2');
}
