/** The look in the background: which devices are due, its pauses, and when it rests. */
import { expect, it } from 'vitest';
import { listDue, lookInBackground, PAUSE_MS } from '#engine/agreement/background-look.ts';
import type { DeviceAgreement } from '#shared/agreement.ts';
import type { Device } from '#shared/model.ts';

const NOW = '2030-03-02T12:00:00.000Z';
const hoursAgo = (hours: number): string => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
const agreement = (deviceId: string, more: Partial<DeviceAgreement>): DeviceAgreement => ({
  deviceId,
  state: 'as-agreed',
  differences: [],
  unseen: 0,
  ...more,
});
const GONE = { code: 'unreachable', source: 'device', message: 'gone' } as const;

function open(agreements: readonly DeviceAgreement[], seen: Readonly<Record<string, string>> = {}) {
  const waits: (number | string)[] = [];
  const stop = new AbortController();
  return {
    waits,
    stop,
    options: {
      clock: {
        now: () => new Date(NOW),
        delay: (ms: number) => {
          waits.push(ms);
          if (waits.length > 6) stop.abort();
          return Promise.resolve();
        },
      },
      devices: () => Object.entries(seen).map(([id, lastSeen]) => ({ id, lastSeen }) as Device),
      status: () => agreements,
      look: (id: string) => {
        waits.push(id);
        return Promise.resolve();
      },
    },
  };
}

it('a device is due a day after its last look, or when it is seen again after a look that failed; the oldest first', () => {
  const { options } = open(
    [
      agreement('today', { readAt: hoursAgo(3) }),
      agreement('yesterday', { readAt: hoursAgo(25) }),
      agreement('before', { readAt: hoursAgo(90), triedAt: hoursAgo(30) }),
      agreement('away', { triedAt: hoursAgo(2), error: GONE }),
      agreement('back', { triedAt: hoursAgo(2), error: GONE }),
      agreement('none', { state: 'nothing-agreed' }),
    ],
    { away: hoursAgo(50), back: hoursAgo(1) },
  );

  expect(listDue(options)).toEqual(['before', 'yesterday', 'back']);
});

it('looks at one device after the other with a pause between them', async () => {
  const { options, waits, stop } = open([
    agreement('a', { readAt: hoursAgo(25) }),
    agreement('b', { readAt: hoursAgo(26) }),
  ]);

  await lookInBackground({ ...options, mayLook: () => true }, stop.signal);

  expect(waits.slice(1, 5)).toEqual(['b', PAUSE_MS, 'a', PAUSE_MS]);
});

it('asks nothing while the computer should rest (a battery that a look empties)', async () => {
  const { options, waits, stop } = open([agreement('a', { readAt: hoursAgo(25) })]);

  await lookInBackground({ ...options, mayLook: () => false }, stop.signal);

  expect(waits).not.toContain('a');
});
