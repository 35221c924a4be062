/** Rows of the history as text, piece by piece. */
import { stringify } from 'csv-stringify/sync';
import type { HistoryRow } from './history-rows.ts';

const COLUMNS = ['time', 'job', 'kind', 'by', 'template', 'version', 'device', 'url', 'section', 'params', 'path', 'label', 'from', 'to', 'outcome', 'note', 'error'] as const satisfies readonly (keyof HistoryRow)[];
/** Rows that are turned into text together. */
const ROWS_A_PIECE = 500;

/**
 * One row a change under a header line. What a spreadsheet would take for a formula is led by an
 * apostrophe, so opening the file runs nothing; it begins with a byte order mark, without which
 * spreadsheets misread names that are not ASCII.
 */
export function* csvParts(rows: Iterable<HistoryRow>): Generator<string> {
  yield `\ufeff${stringify([[...COLUMNS]])}`;
  for (const piece of pieces(rows)) {
    yield stringify(piece.map((row) => COLUMNS.map((column) => cell(row[column]))), { escape_formulas: true });
  }
}

/** One document: `{ "fieldwright": "history/1", "rows": [ … ] }`. */
export function* jsonParts(rows: Iterable<HistoryRow>): Generator<string> {
  yield '{"fieldwright":"history/1","rows":[';
  let isFirst = true;
  for (const piece of pieces(rows)) {
    yield `${isFirst ? '' : ','}\n${piece.map((row) => JSON.stringify(row)).join(',\n')}`;
    isFirst = false;
  }
  yield '\n]}\n';
}

/** A number stays one: the minus before it is no formula. */
function cell(value: HistoryRow[keyof HistoryRow]): string | number {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function* pieces(rows: Iterable<HistoryRow>): Generator<readonly HistoryRow[]> {
  let piece: HistoryRow[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < ROWS_A_PIECE) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
