import { describe, expect, it } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { getAgreementShown } from '#shared/agreement.ts';
import { FRESH_MS, getDeviceStatus, listExceptions } from '#shared/device-status.ts';
import type { AgreementSummary } from '#shared/model.ts';
import { device } from './samples.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const at = (msAgo: number): string => new Date(NOW - msAgo).toISOString();
const SEEN = { reach: 'reachable', checkedAt: at(5_000), reachSince: at(3_600_000) } as const;
const IN = { signIn: 'ok', signInAt: at(60_000) } as const;
const GONE = { reach: 'unreachable', checkedAt: at(5_000), reachSince: at(600_000) } as const;
const failure = (
  code: 'certificate-changed' | 'certificate-untrusted' | 'sign-in-required',
  reason?: 'other-device',
) =>
  ({
    lastError: { code, source: 'device', message: '', ...removeUndefined({ reason }) },
  }) as const;

describe('how a device stands', () => {
  // Would catch: a green state that is old, "unreachable" beside "signed in", and a changed certificate above two green states.
  it.each([
    ['seen a moment ago and let in', { ...SEEN, ...IN }, 'reachable', 'ok'],
    [
      'not looked at for 41 minutes',
      { ...SEEN, ...IN, checkedAt: at(41 * 60_000) },
      'was-reachable',
      'was-ok',
    ],
    ['never looked at by this version', { reach: 'reachable', signIn: 'ok' }, 'was-reachable', 'was-ok'],
    ['gone', { ...GONE, ...IN }, 'unreachable', 'was-ok'],
    ['gone, and not looked at since', { ...GONE, checkedAt: at(FRESH_MS + 1) }, 'was-unreachable', 'unknown'],
    ['back, but not let in since', { ...SEEN, reachSince: at(10_000), ...IN }, 'reachable', 'was-ok'],
    [
      'another certificate than before',
      { ...SEEN, ...IN, ...failure('certificate-changed') },
      'answers',
      'certificate-changed',
    ],
    [
      'a certificate seen for the first time',
      { ...SEEN, ...failure('certificate-untrusted') },
      'reachable',
      'certificate',
    ],
    [
      'another device at its address',
      { ...SEEN, signIn: 'needed', ...failure('sign-in-required', 'other-device') },
      'answers',
      'needed',
    ],
    [
      'a clock that was set back an hour',
      { ...SEEN, ...IN, checkedAt: at(-3_600_000) },
      'was-reachable',
      'was-ok',
    ],
    ['never tried', { reach: 'unknown', signIn: 'unknown' }, 'unknown', 'unknown'],
  ] as const)('%s', (_name, more, reach, signIn) => {
    expect(getDeviceStatus(device('1', { signIn: 'unknown', ...more }), NOW)).toEqual({ reach, signIn });
  });

  // Would catch: a healthy device with words beside it, "not signed in" said of one that is away, a restart that is forgotten.
  it.each([
    ['healthy', { ...SEEN, ...IN }, []],
    ['seen long ago', { ...IN, checkedAt: at(86_400_000) }, []],
    ['away since yesterday', { signIn: 'failed', reach: 'unreachable', checkedAt: at(86_400_000) }, ['away']],
    [
      'another certificate, before a restart',
      { ...SEEN, ...IN, ...failure('certificate-changed'), restartDue: at(1) },
      ['certificate-changed', 'restart'],
    ],
    ['another device', { ...SEEN, ...failure('sign-in-required', 'other-device') }, ['other-device']],
    ['locked', { ...SEEN, signIn: 'locked' }, ['locked']],
    ['refused', { ...SEEN, signIn: 'failed' }, ['sign-in-failed']],
    ['without a credential', SEEN, ['not-signed-in']],
    [
      'two tags that disagree',
      { ...SEEN, signIn: 'needed', signInFrom: { kind: 'conflict', tags: ['a', 'b'] } },
      ['sign-in-conflict'],
    ],
  ] as const)('%s: %j wants %j', (_name, more, expected) => {
    expect(listExceptions(device('1', { signIn: 'unknown', ...more }))).toEqual(expected);
  });
});

describe('what a device shows beside its agreement', () => {
  const DAY = 86_400_000;
  const summary = (more: Partial<AgreementSummary>): AgreementSummary => ({
    state: 'as-agreed',
    differs: 0,
    readAt: at(DAY),
    ...more,
  });

  // Would catch: "as agreed" of a device that was last read twelve days ago, or at which the last look failed.
  it.each([
    ['nothing agreed', undefined, 'nothing-agreed'],
    ['read yesterday', summary({}), 'as-agreed'],
    ['read twelve days ago', summary({ readAt: at(12 * DAY) }), 'not-read'],
    ['the last look failed', summary({ state: 'unknown', failedAt: at(0) }), 'not-read'],
    ['an undo since, never read', summary({ state: 'unknown', readAt: undefined }), 'not-read'],
    ['not everything shown', summary({ state: 'unknown' }), 'unknown'],
    [
      'three differ, read long ago',
      summary({ state: 'drifted', differs: 3, readAt: at(12 * DAY) }),
      'drifted',
    ],
    ['one of two put off', summary({ state: 'drifted', differs: 1, later: 1 }), 'drifted'],
    ['all put off', summary({ state: 'drifted', differs: 0, later: 2 }), 'later'],
  ] as const)('%s', (_name, agreement, shown) => {
    expect(getAgreementShown(agreement, NOW)).toBe(shown);
  });

  // Would catch: a list that goes on naming what a person put off, or forgets what differs while a device is away.
  it('is an exception only while something differs that was not put off', () => {
    const drifted = { agreement: summary({ state: 'drifted', differs: 3 }) };
    const later = { agreement: summary({ state: 'drifted', differs: 0, later: 3 }) };

    expect(listExceptions(device('1', { ...SEEN, ...IN, ...drifted }))).toEqual(['drifted']);
    expect(listExceptions(device('2', { ...GONE, ...IN, ...drifted }))).toEqual(['away', 'drifted']);
    expect(listExceptions(device('3', { ...SEEN, ...IN, ...later }))).toEqual([]);
  });
});
