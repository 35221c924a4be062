/** Wrong passwords lock an account for a while, as devices in the field do. */
import type { SiteClock } from '../clock.ts';

const ATTEMPTS = 5;
const LOCK_MS = 30 * 60_000;
/** User names remembered at once; a flood of invented names cannot grow the memory. */
const NAMES = 64;

interface Entry {
  wrong: number;
  lockedUntil: number;
}

export interface LockState {
  readonly attemptsLeft: number;
  /** 0 where the account is not locked. */
  readonly lockedForSeconds: number;
}

/** Counts per user name, whether the name exists or not, so that the answer does not tell. */
export class Lockout {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: SiteClock;

  constructor(clock: SiteClock) {
    this.#clock = clock;
  }

  state(user: string): LockState {
    const entry = this.#current(user);
    if (!entry) return { attemptsLeft: ATTEMPTS, lockedForSeconds: 0 };
    const left = Math.max(0, entry.lockedUntil - this.#clock.now());
    return { attemptsLeft: left > 0 ? 0 : ATTEMPTS - entry.wrong, lockedForSeconds: Math.ceil(left / 1000) };
  }

  wrong(user: string): void {
    const entry = this.#current(user) ?? { wrong: 0, lockedUntil: 0 };
    if (entry.lockedUntil > 0) return;
    entry.wrong += 1;
    if (entry.wrong >= ATTEMPTS) entry.lockedUntil = this.#clock.now() + LOCK_MS;
    this.#entries.delete(user);
    this.#entries.set(user, entry);
    if (this.#entries.size > NAMES) this.#forgetOldest();
  }

  right(user: string): void {
    this.#entries.delete(user);
  }

  /** The entry, unless its lock has run out, which starts the count anew. */
  #current(user: string): Entry | undefined {
    const entry = this.#entries.get(user);
    if (entry && entry.lockedUntil > 0 && entry.lockedUntil <= this.#clock.now()) {
      this.#entries.delete(user);
      return undefined;
    }
    return entry;
  }

  #forgetOldest(): void {
    const unlocked = [...this.#entries].find(([, entry]) => entry.lockedUntil === 0);
    const oldest = unlocked?.[0] ?? this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
