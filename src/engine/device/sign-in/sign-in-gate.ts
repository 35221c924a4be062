/** Shut where a device did not let us in, until a person acts: every queued and later request ends here. */
import type { FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { AccountLock, DeviceDirectory } from '../directory.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { signInPaused } from './sign-in-errors.ts';

interface SignInGateOptions {
  readonly devices: DeviceDirectory;
  readonly own: OwnCredentials;
  readonly clock: Clock;
}

export class SignInGate {
  readonly #deviceId: string;
  readonly #options: SignInGateOptions;
  readonly #lockEnd = new LockEnd();
  #error: FieldwrightError | undefined;
  #epoch = 0;

  constructor(deviceId: string, options: SignInGateOptions) {
    this.#deviceId = deviceId;
    this.#options = options;
  }

  /** Grows each time it is opened: an answer to an older sign-in says nothing about the newer. */
  get epoch(): number {
    return this.#epoch;
  }

  assertOpen(): void {
    const error = this.#error;
    if (error === undefined) return;
    throw error.code === 'sign-in-failed' || error.code === 'account-locked' ? signInPaused(error) : error;
  }

  /** Gives the error to be thrown; one of an older sign-in shuts nothing. */
  shut(at: number, error: FieldwrightError, as: 'needed' | 'failed' | 'locked'): FieldwrightError {
    if (at !== this.#epoch || this.#error !== undefined) return error;
    const { devices, own, clock } = this.#options;
    this.#error = error;
    devices.observe(this.#deviceId, { type: 'sign-in', state: as, error });
    const { unlocksAt } = error.shape.lock ?? {};
    const userName = as === 'locked' ? own.readIfPossible()?.userName : undefined;
    if (userName !== undefined && unlocksAt !== undefined)
      this.#remember({ userName, until: unlocksAt, since: clock.now().toISOString() });
    return error;
  }

  open(): void {
    this.#epoch += 1;
    this.#error = undefined;
  }

  /** How long this account still has to be left alone; every attempt before may start the wait anew. */
  msLocked(userName: string, now: Date): number {
    const lock = this.#options.devices.refused?.lock(this.#url);
    return lock?.userName === userName ? this.#lockEnd.msLeft(lock, now) : 0;
  }

  get #url(): string {
    return this.#options.devices.settings(this.#deviceId).url;
  }

  #remember(lock: AccountLock): void {
    this.#lockEnd.began(lock);
    this.#options.devices.refused?.noteLock(this.#url, lock);
  }
}

/** A device that claims a longer lock than this is asked again after it. */
const LONGEST_WAIT_MS = 86_400_000;
const AGREEING_MS = 1_000;

class LockEnd {
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
