/** Tables on the pages of a PDF: rows as high as they need, the head again at the top of each page. */
import type { Shown } from '#report-layout/reader.ts';
import { SAMPLED } from '#report-layout/column-weight.ts';
import type { Grid } from '#report-layout/pieces.ts';
import { COLOURS } from './html.ts';
import { BOTTOM, LINE, MARGIN, SIZES, WIDTH, type Sheet } from './pdf-sheet.ts';

const PAD = 3;
/** Height of a cell that is filled in by hand. */
const TALL = 40;
/** Points at the foot of a page that stay empty rather than tear a row apart. */
const MOST_EMPTY = 200;
const SIZE = SIZES.cell;
const STEP = SIZE * LINE;
/** Head and first row of a table, where both are short. */
const LEAST_TABLE = 2 * (STEP + 2 * PAD) + STEP;
/** Rows of a table that is not torn apart. */
const SHORT_TABLE = 8;

/** Letters of a cell that are looked at for the widths of columns. */
const MOST_SAMPLED = 200;
const SHORT_WORD = 4;
/** Points beyond which a word may be broken. */
const MOST_LEAST = 70;
const BREAKS = /[\s/\\_,;?&=|@]|(?<!\d)-|-(?!\d)|(?<=[\u2e80-\u9fff])|\.(?=[A-Za-z])/;

interface CellPlace {
  readonly x: number;
  readonly width: number;
  readonly align: 'start' | 'end';
}
interface RowOptions {
  /** Absent for a head that stands again: furniture. */
  readonly table?: PDFKit.PDFStructureElement;
  readonly isHead?: boolean;
  readonly again?: () => void;
  readonly least?: number;
}

/** Points of the first of a table, which stay on one page: of a short one, and of one to be filled in by hand, as signatures are, all. */
export function measureTableStart({ rows, isTall }: Pick<Grid, 'rows' | 'isTall'>): number {
  if (isTall === true) return LEAST_TABLE + [...rows].length * (TALL + PAD);
  let count = 0;
  for (const _row of rows) if ((count += 1) > SHORT_TABLE) return LEAST_TABLE;
  return LEAST_TABLE + Math.max(0, count - 1) * (STEP + 2 * PAD);
}

function linesOf(
  row: readonly Shown[],
  cells: readonly CellPlace[],
  { type }: Sheet,
): { readonly lines: readonly (readonly string[])[]; readonly count: number } {
  const lines = cells.map(({ width }, at) => type.lines(row[at]?.text ?? '', SIZE, width - 2 * PAD));
  return { lines, count: Math.max(1, ...lines.map(({ length }) => length)) };
}

/** The greatest width of a column with which all fit on a page: narrow ones keep what they need. */
function mostOf(least: readonly number[]): number {
  let room = WIDTH;
  for (const [nth, width] of least.toSorted((one, other) => one - other).entries()) {
    const share = room / (least.length - nth);
    if (width > share) return share;
    room -= width;
  }
  return WIDTH;
}

/** Cells beyond these are tagged by the row: every tag is kept until the end of the file. */
const MOST_TAGGED_CELLS = 20_000;

