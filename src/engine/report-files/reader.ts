/** Readers of documents in the engine, which loads every language. */
import { Reader } from '#report-layout/reader.ts';
import { getTranslation } from '#shared/details/all-languages.ts';
import type { Language } from '#shared/details/languages.ts';

export function getReader(language: Language): Reader {
  return new Reader(getTranslation(language));
}
