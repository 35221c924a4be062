/** Draws the table of contents: links to headings, with the number of the page. */
import type { ContentsEntry } from '#report-layout/contents.ts';
import type { Piece } from '#report-layout/pieces.ts';
import { COLOURS } from './html.ts';
import { BOTTOM, LINE, MARGIN, SIZES, WIDTH, type Sheet } from './pdf-sheet.ts';

/** Columns for a list of many names, and the points between them. */
const [COLUMNS, BETWEEN] = [3, 16];
/** Points that are kept for the number of a page. */
const NUMBER = 24;

interface Laid extends ContentsEntry {
  readonly lines: readonly string[];
}

/**
 * Draws the entries one below the other; with a title in columns, each read downwards. `caption` draws the
 * title.
 */
export function drawContents(
  sheet: Sheet,
  { title, entries }: Extract<Piece, { piece: 'contents' }>,
  caption: () => void,
): void {
  caption();
  const columns = title === undefined ? 1 : COLUMNS;
  const size = title === undefined ? SIZES.text : SIZES.cell;
  const step = size * LINE;
  const width = (WIDTH - (columns - 1) * BETWEEN) / columns;
  const laid = entries.map((entry): Laid => ({
    ...entry,
    lines: sheet.type.lines(entry.text, size, width - NUMBER),
  }));
  const tallest = Math.max(0, ...laid.map(({ lines }) => lines.length)) * step;
  const list = sheet.element('TOC');
  for (let at = 0; at < laid.length;) {
    sheet.room(tallest);
    const top = sheet.y;
    const left = laid.slice(at).reduce((sum, { lines }) => sum + lines.length * step, 0);
    // The columns of the last page are about as long as each other.
    const foot = Math.min(BOTTOM, top + left / columns + (columns === 1 ? 0 : tallest));
    let lowest = top;
    for (let column = 0; column < columns; column += 1) {
      let y = top;
      const x = MARGIN + column * (width + BETWEEN);
      for (let entry = laid[at]; entry !== undefined; entry = laid[(at += 1)]) {
        if (y > top && y + entry.lines.length * step > foot + 0.01) break;
        drawEntry(sheet, list, entry, { x, y, width, size });
        y += entry.lines.length * step;
      }
      lowest = Math.max(lowest, y);
    }
    sheet.y = lowest;
    if (at < laid.length) sheet.newPage();
  }
  list.end();
  sheet.y += 4;
}

function drawEntry(
  sheet: Sheet,
  list: PDFKit.PDFStructureElement,
  { id, lines }: Laid,
  { x, y, width, size }: Readonly<Record<'x' | 'y' | 'width' | 'size', number>>,
): void {
  const item = sheet.element('TOCI', list);
  const step = size * LINE;
  sheet.tagged(item, 'TOCI', () => {
    sheet.pdf.fillColor(COLOURS.one[0]);
    lines.forEach((line, nth) => sheet.line(line, x, y + size + nth * step, size));
  });
  sheet.pageNumber(id, x + width, y + size);
  sheet.pdf.goTo(x, y, width, lines.length * step, id);
  item.end();
}
