/**
 * Time as the virtual site sees it. It runs with the machine's clock until a test moves it on;
 * a device's clock follows the site's, so moving the site moves every device.
 */
export class SiteClock {
  readonly #base: () => number;
  #offset = 0;
  #frozenAt: number | undefined;

  constructor(base: () => number = Date.now) {
    this.#base = base;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return (this.#frozenAt ?? this.#base()) + this.#offset;
  }

  /** Stops the clock; time then passes only by `advance`. */
  freeze(): void {
    this.#frozenAt ??= this.#base();
  }

  /** Moves time on; time never runs backwards. */
  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds) || milliseconds < 0)
      throw new RangeError('A clock only moves forward.');
    this.#offset += milliseconds;
  }

  /** Returns a clock that follows this one and can be advanced separately. */
  follow(): SiteClock {
    return new SiteClock(() => this.now());
  }
}

/** Returns `2026-03-01T08:15:30+00:00`: device local time with its zone, which is UTC on a virtual site. */
export function formatIsoWithZone(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}+00:00`;
}
