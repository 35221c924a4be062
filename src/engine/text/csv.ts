/** Tables from and for spreadsheets, as text. */
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { splitSeparator } from '#shared/text/file-text.ts';

/** A cell without the mark that `formatCsvRows` puts before what looks like a formula. */
export function removeGuard(cell: string): string {
  return cell.replace(GUARD, '');
}

export interface TableRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}
export interface Table {
  /** Separator of its cells: a comma, semicolon, tab or vertical bar. */
  readonly mark: string;
  /** Rows, the header first. Empty rows are omitted, and so are empty columns after the last heading. */
  readonly rows: readonly TableRow[];
}

/** Columns of a table: each heading is compared with all that are known. */
const MOST_COLUMNS = 1000;

/** Throws `unreadable-file` for the text of an `.xlsx`, `.ods` or `.xls`, in whatever code page it was read. */
export function refuseWorkbook(text: string): void {
  if (/^(?:PK\u0003\u0004|\S{1,2}\u0011)/u.test(text))
    throw userError('unreadable-file', say('csv-workbook'));
}

/** Throws `input-too-large` where a table has more columns than any table of ours. */
export function checkColumns(count: number, line?: number): void {
  if (count > MOST_COLUMNS)
    throw userError('input-too-large', say('csv-columns', { max: MOST_COLUMNS }), { line });
}

/** No row of a table of ours comes near. */
const LONGEST_ROW = 64 * 1024;

interface TableOptions {
  /** The most that is read. */
  readonly characters?: number;
  /** The same, the header among them. */
  readonly rows: number;
  /** The same, characters of one row; 64 Ki where nothing is said. */
  readonly recordSize?: number;
  /**
   * True to take cells literally: a quote inside one is a mistake, and no mark against formulas is removed.
   */
  readonly strict?: boolean;
}

/** A spreadsheet would take these for the beginning of a formula; the mark before them was put there by `formatCsvRows`. */
const GUARD = /^'(?=[=+\-@\t\r\uff0b\uff0d\uff1d\uff20])/;

/** Throws `input-too-large`, and `unreadable-file` with the line where the text is no table. */
export function readTable(
  text: string,
  { characters, rows: most, recordSize = LONGEST_ROW, strict = false }: TableOptions,
): Table {
  refuseWorkbook(text);
  if (characters !== undefined && text.length > characters)
    throw userError('input-too-large', say('file-too-large'));
  const { text: clean, mark } = splitSeparator(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  let parsed: readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    parsed = parse(clean, {
      delimiter: mark,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: !strict,
      trim: true,
      info: true,
      to: most + 1,
      // Spaces that do not break a line, which the parser leaves.
      cast: (cell, { quoting }) => (quoting ? cell : cell.trim()),
      max_record_size: recordSize,
    }) as unknown as typeof parsed;
  } catch (cause) {
    const line =
      cause instanceof Error && 'lines' in cause && typeof cause.lines === 'number' ? cause.lines : undefined;
    throw userError('unreadable-file', say('csv-broken'), { line, cause });
  }
  if (parsed.length > most) throw userError('input-too-large', say('csv-rows', { max: most - 1 }));
  const cellsOf = (record: readonly string[]): readonly string[] =>
    strict ? record : record.map(removeGuard);
  const rows = parsed
    .map(({ record }, at) => ({ line: (parsed[at - 1]?.info.lines ?? 0) + 1, cells: cellsOf(record) }))
    .filter(({ cells }) => filledLength(cells) > 0);
  const width = filledLength(rows[0]?.cells ?? []);
  checkColumns(width);
  return {
    mark,
    rows: rows.map((row) =>
      row.cells.length > width && filledLength(row.cells) <= width
        ? { ...row, cells: row.cells.slice(0, width) }
        : row,
    ),
  };
}

/**
 * Returns the number of cells up to the last filled one: spreadsheets also write cells that were once edited.
 */
function filledLength(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}

/** Marked as UTF-8 for spreadsheets, which misread names that are not ASCII without it; nothing in it is taken for a formula. */
export function writeTable(rows: readonly (readonly string[])[], mark: string): string {
  return `\ufeff${formatCsvRows(rows, mark)}`;
}

/** Rows of a table without its beginning. A number stays one: the minus before it is no formula. */
export function formatCsvRows(rows: readonly (readonly (string | number)[])[], mark = ','): string {
  return stringify(
    rows.map((row) => [...row]),
    { delimiter: mark, escape_formulas: true },
  );
}
