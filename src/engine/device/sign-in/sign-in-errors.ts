/** Errors that a person reads when a device refuses the sign-in. */
import { say, sayWithReason } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import {
  FieldwrightError,
  type SignInLock,
  type StatusReport,
  userError,
  deviceError,
} from '#shared/errors.ts';

export interface Lock {
  readonly locked?: boolean;
  readonly attemptsLeft?: number;
  readonly unlockSeconds?: number;
}

/** A device that claims a longer lock than this means something else. */
const LONGEST_LOCK_S = 366 * 86_400;

/**
 * Returns the lock that the device reported, by this computer's clock; undefined if it reported nothing
 * usable.
 */
function signInLock({ locked, attemptsLeft, unlockSeconds }: Lock, now: Date): SignInLock | undefined {
  const isTime = unlockSeconds !== undefined && unlockSeconds > 0 && unlockSeconds <= LONGEST_LOCK_S;
  const lock: SignInLock = {
    ...removeUndefined({ locked }),
    ...(attemptsLeft === undefined || !Number.isSafeInteger(attemptsLeft) || attemptsLeft < 0
      ? {}
      : { attemptsLeft }),
    ...(isTime && locked === true
      ? { unlocksAt: new Date(now.getTime() + unlockSeconds * 1000).toISOString() }
      : {}),
  };
  return Object.keys(lock).length === 0 ? undefined : lock;
}

function knownLock(lock: Lock | undefined, now: Date): { readonly lock?: SignInLock } {
  const known = lock === undefined ? undefined : signInLock(lock, now);
  return known === undefined ? {} : { lock: known };
}

/** Builds the error for a failed attempt with credentials, the only one. */
export function signInFailed(status: StatusReport, lock: Lock | undefined, now: Date): FieldwrightError {
  if (lock?.locked === true) return createAccountLockedError(status, lock, now);
  const numbers = knownLock(lock, now);
  const left = numbers.lock?.attemptsLeft;
  return new FieldwrightError({
    code: 'sign-in-failed',
    source: 'device',
    status,
    ...(left === undefined
      ? sayWithReason(formatDeviceReason(status), 'device.sign-in-refused')
      : sayWithReason(formatDeviceReason(status), 'device.sign-in-refused-left', { left })),
    ...numbers,
  });
}

export function createAccountLockedError(status: StatusReport, lock: Lock, now: Date): FieldwrightError {
  const numbers = knownLock(lock, now);
  return new FieldwrightError({
    code: 'account-locked',
    source: 'device',
    status,
    ...(numbers.lock?.unlocksAt === undefined || lock.unlockSeconds === undefined
      ? sayWithReason(formatDeviceReason(status), 'device.account-locked')
      : sayWithReason(formatDeviceReason(status), 'device.account-locked-for', {
          time: duration(lock.unlockSeconds),
        })),
    ...numbers,
  });
}

export function signInRequired(status: StatusReport, why: 'no-credentials' | 'profile'): FieldwrightError {
  return userError(
    'sign-in-required',
    say(why === 'profile' ? 'device.sign-in-off' : 'device.sign-in-required'),
    { status, ...(why === 'profile' ? { reason: 'profile' } : {}) },
  );
}

/**
 * Builds the error for a challenge from another device than the one that accepted the sign-in: going on would
 * reveal the sign-in, and what is to be written, to that device.
 */
export function createOtherDeviceError(status: StatusReport): FieldwrightError {
  return deviceError('sign-in-required', say('device.other-device'), { status, reason: 'other-device' });
}

/** Builds the error for a device that offers no scheme that we speak. */
export function createNoCommonSchemeError(
  status: StatusReport,
  offered: readonly string[],
): FieldwrightError {
  const list = offered.filter((scheme) => /^[a-z0-9-]{1,30}$/.test(scheme)).join(', ');
  return deviceError('sign-in-required', say('device.unknown-scheme', { offers: list || 'nothing' }), {
    status,
    reason: 'unknown-scheme',
  });
}

/**
 * Builds the error for SHA-256 before and now MD5, or Digest without `qop`: an interceptor would rather crack
 * that.
 */
export function createWeakerDigestError(status: StatusReport): FieldwrightError {
  return deviceError('sign-in-required', say('device.weaker-digest'), { status, reason: 'weaker-digest' });
}

const BASIC_REASONS = {
  plain: 'plain-http',
  unasked: 'not-agreed',
  downgrade: 'digest-before',
  profile: 'profile',
  policy: 'policy',
} as const;

export function createBasicRefusedError(
  status: StatusReport,
  why: keyof typeof BASIC_REASONS,
): FieldwrightError {
  return userError('basic-refused', say(`device.basic-${why}`), { status, reason: BASIC_REASONS[why] });
}

/** Builds the error for a name and password that another device has refused and none has accepted. */
export function createRefusedElsewhereError(status: StatusReport): FieldwrightError {
  return userError('sign-in-paused', say('device.refused-elsewhere'), {
    status,
    reason: 'refused-elsewhere',
  });
}

/** Builds the error for a name and password that an earlier run sent and the device refused. */
export function createRefusedBeforeError(status: StatusReport): FieldwrightError {
  return userError('sign-in-paused', say('device.paused-failed'), { status });
}

/** Builds the error of every later request until a person acts. */
export function signInPaused(first: FieldwrightError): FieldwrightError {
  return userError(
    'sign-in-paused',
    say(first.code === 'account-locked' ? 'device.paused-locked' : 'device.paused-failed'),
    { ...removeUndefined({ lock: first.shape.lock }) },
  );
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
