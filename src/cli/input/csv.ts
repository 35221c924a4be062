/** Small tables with one header line, as the engine reads them. */
import { readTable } from '../../engine/index.ts';
import { FieldwrightError } from '../../shared/errors.ts';

export interface CsvRow {
  /** Line of the file, 1-based. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

const LIMITS = { characters: 32 * 1024 * 1024, rows: 100_001 };

/** Rows by heading; empty lines are left out. */
export function readCsv(text: string, file: string): { readonly headings: readonly string[]; readonly rows: readonly CsvRow[] } {
  const [header, ...body] = tableOf(text, file).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const headings = header?.cells ?? [];
  const twice = headings.find((heading, at) => headings.indexOf(heading) !== at);
  if (twice !== undefined) throw new FieldwrightError({ code: 'usage', source: 'user', message: `The heading "${twice}" stands twice.`, file, line: 1 });
  const rows = body.map(({ cells, line }) => {
    if (cells.length > headings.length) throw new FieldwrightError({ code: 'usage', source: 'user', message: `The row has ${cells.length} cells, the headings are ${headings.length}.`, file, line });
    return { line, cells: Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ''])) };
  });
  return { headings, rows };
}

function tableOf(text: string, file: string): ReturnType<typeof readTable>['rows'] {
  try {
    return readTable(text, LIMITS).rows;
  } catch (error) {
    throw error instanceof FieldwrightError ? error.with({ file }) : error;
  }
}
