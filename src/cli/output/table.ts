/** Plain columns for people: width-aware, cleaned, shrunk to the terminal. */
import { cleanLine } from './clean.ts';
import { fitText, padText, measureText } from './width.ts';
import type { Paint } from './paint.ts';

/** Cell of a column: a field of the row, or a function of it. Numbers stand at the right; undefined is a dash. */
type Value<Row> = (keyof Row & string) | ((row: Row) => string | number | undefined);

interface Column<Row> {
  /** Title; the name of the column if absent. */
  readonly title?: string;
  readonly value: Value<Row>;
  /** Side at which cells that are no numbers stand; left if absent. */
  readonly align?: 'right';
  /** True lets the column give way first if the terminal is narrow. */
  readonly flexible?: boolean;
  /** Colour of a cell, decided by its row. */
  readonly paint?: (row: Row) => keyof Paint | undefined;
}

/** Columns by their names, which are their English titles, in their order. */
export type Columns<Row> = Readonly<Record<string, Value<Row> | Column<Row>>>;

/** A table that only needs to know where it is printed. */
export interface Table {
  readonly format: (options: TableOptions) => readonly string[];
}

export interface TableOptions {
  /** Columns of the terminal; undefined if there is none. */
  readonly width?: number | undefined;
  readonly paint: Paint;
  /** Translates a title. */
  readonly head?: (title: string) => string;
}

const GAP = 2;
const NARROWEST = 8;

/** Makes a table of rows. */
export function tabulate<Row extends object>(rows: readonly Row[], columns: Columns<Row>): Table {
  return { format: (options) => formatTable(rows, columns, options) };
}

/** Returns the lines of a table, its head first. */
export function formatTable<Row extends object>(
  rows: readonly Row[],
  columns: Columns<Row>,
  { width: terminal, paint, head = (title) => title }: TableOptions,
): readonly string[] {
  const laidOut = Object.entries(columns).map(([key, given]) => {
    const column: Column<Row> = typeof given === 'object' ? given : { value: given };
    const values = rows.map((row) => readCell(row, column.value));
    const title = head(column.title ?? key);
    const texts = values.map((value) => cleanLine(String(value ?? '—')));
    return {
      ...column,
      title,
      texts,
      align:
        column.align ??
        (values.some((value) => typeof value === 'number') ? ('right' as const) : ('left' as const)),
      width: Math.max(measureText(title), ...texts.map(measureText)),
    };
  });
  shrink(laidOut, terminal);
  const join = (cells: readonly string[]): string => cells.join(' '.repeat(GAP)).trimEnd();
  const fit = (text: string, { width, align }: (typeof laidOut)[number]): string =>
    padText(fitText(text, width), width, align);
  return [
    paint.dim(join(laidOut.map((column) => fit(column.title, column)))),
    ...rows.map((row, line) =>
      join(
        laidOut.map((column) => {
          const text = fit(column.texts[line] ?? '', column);
          const color = column.paint?.(row);
          return color === undefined ? text : paint[color](text);
        }),
      ),
    ),
  ];
}

/** Columns of a table whose rows are written as they come; a cell that is too long is cut. */
export type FixedColumns<Row> = Readonly<
  Record<string, { readonly value: Value<Row>; readonly width: number }>
>;

/** Returns the line of titles of a table with fixed widths. */
export function formatFixedHead<Row extends object>(columns: FixedColumns<Row>): string {
  return joinFixed(Object.entries(columns).map(([title, { width }]) => [title, width]));
}

/** Returns a row of a table with fixed widths; undefined is empty. */
export function formatFixedRow<Row extends object>(row: Row, columns: FixedColumns<Row>): string {
  return joinFixed(
    Object.values(columns).map(({ value, width }) => [cleanLine(String(readCell(row, value) ?? '')), width]),
  );
}

function joinFixed(cells: readonly (readonly [text: string, width: number])[]): string {
  return cells
    .map(([text, width]) => padText(fitText(text, width), width))
    .join(' '.repeat(GAP))
    .trimEnd();
}

function readCell<Row extends object>(row: Row, value: Value<Row>): string | number | undefined {
  return typeof value === 'function' ? value(row) : (row[value] as string | number | undefined);
}

/** Makes flexible columns narrower, then the widest, until the table fits. */
function shrink(
  columns: readonly { readonly flexible?: boolean; width: number }[],
  terminal: number | undefined,
): void {
  if (terminal === undefined) return;
  let over = columns.reduce((sum, { width }) => sum + width + GAP, -GAP) - terminal;
  const order = columns.toSorted(
    (a, b) => Number(b.flexible ?? false) - Number(a.flexible ?? false) || b.width - a.width,
  );
  for (const column of order) {
    if (over <= 0) return;
    const next = Math.max(Math.min(column.width, NARROWEST), column.width - over);
    over -= column.width - next;
    column.width = next;
  }
}
