import { createTimeoutError } from './transport-errors.ts';

/** Of a request with all its exchanges. It starts with the first of them: waiting for another's sign-in does not count. */
export class Deadline {
  readonly #ms: number;
  #endsAt: number | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Milliseconds for the next exchange. Throws `timeout` where none are left. */
  start(): number {
    this.#endsAt ??= performance.now() + this.#ms;
    const left = this.#endsAt - performance.now();
    if (left <= 0) throw createTimeoutError(this.#ms, { sent: false });
    return left;
  }

  /** So long nobody waited for this device. */
  putOff(ms: number): void {
    if (this.#endsAt !== undefined) this.#endsAt += ms;
  }

  /** Throws `timeout` where the answer came in time and was not looked at in time. */
  check(): void {
    if (this.#endsAt !== undefined && performance.now() > this.#endsAt)
      throw createTimeoutError(this.#ms, { sent: true, begun: true });
  }
}
