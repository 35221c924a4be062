/**
 * Leaving the app: the person is asked while a job runs and the window is still open, jobs are stopped where they can be
 * resumed, the store is closed, and only then do window and app go.
 */
import { BrowserWindow, app, dialog, powerMonitor } from 'electron';
import type { Engine, LogEntry } from '#engine/api.ts';
import { createDetail, splitSentences } from '#shared/details.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { getWindowSentences } from './language.ts';

interface QuitOptions {
  readonly engine: Engine;
  readonly close: () => Promise<void>;
  readonly log: (entry: LogEntry) => void;
}

/** Longest wait for the engine: a device that never answers must not keep the app open, and the journal copes with a hard end. */
const LONGEST_MS = 15_000;

export class Quit {
  readonly #options: QuitOptions;
  #state: 'running' | 'asking' | 'closing' | 'closed' = 'running';
  /** Takes the question back: the session ends whatever the answer. */
  readonly #sessionEnds = new AbortController();

  constructor(options: QuitOptions) {
    this.#options = options;
    app.on('before-quit', (event) => this.#hold(event));
    // Held, the system waits for the app to quit by itself.
    powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
      this.#endSession();
      if (event !== undefined) this.#hold(event);
    });
  }

  /** Makes closing this window a way of leaving. On macOS the app goes on without a window, as others do there. */
  guard(window: BrowserWindow): void {
    window.on('close', (event) => {
      if (process.platform !== 'darwin') this.#hold(event);
    });
    // Windows gives a few seconds and sends the app no other sign.
    window.on('query-session-end', () => this.#endSession());
  }

  #hold(event: { preventDefault(): void }): void {
    if (this.#state === 'closed') return;
    event.preventDefault();
    if (this.#state === 'running') void this.#leave();
  }

  /** Ends without a question. */
  #endSession(): void {
    this.#sessionEnds.abort();
    if (this.#state === 'running') void this.#leave();
  }

  async #leave(): Promise<void> {
    this.#state = 'asking';
    if (!(await this.#mayLeave())) {
      this.#state = 'running';
      return;
    }
    this.#state = 'closing';
    const { close, log } = this.#options;
    const outcome = await Promise.race([
      close().then(
        () => undefined,
        () => 'close-failed',
      ),
      new Promise<string>((resolve) => {
        setTimeout(resolve, LONGEST_MS, 'close-timed-out').unref();
      }),
    ]);
    if (outcome !== undefined) log({ level: 'error', event: outcome });
    this.#state = 'closed';
    app.quit();
  }

  /** Returns whether the app may end. Only a running job is worth a question. */
  async #mayLeave(): Promise<boolean> {
    const { signal } = this.#sessionEnds;
    try {
      if (signal.aborted || !this.#options.engine.jobs.list().some(({ state }) => isAtWork(state)))
        return true;
      const sentence = await getWindowSentences();
      // A dialog that opens after the sign would stay.
      if (signal.aborted) return true;
      const { message, hint = '' } = splitSentences(sentence(createDetail('quit.running')));
      const question = {
        type: 'question',
        title: 'Fieldwright',
        buttons: [sentence(createDetail('quit.stay')), sentence(createDetail('quit.leave'))],
        defaultId: 0,
        cancelId: 0,
        message,
        detail: hint,
        signal,
      } satisfies Electron.MessageBoxOptions;
      const [window] = BrowserWindow.getAllWindows();
      const { response } = await (window === undefined
        ? dialog.showMessageBox(question)
        : dialog.showMessageBox(window, question));
      return response === 1 || signal.aborted;
    } catch {
      // A database that cannot be read must not keep the app open.
      return true;
    }
  }
}
