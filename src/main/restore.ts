/** Failures of the page and of Chromium's helper processes: kept, shown to the person, and the page loaded again. */
import { app, type BrowserWindow } from 'electron';
import { createDetail, splitSentences, type BareDetailId } from '#shared/details.ts';
import type { LogEntry } from '#engine/api.ts';
import { getSentences } from './language.ts';
import { records } from './start-up.ts';
import { askPerson } from './windows.ts';

/** A page that fails this often in this time is not loaded again by itself. */
const MOST_FAILURES = 3;
const WITHIN_MS = 60_000;

/** Loads the page again where it was. The engine lives in this process, so that only the view is lost. */
export function restoreAfterFailure(window: BrowserWindow, log: (entry: LogEntry) => void): void {
  const { webContents } = window;
  let failures: readonly number[] = [];
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log({ level: 'error', event: 'page-crashed', code: reason });
    if (reason === 'clean-exit') return;
    keepProcess('page-crashed', reason, exitCode);
    const now = performance.now();
    failures = [...failures.filter((at) => now - at < WITHIN_MS), now];
    if (failures.length < MOST_FAILURES) reload(window);
    else void askAfterFailures();
  });

  async function askAfterFailures(): Promise<void> {
    const again = await ask('window-crashed', ['window-stuck.reload', 'window-crashed.quit']);
    failures = [];
    if (again === 0) reload(window);
    else app.quit();
  }

  let waiting: AbortController | undefined;
  window.on('unresponsive', () => {
    if (waiting !== undefined) return;
    log({ level: 'warn', event: 'page-hangs' });
    const { signal } = (waiting = new AbortController());
    void ask('window-stuck', ['window-stuck.wait', 'window-stuck.reload'], signal).then((response) => {
      waiting = undefined;
      // Its end is what loads the page again.
      if (response === 1 && !signal.aborted && !window.isDestroyed()) webContents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', () => waiting?.abort());
}

/** Keeps the ends of Chromium's helper processes, which it starts again by itself. */
export function watchHelpers(log: (entry: LogEntry) => void): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log({ level: 'error', event: 'helper-gone', code: reason });
    keepProcess(`helper-gone-${type.replaceAll(/\W/g, '')}`, reason, exitCode);
  });
}

function keepProcess(event: string, reason: string, exitCode: number): void {
  const error = Object.assign(new Error(`exit code ${exitCode}`), {
    name: 'ProcessGone',
    code: reason,
    stack: '',
  });
  records.fault({ place: 'helper', event, error });
}

function reload(window: BrowserWindow): void {
  if (!window.isDestroyed()) window.webContents.reload();
}

async function ask(
  question: Extract<BareDetailId, `window-${string}`>,
  buttons: readonly BareDetailId[],
  signal?: AbortSignal,
): Promise<number> {
  const sentence = getSentences();
  const { message, hint = '' } = splitSentences(sentence(createDetail(question)));
  return askPerson({
    type: 'warning',
    title: 'Fieldwright',
    message,
    detail: hint,
    buttons: buttons.map((id) => sentence(createDetail(id))),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    ...(signal && { signal }),
  }).catch(() => 0);
}
