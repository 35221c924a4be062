/** Small tables with one header line, as the engine reads them. */
import { say } from '#shared/details.ts';
import { readTable } from '#engine/index.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';

interface CsvRow {
  /** Line of the file, 1-based. */
  readonly line: number;
  /** Cells by their heading in lower case; cells behind the end of the row are absent. */
  readonly cells: Readonly<Partial<Record<string, string>>>;
}

const LIMITS = { characters: 8 * 1024 * 1024, rows: 100_001 };

/** Headings as they are written, and in small letters in `names`: spreadsheets begin them with a capital by themselves. */
export function readCsv(
  text: string,
  file: string,
): {
  readonly headings: readonly string[];
  readonly names: readonly string[];
  readonly rows: readonly CsvRow[];
} {
  const [header, ...body] = tableOf(text, file);
  const headings = header?.cells ?? [];
  const names = headings.map((heading) => heading.toLowerCase());
  const seen = new Set<string>();
  const twice = headings.find((_, at) => seen.size === seen.add(names[at] ?? '').size);
  if (twice !== undefined)
    throw userError('usage', say('cli.heading-twice', { name: twice }), { file, line: header?.line ?? 1 });
  const rows = body.map(({ cells, line }) => {
    if (cells.length > names.length)
      throw userError('usage', say('cli.row-cells', { cells: cells.length, names: names.length }), {
        file,
        line,
      });
    return { line, cells: Object.fromEntries(cells.map((cell, at) => [names[at], cell])) };
  });
  return { headings, names, rows };
}

function tableOf(text: string, file: string): ReturnType<typeof readTable>['rows'] {
  try {
    return readTable(text, LIMITS).rows;
  } catch (error) {
    throw error instanceof FieldwrightError ? error.with({ file }) : error;
  }
}
