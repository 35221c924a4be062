/**
 * When a locked account is free again, by the time that passes: a clock that is set meanwhile neither
 * frees it nor locks it for ever. Only from one run to the next the clock has to do.
 */
import type { AccountLock } from '../directory.ts';

/** A device that claims a longer lock than this is asked again after it. */
const LONGEST_WAIT_MS = 86_400_000;
const AGREEING_MS = 1_000;

export class LockEnd {
  #until: string | undefined;
  #endsAt = 0;

  /** The device has just said so. */
  began({ until, since }: AccountLock): void {
    this.#endAfter(until, Date.parse(until) - Date.parse(since));
  }

  /** Milliseconds that are left of this lock; 0 where it is over. One of an earlier run is at most as long as it was then. */
  msLeft(lock: AccountLock, now: Date): number {
    if (lock.until !== this.#until) {
      const end = Date.parse(lock.until);
      this.#endAfter(lock.until, Math.min(end - now.getTime(), end - Date.parse(lock.since)));
    }
    const left = this.#endsAt - performance.now();
    const byClock = Date.parse(lock.until) - now.getTime();
    // As long as both agree, all who ask are told the same moment.
    return Math.max(0, Math.abs(byClock - left) < AGREEING_MS ? byClock : left);
  }

  #endAfter(until: string, ms: number): void {
    this.#until = until;
    this.#endsAt = performance.now() + (ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : 0);
  }
}
