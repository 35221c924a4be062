/** How many columns of a terminal a text takes. */

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** First and last code points that take two columns (East Asian wide and full width, emoji). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (ZERO.test(char)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

export function measureText(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** The text in at most `width` columns; what does not fit ends in an ellipsis. */
export function fitText(text: string, width: number): string {
  if (measureText(text) <= width) return text;
  let used = 1;
  let kept = '';
  for (const char of text) {
    used += charWidth(char);
    if (used > width) break;
    kept += char;
  }
  return `${kept}…`;
}

export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - measureText(text)));
  return align === 'right' ? gap + text : text + gap;
}
