/**
 * Leaving the app: the person is asked while a job runs and the window is still open, jobs are stopped where they can be
 * resumed, the store is closed, and only then do window and app go.
 */
import { app, powerMonitor, type BrowserWindow } from 'electron';
import type { Engine, LogEntry } from '#engine/api.ts';
import { createDetail, splitSentences } from '#shared/details.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { getSentences } from './language.ts';
import { askPerson } from './windows.ts';

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
    // Windows sends the app no other sign, and ends it right after an answer that is not held.
    window.on('query-session-end', (event) => {
      this.#endSession();
      if (this.#isAtWork()) event.preventDefault();
    });
    window.on('session-end', () => this.#endSession());
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

  #isAtWork(): boolean {
    try {
      return this.#options.engine.jobs.list().some(({ state }) => isAtWork(state));
    } catch {
      // A database that cannot be read must not keep the app open.
      return false;
    }
  }

  /** Returns whether the app may end. Only a running job is worth a question. */
  async #mayLeave(): Promise<boolean> {
    const { signal } = this.#sessionEnds;
    if (signal.aborted || !this.#isAtWork()) return true;
    const sentence = getSentences();
    const { message, hint = '' } = splitSentences(sentence(createDetail('quit.running')));
    try {
      const response = await askPerson({
        type: 'question',
        title: 'Fieldwright',
        buttons: [sentence(createDetail('quit.stay')), sentence(createDetail('quit.leave'))],
        defaultId: 0,
        cancelId: 0,
        message,
        detail: hint,
        signal,
      });
      return response === 1 || signal.aborted;
    } catch {
      // A window that cannot show the question must not keep the app open.
      return true;
    }
  }
}
