/** The language of the system's dialogs and menus: that of the policy or the page, and before there is one that of the computer. */
import { app } from 'electron';
import { getLockedLanguage } from '#engine/files/policy.ts';
import { getTranslation } from '#shared/details/all-languages.ts';
import { matchLanguage, createTranslator, type Language, type Sentence } from '#shared/details/languages.ts';

let chosen: string | undefined;

/** Takes over the language that the page shows, or showed last; a tag that is none counts as English. */
export function setLanguage(tag: string): void {
  chosen = tag;
}

/** Returns the language; not to be asked for before the app is ready. */
export function getLanguage(): Language {
  return matchLanguage(getLockedLanguage() ?? chosen ?? app.getLocale());
}

export function getSentences(): Sentence {
  return createTranslator(getTranslation(getLanguage()));
}
