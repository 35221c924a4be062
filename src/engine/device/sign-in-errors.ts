/** What a person reads when a device does not let us in. */
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { SignInLock, StatusReport } from '../../shared/errors.ts';

export interface Lock {
  readonly locked?: boolean;
  readonly attemptsLeft?: number;
  readonly unlockSeconds?: number;
}

/** A device that claims a longer lock than this means something else. */
const LONGEST_LOCK_S = 366 * 86_400;

/** What the device told, by this computer's clock; undefined where it told nothing of use. */
function signInLock({ locked, attemptsLeft, unlockSeconds }: Lock, now: Date): SignInLock | undefined {
  const isTime = unlockSeconds !== undefined && unlockSeconds > 0 && unlockSeconds <= LONGEST_LOCK_S;
  const lock: SignInLock = {
    ...defined({ locked }),
    ...(attemptsLeft === undefined || !Number.isSafeInteger(attemptsLeft) || attemptsLeft < 0
      ? {}
      : { attemptsLeft }),
    ...(isTime && locked === true
      ? { unlocksAt: new Date(now.getTime() + unlockSeconds * 1000).toISOString() }
      : {}),
  };
  return Object.keys(lock).length === 0 ? undefined : lock;
}

function told(lock: Lock | undefined, now: Date): { readonly lock?: SignInLock } {
  const known = lock === undefined ? undefined : signInLock(lock, now);
  return known === undefined ? {} : { lock: known };
}

const TRY_AGAIN = 'Correct the sign-in or test the device again; until then nothing more is sent to it.';

/** The one attempt with credentials failed. */
export function signInFailed(status: StatusReport, lock: Lock | undefined, now: Date): FieldwrightError {
  if (lock?.locked === true) return accountLocked(status, lock, now);
  const numbers = told(lock, now);
  const left = numbers.lock?.attemptsLeft;
  return new FieldwrightError({
    code: 'sign-in-failed',
    source: 'device',
    status,
    message:
      left === undefined
        ? 'The device refused user name or password.'
        : `The device refused user name or password; ${left} ${left === 1 ? 'attempt is' : 'attempts are'} left before it locks the account.`,
    hint: TRY_AGAIN,
    ...numbers,
  });
}

export function accountLocked(status: StatusReport, lock: Lock, now: Date): FieldwrightError {
  const numbers = told(lock, now);
  const wait =
    numbers.lock?.unlocksAt === undefined || lock.unlockSeconds === undefined
      ? ''
      : ` It unlocks in ${duration(lock.unlockSeconds)}.`;
  return new FieldwrightError({
    code: 'account-locked',
    source: 'device',
    status,
    message: `The device has locked this account.${wait}`,
    hint: 'Wait until it unlocks, then test the device again. Every further attempt may start the wait anew, so none is made.',
    ...numbers,
  });
}

export function signInRequired(status: StatusReport, why: 'no-credentials' | 'profile'): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-required',
    source: 'user',
    status,
    message: 'The device asks for a user name and password.',
    ...(why === 'profile' ? { reason: 'profile' } : {}),
    hint:
      why === 'profile'
        ? 'The connection profile of this device says not to sign in.'
        : 'Give this device a sign-in.',
  });
}

/** Who asks is not who let us in: sending on would show the sign-in, and what is to be written, to another device. */
export function otherDevice(status: StatusReport): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-required',
    source: 'device',
    status,
    reason: 'other-device',
    message:
      'Another device than before seems to answer at this address: it asks for the sign-in under another name. Nothing was sent.',
    hint: 'Search for the device: it may have another address now. If it was renamed or replaced, test it again; the sign-in is then sent.',
  });
}

/** The device offers nothing that we speak. */
export function noCommonScheme(status: StatusReport, offered: readonly string[]): FieldwrightError {
  const list = offered.filter((scheme) => /^[a-z0-9-]{1,30}$/.test(scheme)).join(', ');
  return new FieldwrightError({
    code: 'sign-in-required',
    source: 'device',
    status,
    reason: 'unknown-scheme',
    message: 'The device asks for a sign-in in a way that Fieldwright does not know.',
    hint: list === '' ? 'It names no method at all.' : `It offers: ${list}.`,
  });
}

/** SHA-256 before, now MD5, or Digest without `qop`: whoever stands in between would rather crack that. */
export function weakerDigest(status: StatusReport): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-required',
    source: 'device',
    status,
    reason: 'weaker-digest',
    message:
      'The device offers a weaker Digest than before, so nothing was sent: somebody may be in between.',
    hint: 'Find out why this changed. If you know the reason, agree to the weaker sign-in of this device ("device update DEVICE --accept-weaker").',
  });
}

const BASIC_REASONS = {
  plain: 'plain-http',
  unasked: 'not-agreed',
  downgrade: 'digest-before',
  profile: 'profile',
} as const;

export function basicRefused(status: StatusReport, why: keyof typeof BASIC_REASONS): FieldwrightError {
  const hints = {
    plain:
      'Use https://, switch Digest on in the device, or set the sign-in of this device to "basic" if the network is trusted.',
    unasked:
      'Whoever answers there reads the password. Compare the certificate, then set the sign-in of this device to "basic" (--auth basic), or switch Digest on in the device.',
    downgrade:
      'It offered the safer Digest before: somebody may be in between. Set the sign-in of this device to "basic" only if you know why this changed.',
    profile: 'The connection profile of this device allows Digest only.',
  };
  return new FieldwrightError({
    code: 'basic-refused',
    source: 'user',
    status,
    reason: BASIC_REASONS[why],
    message: 'The device wants the password unprotected (Basic), so it was not sent.',
    hint: hints[why],
  });
}

/** Another device has turned this very name and password away, and none has let them in. */
export function refusedElsewhere(status: StatusReport): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-paused',
    source: 'user',
    status,
    reason: 'refused-elsewhere',
    message: 'Not sent: another device has just refused this user name and password.',
    hint: 'Check them. If they are right for this device, test it by itself: the others follow once it has let them in.',
  });
}

/** What every later request gets until a person acts. */
export function signInPaused(first: FieldwrightError): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-paused',
    source: 'user',
    message:
      first.code === 'account-locked'
        ? 'Not sent: the device has locked the account.'
        : 'Not sent: the sign-in to this device failed before.',
    hint: TRY_AGAIN,
    ...defined({ lock: first.shape.lock }),
  });
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
