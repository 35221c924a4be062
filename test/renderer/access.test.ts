import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, ref } from 'vue';
import { listCertificateItems } from '#renderer/common/access/certificates/certificate-items.ts';
import { findDifferingGroups, splitFingerprint } from '#renderer/common/access/certificates/fingerprint.ts';
import {
  findFewestAttempts,
  findLastUnlock,
  listLockedDevices,
} from '#renderer/common/access/sign-in/locks.ts';
import { scopeOptions } from '#renderer/common/access/sign-in/scope-options.ts';
import { getSpokenStep, useCountdown } from '#renderer/composables/countdown.ts';
import { parsePorts } from '#renderer/features/settings/ports.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { CertificateInfo } from '#shared/trust.ts';
import { device } from './samples.ts';

const locked = (unlocksAt?: string): ErrorShape => ({
  code: 'account-locked',
  source: 'device',
  message: '',
  lock: { locked: true, ...removeUndefined({ unlocksAt }) },
});
const info: CertificateInfo = {
  fingerprint: 'ab'.repeat(32),
  subject: 'CN=x',
  issuer: 'CN=x',
  names: [],
  validFrom: '2026-01-01T00:00:00Z',
  validTo: '2027-01-01T00:00:00Z',
  selfSigned: true,
};

describe('fingerprints', () => {
  it('are sixteen groups, whatever way they are written, and differ group by group', () => {
    const hex = '0123456789abcdef'.repeat(4);

    expect(splitFingerprint(hex)).toHaveLength(16);
    expect(splitFingerprint('01:23:45:67')).toEqual(['0123', '4567']);
    expect([...findDifferingGroups(hex, hex)]).toEqual([]);
    expect(
      [...findDifferingGroups(hex, `0123${'f'.repeat(4)}${hex.slice(8)}`)],
      'a near miss is seen',
    ).toEqual([1]);
  });
});

describe('certificate items', () => {
  it('take what a device showed last, newer than the list where the error is given, and part new from changed', () => {
    const shown: ErrorShape = {
      code: 'certificate-untrusted',
      source: 'device',
      message: '',
      certificate: { offered: info, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    };
    const changed: ErrorShape = {
      code: 'certificate-changed',
      source: 'device',
      message: '',
      certificate: {
        offered: info,
        reason: 'changed',
        pinned: { fingerprint: 'cd'.repeat(32), how: 'person', since: '2026-01-01T00:00:00Z' },
      },
    };

    const many = listCertificateItems([
      device('1', { lastError: shown }),
      device('2', { lastError: changed }),
      device('3'),
    ]);
    expect([many.fresh.map(({ id }) => id), many.changed.map(({ id }) => id)]).toEqual([['1'], ['2']]);
    expect(listCertificateItems([device('1', { lastError: shown })], changed).changed).toHaveLength(1);
    expect(
      listCertificateItems([device('1'), device('2')], changed),
      'the error of one says nothing about many',
    ).toEqual({ fresh: [], changed: [] });
  });
});

describe('locks', () => {
  it('end with the last account, and the fewest attempts count', () => {
    const devices = [
      device('1', { signIn: 'locked', lastError: locked('2026-01-01T00:10:00Z') }),
      device('2', { lastError: locked('2026-01-01T01:00:00+00:00') }),
      device('3'),
    ];

    expect(listLockedDevices(devices).map(({ id }) => id)).toEqual(['1', '2']);
    expect(findLastUnlock(devices)).toBe('2026-01-01T01:00:00+00:00');
    expect(
      findFewestAttempts([
        device('1', { lastError: { ...locked(), lock: { attemptsLeft: 3 } } }),
        device('2', { lastError: { ...locked(), lock: { attemptsLeft: 1 } } }),
      ]),
    ).toBe(1);
    expect(findFewestAttempts([device('1')])).toBeUndefined();
  });
});

describe('a countdown', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs to zero, begins again with another end, and leaves no timer behind', async () => {
    const until = ref<string | undefined>('2026-01-01T00:00:03Z');
    const scope = effectScope();
    const left = scope.run(() => useCountdown(until));

    expect(left?.value).toBe(3);
    await vi.advanceTimersByTimeAsync(1000);
    expect(left?.value).toBe(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(left?.value).toBe(0);
    expect(vi.getTimerCount(), 'nothing ticks after the end').toBe(0);
    until.value = '2026-01-01T00:01:00Z';
    await vi.advanceTimersByTimeAsync(1000);
    expect(left?.value).toBe(53);
    until.value = 'no time';
    expect(left?.value).toBeUndefined();
    scope.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is told aloud seldom while it is long', () => {
    const said = new Set(Array.from({ length: 1801 }, (_, second) => getSpokenStep(second)));

    expect(said.size).toBeLessThan(16);
    expect(said.has(0)).toBe(true);
  });
});

describe('whom a sign-in can be for', () => {
  it('offers tags and the site that all chosen devices share', () => {
    const chosen = [
      device('1', { tags: ['a', 'b'], siteId: 's' }),
      device('2', { tags: ['b'], siteId: 's' }),
    ];
    const options = scopeOptions(
      chosen,
      [...chosen, device('3', { tags: ['b'] })],
      [{ id: 's', name: 'Harbour', devices: 7 }],
    );

    expect(options.map(({ key, devices }) => [key, devices])).toEqual([
      ['devices', 2],
      ['tag b', 3],
      ['site', 7],
    ]);
    expect(scopeOptions([], [], [])).toHaveLength(1);
  });
});

describe('ports', () => {
  it.each([
    ['80, 443', [80, 443]],
    ['80 80', [80]],
    ['', []],
    ['0', undefined],
    ['99999', undefined],
    ['x', undefined],
    ['1 2 3 4 5 6 7 8 9', undefined],
  ])('%j is %j', (text, ports) => {
    expect(parsePorts(text)).toEqual(ports);
  });
});
