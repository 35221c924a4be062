/** Small CSV tables: commas or semicolons, one header line. */
import { parse } from 'csv-parse/sync';
import { FieldwrightError } from '../../shared/errors.ts';

export interface CsvRow {
  /** Line of the file, 1-based. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string): number => head.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Rows by heading; headings are lower-cased only by `headings`, never changed otherwise. */
export function readCsv(text: string, file: string): { readonly headings: readonly string[]; readonly rows: readonly CsvRow[] } {
  const records = parseRecords(text, file);
  const headings = (records[0]?.record ?? []).map((heading) => heading.trim());
  const twice = headings.find((heading, at) => headings.indexOf(heading) !== at);
  if (twice !== undefined) throw new FieldwrightError({ code: 'usage', source: 'user', message: `The heading "${twice}" stands twice.`, file, line: 1 });
  const rows = records.slice(1).map(({ record, line }) => {
    if (record.length > headings.length) throw new FieldwrightError({ code: 'usage', source: 'user', message: `The row has ${record.length} cells, the headings are ${headings.length}.`, file, line });
    return { line, cells: Object.fromEntries(headings.map((heading, at) => [heading, (record[at] ?? '').trim()])) };
  });
  return { headings, rows };
}

function parseRecords(text: string, file: string): readonly { readonly record: readonly string[]; readonly line: number }[] {
  try {
    const parsed: unknown = parse(text, { bom: true, delimiter: delimiterOf(text), relax_column_count: true, skip_empty_lines: true, info: true, max_record_size: 1_000_000 });
    return (parsed as readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]).map(({ record, info }) => ({ record, line: info.lines }));
  } catch (cause) {
    const line = (cause as { lines?: number } | null)?.lines;
    throw new FieldwrightError({ code: 'unreadable-file', source: 'user', message: 'The file is not a readable CSV table.', file, ...(line === undefined ? {} : { line }) }, { cause });
  }
}
