/** Writes a limited number of log lines a minute: endless requests must not fill the log. */
import { say, type DetailId, type ValuesOf } from '#shared/details.ts';
import type { ServeNote } from './types.ts';

const MOST = 60;
const WINDOW_MS = 60_000;

export class Notes {
  readonly #log: (line: ServeNote) => void;
  readonly #now: () => number;
  #from = -Infinity;
  #written = 0;

  constructor(log: ((line: ServeNote) => void) | undefined, now: () => number) {
    this.#log = log ?? (() => undefined);
    this.#now = now;
  }

  write<Id extends DetailId & `serve.${string}`>(id: Id, ...values: ValuesOf<Id>): void {
    const now = this.#now();
    if (now - this.#from >= WINDOW_MS) {
      const left = this.#written - MOST;
      this.#from = now;
      this.#written = 0;
      if (left > 0) this.#line(say('serve.more-lines', { count: left }));
    }
    this.#written += 1;
    if (this.#written <= MOST) this.#line(say(id, ...values));
  }

  #line({ message, detail }: ReturnType<typeof say>): void {
    this.#log({ message, detail });
  }
}
