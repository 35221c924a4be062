/**
 * Device of today that a device of an old job is: the wrong one would get the settings, or the restart, of
 * another.
 */
import { describe, expect, it } from 'vitest';
import {
  pickDevices,
  findKnown,
  isKnown,
  locate,
  buildJobTarget,
  type Finder,
} from '#engine/jobs/locate-device.ts';
import { listFollowUpDevices, followUpDevices, isRestartDue } from '#engine/jobs/restarts.ts';
import type { StoredJob } from '#engine/jobs/types.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Device, DeviceResult, UnitOutcome } from '#shared/model.ts';

/** A list of devices as it is today. */
function listOf(...devices: readonly (readonly [id: string, url: string])[]): Finder {
  return {
    find(ref) {
      const found = devices.find((device) => device.includes(ref));
      if (found === undefined)
        throw new FieldwrightError({ code: 'unknown-device', source: 'user', message: 'who?' });
      return { id: found[0], url: found[1], name: 'now' } as unknown as Device;
    },
    addTransient: (place) => ({ ...place, id: 't-new' }) as unknown as Device,
  };
}
const moved = listOf(['d-1', 'http://new'], ['d-2', 'http://old']);
const old = { deviceId: 'd-1', name: 'Door', url: 'http://old' };
const stranger = { ...old, deviceId: 'd-9' };
const once = {
  ...old,
  deviceId: 't-1',
  url: 'http://once',
  connection: { pathPrefix: '/x' },
} as unknown as typeof old;

describe('a device of a stored job', () => {
  it('is the one of its id, wherever that is now, else the one at its address', () => {
    expect(findKnown(old, moved.find)).toMatchObject({ id: 'd-1', url: 'http://new' });
    expect(findKnown(stranger, moved.find)).toMatchObject({ id: 'd-2' });
    expect(locate(old, moved)).toMatchObject({ ok: true, device: { id: 'd-1' } });
  });

  it('of one run is named again as it was', () => {
    expect(locate(once, moved)).toMatchObject({
      ok: true,
      device: { id: 't-new', url: 'http://once', name: 'Door', pathPrefix: '/x' },
    });
  });

  it('that is in no list any more cannot be worked on, and it is said which', () => {
    expect(locate(stranger, listOf())).toMatchObject({
      ok: false,
      error: { code: 'unknown-device', device: 'http://old', detail: { id: 'device-gone' } },
    });
    expect([isKnown(stranger, listOf()), isKnown(old, moved)]).toEqual([false, true]);
  });

  it.each([
    ['known', old, moved, { url: 'http://new', known: true, transient: false }],
    ['gone', old, listOf(), { url: 'http://old', known: false, transient: false }],
    ['of one run', once, listOf(), { url: 'http://once', known: false, transient: true, pathPrefix: '/x' }],
  ])(
    'that is %s is told with what a face needs to ask for its sign-in',
    (_what, device, finder, expected) => {
      expect(buildJobTarget(device, finder)).toEqual({
        deviceId: device.deviceId,
        name: 'Door',
        ...expected,
      });
    },
  );
});

describe('devices that are named for another try', () => {
  const all = [old, { ...old, deviceId: 'd-7', url: 'http://new' }, once];
  const chosen = (ids?: readonly string[]) => pickDevices(all, ids, moved).map(({ deviceId }) => deviceId);

  it.each([
    ['all without', undefined, ['d-1', 'd-7', 't-1']],
    ['none where none is named', [], []],
    ['by their id in the job, in the order of the job', ['t-1', 'd-1'], ['d-1', 't-1']],
    ['once, however often they are named', ['d-1', 'd-1'], ['d-1']],
    ['by what the list knows them as, at their address in the job', ['d-2'], ['d-1']],
  ])('are %s', (_what, ids, expected) => {
    expect(chosen(ids)).toEqual(expected);
  });

  it.each([['nobody'], ['http://nowhere']])('are refused where the job has none: %s', (id) => {
    expect(() => chosen(['d-1', id])).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'unknown-device',
          device: id,
          detail: { id: 'job-without-device', values: { id } },
        }) as unknown,
      }) as Error,
    );
  });
});

describe('a restart is due', () => {
  const unit = (outcome: UnitOutcome) => ({ outcome });
  const result = (deviceId: string, ...outcomes: UnitOutcome[]) =>
    ({ deviceId, name: 'n', url: 'u', units: outcomes.map(unit) }) as unknown as DeviceResult;

  it('for what counts only after one, and for nothing else', () => {
    expect(isRestartDue(unit('needs-reboot'))).toBe(true);
    expect(isRestartDue(unit('accepted'))).toBe(false);
    expect(
      followUpDevices([
        result('a', 'needs-reboot', 'effective', 'needs-reboot'),
        result('b', 'effective'),
        result('c', 'needs-reboot'),
      ]),
    ).toEqual([
      { deviceId: 'a', name: 'n', url: 'u', units: 2 },
      { deviceId: 'c', name: 'n', url: 'u', units: 1 },
    ]);
  });

  it('still, on the devices of a follow-up that was cut off', () => {
    const devices = [
      { position: 0, units: [unit('needs-reboot')] },
      { position: 1, units: [unit('effective')] },
      { position: 2, units: [unit('needs-reboot')] },
    ];
    const job = (positions?: readonly number[]) =>
      listFollowUpDevices({
        devices,
        ...(positions && { followUp: { positions } }),
      } as unknown as StoredJob).map(({ position }) => position);

    expect([job([0, 1]), job()]).toEqual([[0], []]);
  });
});
