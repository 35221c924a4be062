/** The language of the system's dialogs: that of the window, and before there is one that of the computer. */
import { setTimeout as delay } from 'node:timers/promises';
import { BrowserWindow, app } from 'electron';
import { getTranslation } from '#shared/details/all-languages.ts';
import { matchLanguage, createTranslator, type Sentence } from '#shared/details/languages.ts';

/** A page that hangs keeps no dialog waiting for longer; one that is only slow is waited for. */
const ANSWER_MS = 2_000;

let chosen: string | undefined;

/** Returns the language that the window shows; an invalid answer of the page counts as English. */
export async function getWindowSentences(): Promise<Sentence> {
  const [window] = BrowserWindow.getAllWindows();
  const answered = window?.webContents.executeJavaScript('document.documentElement.lang').then(
    // A late answer counts for the next dialog.
    (answer: unknown) => {
      if (typeof answer === 'string' && answer !== '') chosen = answer;
    },
    () => undefined,
  );
  await Promise.race([answered, delay(ANSWER_MS, undefined, { ref: false })]);
  return getLastSentences();
}

/** Returns the language of the last dialog, without asking the page. */
export function getLastSentences(): Sentence {
  return createTranslator(getTranslation(matchLanguage(chosen ?? app.getLocale())));
}
