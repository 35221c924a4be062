/** Ctrl-C: the first asks to end cleanly, the second ends at once. */
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** npm, npx and the terminal may each deliver the same Ctrl-C: what comes this soon is no second one. */
const SAME_SIGNAL_MS = 700;

export class Interrupts {
  /** Aborted by the first signal, unless a command took it over. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stop: () => void;
  #clean: (() => void) | undefined;
  #firstAt: number | undefined;

  constructor(io: Io) {
    this.signal = this.#controller.signal;
    this.#stop = io.onSignal(() => {
      const now = performance.now();
      if (this.#firstAt === undefined) {
        this.#firstAt = now;
        if (this.#clean) this.#clean();
        else this.#controller.abort();
      } else if (now - this.#firstAt > SAME_SIGNAL_MS) {
        io.exitNow(EXIT.interrupted);
      }
    });
  }

  get happened(): boolean {
    return this.#firstAt !== undefined;
  }

  /** Lets the first signal call `clean`; the command decides when it is done. */
  takeOver(clean: () => void): void {
    if (this.happened) clean();
    else this.#clean = clean;
  }

  /** Resolves at the first signal. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.takeOver(resolve);
    });
  }

  dispose(): void {
    this.#stop();
  }
}
