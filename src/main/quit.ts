/** Leaving: jobs are stopped where they can be resumed and the store is closed, then the app ends. */
import { app, dialog } from 'electron';
import type { Engine, LogEntry } from '../engine/api.ts';
import { detailOf, sentences } from '../shared/details.ts';
import { isAtWork } from '../shared/outcomes.ts';
import { windowSentences } from './language.ts';

interface QuitOptions {
  readonly engine: Engine;
  readonly close: () => Promise<void>;
  readonly log: (entry: LogEntry) => void;
  /** A device that never answers must not keep the app open: the journal copes with a hard end. */
  readonly longestMs?: number;
}

export function closeBeforeQuit({ engine, close, log, longestMs = 15_000 }: QuitOptions): void {
  let state: 'running' | 'closing' | 'closed' = 'running';

  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void leave();
  });

  async function leave(): Promise<void> {
    if (!(await mayLeave(engine))) {
      state = 'running';
      return;
    }
    const outcome = await Promise.race([
      close().then(
        () => undefined,
        () => 'close-failed',
      ),
      new Promise<string>((resolve) => {
        setTimeout(resolve, longestMs, 'close-timed-out').unref();
      }),
    ]);
    if (outcome !== undefined) log({ level: 'error', event: outcome });
    state = 'closed';
    app.quit();
  }
}

/** Only a running job is worth a question. */
async function mayLeave(engine: Engine): Promise<boolean> {
  if (!engine.jobs.list().some(({ state: at }) => isAtWork(at))) return true;
  const sentence = await windowSentences();
  const { message, hint = '' } = sentences(sentence(detailOf('quit.running')));
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'Fieldwright',
    buttons: [sentence(detailOf('quit.stay')), sentence(detailOf('quit.leave'))],
    defaultId: 0,
    cancelId: 0,
    message,
    detail: hint,
  });
  return response === 1;
}
