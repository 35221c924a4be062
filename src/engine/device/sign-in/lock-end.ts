/**
 * Computes when a locked account is free again, by elapsed time: a change of the clock in between neither
 * frees it nor locks it for ever. The clock alone counts only from one run to the next.
 */
import type { AccountLock } from '../directory.ts';

/** A device that claims a longer lock than this is asked again after it. */
const LONGEST_WAIT_MS = 86_400_000;
const AGREEING_MS = 1_000;

export class LockEnd {
  #until: string | undefined;
  #endsAt = 0;

  /** Starts a lock that the device has just reported. */
  began({ until, since }: AccountLock): void {
    this.#endAfter(until, Date.parse(until) - Date.parse(since));
  }

  /**
   * Returns the remaining milliseconds of this lock; 0 if it is over. One of an earlier run is at most as
   * long as it was then.
   */
  msLeft(lock: AccountLock, now: Date): number {
    if (lock.until !== this.#until) {
      const end = Date.parse(lock.until);
      this.#endAfter(lock.until, Math.min(end - now.getTime(), end - Date.parse(lock.since)));
    }
    const left = this.#endsAt - performance.now();
    const byClock = Date.parse(lock.until) - now.getTime();
    // All callers get the same moment while the clock and the elapsed time agree.
    return Math.max(0, Math.abs(byClock - left) < AGREEING_MS ? byClock : left);
  }

  #endAfter(until: string, ms: number): void {
    this.#until = until;
    this.#endsAt = performance.now() + (ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : 0);
  }
}
