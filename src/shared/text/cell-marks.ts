/** Marks that spreadsheets and management software put around a value, so that it stays the text that it is. */

/** Signs without width or ink: zero-width and bidirectional signs, byte order marks, variation selectors. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** White space and control signs at either end. */
const EDGES = /^[\s\p{Cc}]+|[\s\p{Cc}]+$/gu;
/** `="…"`, also with the quotes doubled by a second export. */
const FORMULA = /^=\s*(?:"+([^"]*)"+|'([^']*)')$/u;
const QUOTED = /^["“”„«»「」『』]+([^"“”„«»「」『』]*)["“”„«»「」『』]+$/u;
const APOSTROPHES = /^['‘’‚‛‹›`´′ʹʼ]+(.*?)['‘’‚‛‹›`´′ʹʼ]*$/su;
/** `=114`: the formula is the number itself. */
const PLAIN_FORMULA = /^=\s*(\d+)$/;

/** Characters of a cell that marks are taken off; a longer one holds no number, date, address or word. */
export const LONGEST_MARKED = 500;

/** Returns text without the marks of a spreadsheet; what is inside of it stays. */
export function removeMarks(text: string): string {
  if (text.length > LONGEST_MARKED) return text.trim();
  let clean = text.replaceAll(UNSEEN, '');
  for (;;) {
    const before = clean;
    clean = clean.replaceAll(EDGES, '');
    const formula = FORMULA.exec(clean);
    if (formula !== null) clean = formula[1] ?? formula[2] ?? '';
    clean = clean.replace(QUOTED, '$1').replace(APOSTROPHES, '$1').replace(PLAIN_FORMULA, '$1');
    if (clean === before) return clean;
  }
}

/** Returns a name or other free text without the formula around it; an apostrophe before it stays ('t Hart). */
export function removeFormula(text: string): string {
  const clean = text.trim();
  return FORMULA.test(clean) ? removeMarks(clean) : clean;
}
