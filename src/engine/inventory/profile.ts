/** Connection profiles from people and files: checked once, here. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import { hasUnseen } from '#shared/text/unseen.ts';

const AUTH = ['auto', 'digest', 'basic', 'none'] as const;

/**
 * `base` with the given changes; a whole profile without a namespace has none. Throws `out-of-range`,
 * `not-allowed` or `usage` naming the field.
 */
export function mergeProfile(
  base: ConnectionProfile,
  change: Partial<ConnectionProfile> | undefined,
): ConnectionProfile {
  const given = removeUndefined(change ?? {});
  const merged = isWhole(given) ? given : { ...base, ...given };
  return {
    pathPrefix: checkPrefix(merged.pathPrefix),
    ...(merged.namespace === undefined || merged.namespace === ''
      ? {}
      : { namespace: checkNamespace(merged.namespace) }),
    auth:
      AUTH.find((option) => option === merged.auth) ??
      refuse('auth', 'not-allowed', say('one-of', { options: AUTH.join(', ') })),
    deadlineMs: checkWhole('deadlineMs', merged.deadlineMs, 200, 600_000),
    inFlight: checkWhole('inFlight', merged.inFlight, 1, 8),
  };
}

function isWhole(profile: Partial<ConnectionProfile>): profile is ConnectionProfile {
  return [profile.pathPrefix, profile.auth, profile.deadlineMs, profile.inFlight].every(
    (part) => part !== undefined,
  );
}

function checkPrefix(prefix: string): string {
  const trimmed = prefix.length > 1 ? prefix.replace(/\/+$/, '') : prefix;
  return /^\/[A-Za-z0-9._~/-]{0,99}$/.test(trimmed) &&
    !trimmed.includes('//') &&
    !trimmed.split('/').some((segment) => segment === '.' || segment === '..')
    ? trimmed
    : refuse('pathPrefix', 'usage', say('path-prefix'));
}

function checkNamespace(namespace: string): string {
  return namespace.length <= 300 && !/[\s<>"']/.test(namespace) && !hasUnseen(namespace)
    ? namespace
    : refuse('namespace', 'usage', say('namespace', { max: 300 }));
}

function checkWhole(field: string, value: number, min: number, max: number): number {
  return Number.isInteger(value) && value >= min && value <= max
    ? value
    : refuse(field, 'out-of-range', say('profile-number', { field, min, max }));
}

function refuse(
  field: string,
  code: 'usage' | 'not-allowed' | 'out-of-range',
  words: ReturnType<typeof say>,
): never {
  throw userError(code, words, { path: `profile.${field}` });
}
