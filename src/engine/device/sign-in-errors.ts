/** What a person reads when a device does not let us in. */
import { FieldwrightError } from '../../shared/errors.ts';
import type { StatusReport } from '../../shared/errors.ts';

export interface Lock {
  readonly locked?: boolean;
  readonly attemptsLeft?: number;
  readonly unlockSeconds?: number;
}

const TRY_AGAIN = 'Correct the sign-in or test the device again; until then nothing more is sent to it.';

/** The one attempt with credentials failed. */
export function signInFailed(status: StatusReport, lock: Lock | undefined): FieldwrightError {
  if (lock?.locked === true) return accountLocked(status, lock);
  const left = lock?.attemptsLeft;
  return new FieldwrightError({
    code: 'sign-in-failed', source: 'device', status,
    message: left === undefined ? 'The device refused user name or password.' : `The device refused user name or password; ${left} ${left === 1 ? 'attempt is' : 'attempts are'} left before it locks the account.`,
    hint: TRY_AGAIN,
  });
}

export function accountLocked(status: StatusReport, lock: Lock): FieldwrightError {
  const wait = lock.unlockSeconds === undefined ? '' : ` It unlocks in ${duration(lock.unlockSeconds)}.`;
  return new FieldwrightError({
    code: 'account-locked', source: 'device', status,
    message: `The device has locked this account.${wait}`,
    hint: 'Wait until it unlocks, then test the device again. Every further attempt may start the wait anew, so none is made.',
  });
}

export function signInRequired(status: StatusReport, why: 'no-credentials' | 'profile'): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-required', source: 'user', status, message: 'The device asks for a user name and password.',
    hint: why === 'profile' ? 'The connection profile of this device says not to sign in.' : 'Give this device a sign-in.',
  });
}

/** The device offers nothing that we speak. */
export function noCommonScheme(status: StatusReport, offered: readonly string[]): FieldwrightError {
  const list = offered.filter((scheme) => /^[a-z0-9-]{1,30}$/.test(scheme)).join(', ');
  return new FieldwrightError({
    code: 'sign-in-required', source: 'device', status,
    message: 'The device asks for a sign-in in a way that Fieldwright does not know.',
    hint: list === '' ? 'It names no method at all.' : `It offers: ${list}.`,
  });
}

export function basicRefused(status: StatusReport, why: 'plain' | 'downgrade' | 'profile'): FieldwrightError {
  const hints = {
    plain: 'Use https://, switch Digest on in the device, or set the sign-in of this device to "basic" if the network is trusted.',
    downgrade: 'It offered the safer Digest before: somebody may be in between. Set the sign-in of this device to "basic" only if you know why this changed.',
    profile: 'The connection profile of this device allows Digest only.',
  };
  return new FieldwrightError({
    code: 'basic-refused', source: 'user', status,
    message: 'The device wants the password unprotected (Basic), so it was not sent.', hint: hints[why],
  });
}

/** What every later request gets until a person acts. */
export function signInPaused(first: FieldwrightError): FieldwrightError {
  return new FieldwrightError({
    code: 'sign-in-paused', source: 'user',
    message: first.code === 'account-locked' ? 'Not sent: the device has locked the account.' : 'Not sent: the sign-in to this device failed before.',
    hint: TRY_AGAIN,
  });
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
