/** Tables from and for spreadsheets, as text. */
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { FieldwrightError } from '../../../shared/errors.ts';
import { delimiterOf } from '../../../shared/file-text.ts';

export interface TableRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}
export interface Table {
  /** What separates its cells: a comma, semicolon or tab. */
  readonly mark: string;
  /** Empty lines too. */
  readonly rows: readonly TableRow[];
}

/** A spreadsheet would take these for the beginning of a formula; the mark before them was put there by `writeTable`. */
const GUARD = /^'(?=[=+\-@\t\r\uff0b\uff0d\uff1d\uff20])/;

/** Throws `input-too-large`, and `unreadable-file` with the line where the text is no table. */
export function readTable(text: string, limits: { readonly characters: number; readonly rows: number }): Table {
  if (text.length > limits.characters) throw new FieldwrightError({ code: 'input-too-large', source: 'user', message: 'The file is too large.' });
  const clean = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const mark = delimiterOf(clean);
  let parsed: readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    parsed = parse(clean, { delimiter: mark, record_delimiter: '\n', relax_column_count: true, relax_quotes: true, trim: true, info: true, to: limits.rows + 1 }) as unknown as typeof parsed;
  } catch (error) {
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined;
    throw new FieldwrightError({ code: 'unreadable-file', source: 'user', message: 'The file is not a table of comma separated values.', ...(line === undefined ? {} : { line }) }, { cause: error });
  }
  if (parsed.length > limits.rows) throw new FieldwrightError({ code: 'input-too-large', source: 'user', message: `At most ${limits.rows} lines can be read at once.` });
  const rows = parsed.map(({ record }, at) => ({ line: (parsed[at - 1]?.info.lines ?? 0) + 1, cells: record.map((cell) => cell.replace(GUARD, '')) }));
  return { mark, rows };
}

/** Marked as UTF-8 for spreadsheets, which misread names that are not ASCII without it; nothing in it is taken for a formula. */
export function writeTable(rows: readonly (readonly string[])[], mark: string): string {
  return `\ufeff${tableRows(rows, mark)}`;
}

/** Rows of a table without its beginning. A number stays one: the minus before it is no formula. */
export function tableRows(rows: readonly (readonly (string | number)[])[], mark = ','): string {
  return stringify(rows.map((row) => [...row]), { delimiter: mark, escape_formulas: true });
}
