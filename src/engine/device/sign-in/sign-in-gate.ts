/** Shut where a device did not let us in, until a person acts: every queued and later request ends here. */
import type { FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { AccountLock, DeviceDirectory } from '../directory.ts';
import { LockEnd } from './lock-end.ts';
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
