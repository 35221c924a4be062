import { splitSeparator } from '#shared/text/file-text.ts';

/** The start of a table, to be looked at before it is sent. */
export interface CsvPreview {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const SHOWN_ROWS = 5;
/** Far more than the rows shown can have; a file without line ends must not be read whole. */
const MOST_CHARACTERS = 50_000;

/** Reads a preview of the file; undefined if it is no table. The engine reads and checks the file itself. */
export async function readCsvPreview(text: string): Promise<CsvPreview | undefined> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const { text: table, mark } = splitSeparator(text.slice(0, MOST_CHARACTERS).replace(/^\uFEFF/, ''));
  try {
    const [header, ...rows] = parse(table, {
      delimiter: mark,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      to: SHOWN_ROWS + 1,
    });
    return header === undefined
      ? undefined
      : { header, rows: rows.map((row) => [...row, ...header.slice(row.length).map(() => '')]) };
  } catch {
    return undefined;
  }
}

/** A name for the rows that come back: `site.csv` gives `site-failed.csv`. */
export function buildFailedFileName(name: string): string {
  const dot = name.lastIndexOf('.');
  return `${dot > 0 ? name.slice(0, dot) : name}-failed.csv`;
}