export class Tables {
  readonly #sheet: Sheet;
  #cells = 0;

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
  }

  /** Steps between which what was drawn may be handed on. */
  *draw({ columns, rows, isTall }: Pick<Grid, 'columns' | 'rows' | 'isTall'>): Generator<undefined> {
    const sheet = this.#sheet;
    sheet.room(Math.min(measureTableStart({ rows, isTall }), BOTTOM - MARGIN));
    let x = MARGIN;
    const cells = this.#widths(columns, rows).map((width, at): CellPlace => {
      const place = { x, width, align: columns[at]?.align ?? 'start' };
      x += width;
      return place;
    });
    const table = sheet.element('Table');
    const head = columns.map(({ label }) => ({ text: label }));
    const again = (): void => this.#row(head, cells, { isHead: true });
    this.#row(head, cells, { isHead: true, table });
    const options = { table, again, least: isTall === true ? TALL : 0 };
    let count = 0;
    const last: (readonly Shown[])[] = [];
    for (const row of rows) {
      last.push(row);
      if (++count > 2) this.#row(last.shift() ?? [], cells, options);
      yield;
    }
    if (count > 2) this.#keepTogether(last, cells, again);
    for (const row of last) this.#row(row, cells, options);
    table.end();
    sheet.y += 6;
  }

  /** Each column as wide as its longest word, and of what is left its share: words break only where there is no room. */
  #widths(columns: Grid['columns'], rows: Grid['rows']): readonly number[] {
    const sample: (readonly Shown[])[] = [columns.map(({ label }) => ({ text: label }))];
    for (const row of rows) if (sample.push(row) > SAMPLED) break;
    const { type } = this.#sheet;
    const least = columns.map((_column, at) => {
      const words = sample.flatMap((row) => {
        const { text = '', sign } = row[at] ?? {};
        const shown = type.printable(text.slice(0, MOST_SAMPLED));
        // States and short Chinese words stay whole.
        return sign !== undefined || shown.length <= SHORT_WORD ? [shown] : shown.split(BREAKS);
      });
      return Math.min(MOST_LEAST, Math.max(...words.map((word) => type.widthOf(word, SIZE)))) + 2 * PAD + 1;
    });
    const weight = columns.reduce((sum, column) => sum + column.weight, 0);
    const left = WIDTH - least.reduce((sum, width) => sum + width, 0);
    if (left >= 0) return columns.map((column, at) => (least[at] ?? 0) + (left * column.weight) / weight);
    const most = mostOf(least);
    return least.map((width) => Math.min(width, most));
  }

  /** No last row stands alone at the head of a page. */
  #keepTogether(rows: readonly (readonly Shown[])[], cells: readonly CellPlace[], again: () => void): void {
    const sheet = this.#sheet;
    if (sheet.y + MOST_EMPTY <= BOTTOM) return;
    const height = rows.reduce((sum, row) => sum + linesOf(row, cells, sheet).count * STEP + 2 * PAD, 0);
    if (height > MOST_EMPTY || sheet.y + height <= BOTTOM) return;
    sheet.newPage();
    again();
  }

  /** A row, in as many pieces as pages need; the head stands again at the top of each. */
  #row(
    row: readonly Shown[],
    cells: readonly CellPlace[],
    { table, isHead = false, again, least = 0 }: RowOptions,
  ): void {
    const sheet = this.#sheet;
    const { lines, count } = linesOf(row, cells, sheet);
    // A row is torn apart only where much of a page would stay empty, and a head does not stand alone.
    const whole = Math.max(least, count * STEP + 2 * PAD) + (isHead ? 2 * STEP : 0);
    if (table !== undefined && sheet.y + Math.min(whole, MOST_EMPTY) > BOTTOM) {
      sheet.newPage();
      again?.();
    }
    const tag = isHead ? 'TH' : 'TD';
    const line = table === undefined ? undefined : sheet.element('TR', table);
    this.#cells += line === undefined ? 0 : cells.length;
    const isFine = this.#cells <= MOST_TAGGED_CELLS;
    const elements =
      line === undefined
        ? []
        : (isFine ? cells : cells.slice(0, 1)).map(() =>
            sheet.element(tag, line, isHead ? { scope: 'Column' } : {}),
          );
    for (let from = 0; from < count;) {
      const fitting = Math.max(1, Math.floor((BOTTOM - sheet.y - 2 * PAD) / STEP));
      const until = Math.min(count, from + fitting);
      const height = Math.max(least, (until - from) * STEP + 2 * PAD);
      sheet.artifact(() => {
        if (isHead) sheet.pdf.rect(MARGIN, sheet.y, WIDTH, height).fill('#f3f5f8');
        sheet.pdf.lineWidth(0.5).strokeColor(COLOURS.grid[0]);
        for (const { x, width } of cells) sheet.pdf.rect(x, sheet.y, width, height);
        sheet.pdf.stroke().fillColor(COLOURS.plain[0]);
      });
      const draw = (at: number): void => {
        const { x, width, align } = cells[at] as CellPlace;
        lines[at]?.slice(from, until).forEach((text, nth) => {
          const left = align === 'end' ? x + width - PAD - sheet.type.widthOf(text, SIZE) : x + PAD;
          if (text !== '') sheet.line(text, left, sheet.y + PAD + SIZE + nth * STEP, SIZE);
        });
      };
      if (line === undefined) sheet.artifact(() => cells.forEach((_cell, at) => draw(at)));
      else if (isFine) elements.forEach((element, at) => sheet.tagged(element, tag, () => draw(at)));
      else
        sheet.tagged(elements[0] as PDFKit.PDFStructureElement, tag, () =>
          cells.forEach((_cell, at) => draw(at)),
        );
      sheet.y += height;
      from = until;
      if (from < count) {
        sheet.newPage();
        again?.();
      }
    }
    for (const element of elements) element.end();
    line?.end();
  }
}
