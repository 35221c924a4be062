/** The look in the background: which devices are due, its pauses, and when it rests. */
import { expect, it } from 'vitest';
import { listDue, lookInBackground, PAUSE_MS } from '#engine/agreement/background-look.ts';
import type { Device } from '#shared/model.ts';

const NOW = '2030-03-02T12:00:00.000Z';
const hoursAgo = (hours: number): string => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
const device = (
  id: string,
  agreement: Partial<NonNullable<Device['agreement']>> | undefined,
  lastSeen = hoursAgo(50),
): Device =>
  ({
    id,
    lastSeen,
    ...(agreement && { agreement: { state: 'as-agreed', differs: 0, ...agreement } }),
  }) as Device;

function open(devices: readonly Device[]) {
  const waits: (number | string)[] = [];
  const refreshed: (readonly string[] | 'all')[] = [];
  const stop = new AbortController();
  return {
    waits,
    refreshed,
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
      devices: () => devices,
      refresh: (ids?: readonly string[]) => {
        if (ids?.length !== 0) refreshed.push(ids ?? 'all');
        return Promise.resolve();
      },
      look: (id: string) => {
        waits.push(id);
        return Promise.resolve();
      },
    },
  };
}

it('a device is due a day after its last look, or when it is seen again after a look that failed; the oldest first', () => {
  const { options } = open([
    device('today', { readAt: hoursAgo(3) }),
    device('yesterday', { readAt: hoursAgo(25) }),
    device('before', { readAt: hoursAgo(90), failedAt: hoursAgo(30) }),
    device('away', { state: 'unknown', failedAt: hoursAgo(2) }),
    device('back', { state: 'unknown', failedAt: hoursAgo(2) }, hoursAgo(1)),
    device('none', undefined),
  ]);

  expect(listDue(options)).toEqual(['before', 'yesterday', 'back']);
});

it('looks at one device after the other with a pause between them', async () => {
  const { options, waits, stop } = open([
    device('a', { readAt: hoursAgo(25) }),
    device('b', { readAt: hoursAgo(26) }),
  ]);

  await lookInBackground({ ...options, mayLook: () => true }, stop.signal);

  expect(waits.slice(1, 5)).toEqual(['b', PAUSE_MS, 'a', PAUSE_MS]);
});

it('asks nothing while the computer should rest (a battery that a look empties)', async () => {
  const { options, waits, stop } = open([device('a', { readAt: hoursAgo(25) })]);

  await lookInBackground({ ...options, mayLook: () => false }, stop.signal);

  expect(waits).not.toContain('a');
});

it('a difference that was put off comes back in the list when its time is over, also while the computer rests', async () => {
  const { options, refreshed, stop } = open([
    device('tomorrow', { later: 1, laterUntil: '2030-03-03T12:00:00.000Z', readAt: NOW }),
    device('now', { later: 1, laterUntil: NOW, readAt: NOW }),
    device('next', { later: 1, readAt: NOW }),
  ]);

  await lookInBackground({ ...options, mayLook: () => false }, stop.signal);

  expect(refreshed.slice(0, 2)).toEqual(['all', ['now']]);
});
