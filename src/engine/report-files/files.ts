/** Reports as files: the document in its formats, and tables for spreadsheets, piece by piece. */
import { setImmediate } from 'node:timers/promises';
import { formatCsvRows } from '../text/csv.ts';
import { toCanonicalJson } from './seal.ts';
import type { Language } from '#shared/details/languages.ts';
import type { BareDetailId } from '#shared/details.ts';
import type { SealedDocument, Value } from '#shared/report-document.ts';

/** Renders the document as HTML, PDF or JSON, in the same bytes for the same document. */
export async function* renderDocument(
  sealed: SealedDocument,
  format: 'html' | 'pdf' | 'json',
  language: Language,
  resourcesDir: string,
): AsyncGenerator<Uint8Array> {
  if (format === 'json') yield Buffer.from(`${toCanonicalJson(sealed)}\n`);
  // The library of PDFs is large, so it is loaded only when needed.
  else if (format === 'html') yield Buffer.from((await import('./html.ts')).renderHtml(sealed, language));
  else {
    const { readReportFont, renderPdf } = await import('./pdf.ts');
    yield* renderPdf(sealed, language, await readReportFont(resourcesDir));
  }
}

/** Rows that are written together. */
const CHUNK = 500;

/**
 * Renders the table marked as UTF-8 for spreadsheets; nothing in it is taken for a formula. A missing value
 * is empty.
 */
export async function* renderCsv(
  heads: readonly BareDetailId[],
  rows: Iterable<readonly Value[]>,
  language: Language,
): AsyncGenerator<Uint8Array> {
  const { getReader } = await import('./reader.ts');
  const reader = getReader(language);
  yield Buffer.from(`\ufeff${formatCsvRows([heads.map((id) => reader.phrase(id))])}`);
  const cell = (value: Value): string | number => {
    if (value === null) return '';
    if (typeof value === 'object' && 'number' in value && value.unit === undefined) return value.number;
    const { text, sign } = reader.value(value);
    return sign === undefined ? text : text.slice(2);
  };
  let chunk: (string | number)[][] = [];
  for (const row of rows) {
    chunk.push(row.map(cell));
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(formatCsvRows(chunk));
    chunk = [];
    // Other work gets its turn.
    await setImmediate();
  }
  if (chunk.length > 0) yield Buffer.from(formatCsvRows(chunk));
}
