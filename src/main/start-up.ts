/** Parts that come before everything else of the app: handlers of errors, and the data folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { createDetail, say, splitSentences } from '#shared/details.ts';
import { makeDataDir, openFaultFile } from '#engine/index.ts';
import type { LogEntry } from '#engine/api.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import { getSentences } from './language.ts';
import { openLogFile } from './log-file.ts';

/** Writers of what happens; they write nothing before the data folder is there. */
export const records: {
  log: (entry: LogEntry) => void;
  fault: ReturnType<typeof openFaultFile>;
} = { log: () => undefined, fault: () => undefined };

let failing = false;

/** Handles every error that nothing else does: to be called before anything can fail. */
export function handleErrors(): void {
  // A broken state is worse than a restart: every write is journalled and can be resumed.
  process.on('uncaughtException', (error) => {
    void fail('uncaught-exception', error);
  });
  process.on('unhandledRejection', (reason) => {
    records.log({ level: 'error', event: 'unhandled-rejection' });
    records.fault({ place: 'engine', event: 'unhandled-rejection', error: reason });
  });
}

/** Makes the data folder and opens its log. @throws `not-available` where its disk is missing, for example */
export function openDataDir(dataDir: string, sessionDir: string): void {
  makeDataDir(dataDir);
  const log = openLogFile(join(dataDir, 'fieldwright.log'));
  records.log = log;
  records.fault = openFaultFile(dataDir, app.getVersion());
  app.setPath('userData', dataDir);
  // Electron takes no folder that does not exist.
  mkdirSync(sessionDir, { recursive: true, mode: 0o700 });
  app.setPath('sessionData', sessionDir);
}

/**
 * Returns what the person should know of this start: the starter of an AppImage turns Chromium's sandbox off where the
 * system allows it none. Without the switch Chromium ends the program before any of it runs.
 */
export function listStartFaults(log: (entry: LogEntry) => void): readonly ErrorShape[] {
  if (process.platform !== 'linux' || !process.argv.includes('--no-sandbox')) return [];
  log({ level: 'warn', event: 'no-sandbox' });
  return [{ code: 'not-available', source: 'app', ...say('no-sandbox') }];
}

/**
 * Shows an error to the person and ends the app with code 1. Only messages of Fieldwright are shown, as other errors may
 * hold anything.
 */
export async function fail(event: string, error: unknown, dataDir?: string): Promise<void> {
  const known = error instanceof FieldwrightError;
  records.log({ level: 'error', event, code: known ? error.code : 'internal' });
  records.fault({ place: 'engine', event, error });
  // The person reads the first error; those on the way out are kept.
  if (failing) return;
  failing = true;
  // Linux shows no dialog before that, and the language of the computer is unknown.
  await app.whenReady();
  const shape = known ? error.shape : say('start-failed');
  const sentence = getSentences();
  const { message, hint } = shape.detail === undefined ? shape : splitSentences(sentence(shape.detail));
  dialog.showErrorBox(
    sentence(createDetail('quit.forced')),
    [message, hint, known ? dataDir : undefined].filter((line) => line !== undefined).join('\n\n'),
  );
  app.exit(1);
}
