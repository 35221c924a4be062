/**
 * Invisible characters that change what is seen: controls, line separators, the marks that reorder text,
 * characters without a width of their own, and bytes that are no text (`carried-bytes.ts`). One set for
 * terminals, pages, files and stored names: a name that is clean in one place and poses as another in the
 * next is the fault this file prevents.
 */

/** Variation selectors stay: emoji and ideographs are written with them, and nothing else is changed by them. */
const UNSEEN =
  /(?!\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{10fe80}-\u{10feff}]/u;
const EACH = new RegExp(UNSEEN, 'gu');

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** Replaces every such character, one by one. */
export function replaceUnseen(text: string, by: (mark: string) => string): string {
  return text.replace(EACH, by);
}

/** Escapes such characters in JSON text, which stays the same JSON: the C0 controls in it are white space. */
export function escapeUnseen(json: string): string {
  return replaceUnseen(json, (mark) => (mark < ' ' ? mark : escapeUnicode(mark)));
}

/** Returns `\u00a0`; two of them for a character beyond the first plane. */
export function escapeUnicode(mark: string): string {
  return mark
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
