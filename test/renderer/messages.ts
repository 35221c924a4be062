/** All messages of a language by id, as the pages have them together. */
import { join } from 'node:path';
import { listSentences, readLocales } from '../../build/tasks/support/locales.ts';

const locales = readLocales(join(import.meta.dirname, '../../resources/locales'));

/** Returns the words of the screen and of states. */
export function messagesOf(language: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(
      listSentences(locales[language] ?? {}, (area) => area.startsWith('screen') || area === 'status'),
    ),
  );
}
