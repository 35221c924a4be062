/**
 * Carries bytes of a device's document that are invalid in its character set through as text: each becomes a character
 * of its own, so that the document can be changed beside it and is sent back with the same byte. The characters are in
 * the last private plane: they survive database, files and JSON. Screens show the replacement character (`unseen.ts`).
 */

/** Character for byte 0; only bytes from 0x80 on are carried. */
const FIRST = 0x10fe00;
/** First half of each of the characters: quick to look for. */
const LEAD = '\udbff';
const EACH = /[\u{10fe80}-\u{10feff}]/gu;

export function hasCarried(text: string): boolean {
  return text.includes(LEAD) && text.search(EACH) >= 0;
}

/** Returns the character that carries a byte from 0x80 to 0xff. */
export function carry(byte: number): string {
  return String.fromCodePoint(FIRST + byte);
}

/** Returns the byte that a character carries, if it does. */
export function getCarriedByte(character: string): number | undefined {
  const byte = (character.codePointAt(0) ?? 0) - FIRST;
  return byte >= 0x80 && byte <= 0xff ? byte : undefined;
}

/** Returns the text as screens show it, with the replacement character for each carried byte. */
export function replaceCarried(text: string): string {
  return hasCarried(text) ? text.replace(EACH, '\ufffd') : text;
}

/** Percent-encodes like `encodeURIComponent`; carried bytes go as the bytes that they are. */
export function encodePercent(text: string): string {
  return hasCarried(text)
    ? text
        .split(/([\u{10fe80}-\u{10feff}])/u)
        .map((part) => {
          const byte = getCarriedByte(part);
          return byte === undefined ? encodeURIComponent(part) : `%${byte.toString(16).toUpperCase()}`;
        })
        .join('')
    : encodeURIComponent(text);
}
