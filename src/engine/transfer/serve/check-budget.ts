/** How much of what is sent is compared with what was hashed, so that a fast network is not slowed down by it. */

/** What a gigabit network carries; comparing costs a twentieth of a processor then. */
const BYTES_A_MS = 128 * 1024;
const LARGEST_CREDIT = 64 * 1024 * 1024;

/** Beyond it the file alone is looked at: size, time of change, identity. */
export class CheckBudget {
  readonly #now: () => number;
  #credit = LARGEST_CREDIT;
  #at: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  allows(bytes: number): boolean {
    const now = this.#now();
    this.#credit = Math.min(LARGEST_CREDIT, this.#credit + (now - this.#at) * BYTES_A_MS);
    this.#at = now;
    if (this.#credit < bytes) return false;
    this.#credit -= bytes;
    return true;
  }
}
