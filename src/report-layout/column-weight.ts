/** Share of a table's width that a column gets, by its contents. */

/** Rows that are looked at: enough to know a column by. */
export const SAMPLED = 200;
const LEAST = 5;
/** Letters of a cell that are looked at. */
const LONGEST = 1000;
const MOST = 40;
/**
 * The share of its further length that a longer column gets, and its limit: pages of text in a cell are wide.
 */
const [LONGER, WIDEST] = [0.1, 120];
/** A word of so many letters is not broken for want of width. */
const WORD = 14;
/** Few long cells make a column wide, one does not. */
const SHARE = 0.9;
const WIDE_SIGN =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** Measures a column in widths of a narrow letter. Long texts are broken into lines, so they count less. */
export function measureColumnWeight(head: string, cells: readonly string[]): number {
  const lengths = cells.map(widthOf).toSorted((one, other) => one - other);
  const usual = lengths[Math.ceil(lengths.length * SHARE) - 1] ?? 0;
  const words = [head, ...cells.map((cell) => cell.slice(0, MOST * 2))].flatMap((text) => text.split(/\s/));
  const word = Math.min(WORD, Math.max(...words.map(widthOf)));
  const wide = usual <= MOST ? usual : Math.min(WIDEST, MOST + (usual - 2 * MOST) * LONGER);
  return Math.max(LEAST, word, Math.min(MOST, usual), wide) ** 0.8;
}

function widthOf(text: string): number {
  const seen = text.slice(0, LONGEST);
  return seen.length + (seen.match(WIDE_SIGN)?.length ?? 0);
}
