import { createTimeoutError } from './transport-errors.ts';

/**
 * Deadline of a request with all its exchanges. It starts with the first of them: waiting for another's
 * sign-in does not count.
 */
export class Deadline {
  readonly #ms: number;
  #endsAt: number | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Returns the milliseconds for the next exchange. @throws `timeout` if none remain */
  start(): number {
    this.#endsAt ??= performance.now() + this.#ms;
    const left = this.#endsAt - performance.now();
    if (left <= 0) throw createTimeoutError(this.#ms, { sent: false });
    return left;
  }

  /** Extends the deadline by a time in which the request did not wait for this device. */
  putOff(ms: number): void {
    if (this.#endsAt !== undefined) this.#endsAt += ms;
  }

  /** Throws `timeout` where the answer came in time and was not looked at in time. */
  check(): void {
    if (this.#endsAt !== undefined && performance.now() > this.#endsAt)
      throw createTimeoutError(this.#ms, { sent: true, begun: true });
  }
}
