/** Plain columns for people: width-aware, cleaned, shrunk to the terminal. */
import { cleanLine } from './clean.ts';
import { fitText, padText, measureText } from './width.ts';
import type { Paint } from './paint.ts';

export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Gives way first when the terminal is narrow. */
  readonly flexible?: boolean;
  readonly cell: (row: Row) => string;
  /** Colour of a cell, decided by its row. */
  readonly paint?: (row: Row) => keyof Paint | undefined;
}

const GAP = 2;
const NARROWEST = 8;

/** Lines of a table; `width` is that of the terminal, undefined where there is none. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: { readonly width?: number; readonly paint: Paint },
): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => cleanLine(column.cell(row))));
  const widths = columns.map((column, at) =>
    Math.max(measureText(column.title), ...cells.map((line) => measureText(line[at] ?? ''))),
  );
  shrink(columns, widths, options.width);
  const head = columns
    .map((column, at) => padText(fitText(column.title, widths[at] ?? 0), widths[at] ?? 0, column.align))
    .join(' '.repeat(GAP))
    .trimEnd();
  const body = rows.map((row, line) =>
    columns
      .map((column, at) => {
        const text = padText(
          fitText(cells[line]?.[at] ?? '', widths[at] ?? 0),
          widths[at] ?? 0,
          column.align,
        );
        const color = column.paint?.(row);
        return color ? options.paint[color](text) : text;
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
  return [options.paint.dim(head), ...body];
}

function shrink(columns: readonly Column<never>[], widths: number[], width: number | undefined): void {
  if (width === undefined) return;
  let over = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  const order = columns
    .map((_, at) => at)
    .sort(
      (a, b) =>
        Number(columns[b]?.flexible ?? false) - Number(columns[a]?.flexible ?? false) ||
        (widths[b] ?? 0) - (widths[a] ?? 0),
    );
  for (const at of order) {
    if (over <= 0) return;
    const now = widths[at] ?? 0;
    const next = Math.max(Math.min(now, NARROWEST), now - over);
    widths[at] = next;
    over -= now - next;
  }
}
