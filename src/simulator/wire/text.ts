/** Small text helpers of the wire. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text or attribute value, escaped; characters that XML 1.0 forbids become the replacement character. */
export function escapeXml(text: string): string {
  return (
    text
      // the characters of XML 1.0, 2.2
      .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
  );
}

/** The text of bytes that must be UTF-8; undefined where they are not. A byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
