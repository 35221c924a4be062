import type { ErrorCode } from '#shared/errors.ts';
import type { AccessRequest } from '../access/access-requests.ts';

/**
 * The failures that installers meet most. Their words are the screen's own in every language; what
 * the engine wrote for them is for the command line and is not shown.
 */
export const FREQUENT_FAILURES = [
  'unreachable',
  'connection-refused',
  'timeout',
  'connection-lost',
  'certificate-untrusted',
  'certificate-changed',
  'sign-in-required',
  'sign-in-failed',
  'sign-in-paused',
  'account-locked',
  'basic-refused',
  'not-activated',
  'no-permission',
  'malformed-answer',
  'answer-too-large',
  'device-busy',
  'device-error',
  'invalid-operation',
  'invalid-format',
  'invalid-content',
  'not-supported',
  'reboot-required',
  'not-found',
  'refused',
  'vault-locked',
  'too-many-files',
  'plan-outdated',
  'changed-meanwhile',
  'consent-needed',
  'duplicate-device',
  'cancelled',
] as const satisfies readonly ErrorCode[];

const FREQUENT: ReadonlySet<ErrorCode> = new Set(FREQUENT_FAILURES);

export function isFrequent(code: ErrorCode): boolean {
  return FREQUENT.has(code);
}

/** The dialog in which a person can do something about a failure. */
const REMEDIES: Readonly<Partial<Record<ErrorCode, AccessRequest['kind']>>> = {
  'certificate-untrusted': 'certificate',
  'certificate-changed': 'certificate',
  'sign-in-required': 'sign-in',
  'sign-in-failed': 'sign-in',
  'sign-in-paused': 'sign-in',
  'account-locked': 'sign-in',
  'basic-refused': 'sign-in',
};

export function findRemedy(code: ErrorCode): AccessRequest['kind'] | undefined {
  return REMEDIES[code];
}
