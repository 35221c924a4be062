/** Rows of the history as text, piece by piece. */
import { formatCsvRows, writeTable } from '#engine/text/csv.ts';
import type { HistoryRow } from '../types.ts';

const COLUMNS = [
  'time',
  'job',
  'kind',
  'by',
  'template',
  'version',
  'device',
  'url',
  'section',
  'params',
  'path',
  'label',
  'from',
  'to',
  'outcome',
  'note',
  'error',
  'title',
  'done',
  'total',
  'did',
] as const satisfies readonly (keyof HistoryRow)[];
/** Rows that are turned into text together. */
const ROWS_A_PIECE = 500;

/** One row a change under a header line, safe to open in a spreadsheet. */
export function* formatHistoryCsv(rows: Iterable<HistoryRow>): Generator<string> {
  yield writeTable([COLUMNS], ',');
  for (const piece of pieces(rows)) {
    yield formatCsvRows(piece.map((row) => COLUMNS.map((column) => cell(row[column]))));
  }
}

/** One document: `{ "fieldwright": "history/1", "rows": [ … ] }`. */
export function* formatHistoryJson(rows: Iterable<HistoryRow>): Generator<string> {
  yield '{"fieldwright":"history/1","rows":[';
  let isFirst = true;
  for (const piece of pieces(rows)) {
    yield `${isFirst ? '' : ','}\n${piece.map((row) => JSON.stringify(row)).join(',\n')}`;
    isFirst = false;
  }
  yield '\n]}\n';
}

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
