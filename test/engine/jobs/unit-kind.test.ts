/** Work of single units on one device: events and journal by themselves, without a device or a database. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { LiveJob } from '#engine/jobs/live-job.ts';
import type { NewUnit, StoredDevice, StoredJob } from '#engine/jobs/types.ts';
import {
  createUnitKind,
  type Unit,
  type UnitPlace,
  type UnitVerdict,
  type UnitWork,
} from '#engine/jobs/unit-kind.ts';
import { say } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, UnitOutcome } from '#shared/model.ts';

const LOST: ErrorShape = { code: 'connection-lost', source: 'device', message: 'gone' };
const T0 = '1970-01-01T00:00:00.000Z';
interface Files {
  readonly body: object;
  readonly device: object;
  readonly detail: { readonly file: string };
  readonly unit: { readonly bytes: number };
}
type Work = (unit: Unit<Files>, place: UnitPlace, work: UnitWork) => Promise<UnitVerdict>;

function kindOf(work: Work) {
  return createUnitKind<Files>({
    name: 'send',
    whenBusy: 'wait',
    interrupted: 'pending',
    schemas: () => ({
      body: z.object({}),
      device: z.object({}),
      detail: z.object({ file: z.string() }),
      unit: z.object({ bytes: z.number() }),
    }),
    finder: {
      find(reference) {
        if (reference.includes('gone')) throw userError('unknown-device', say('device-gone'));
        return { id: `now ${reference}`, url: 'http://now' } as Device;
      },
      addTransient: () => {
        throw new Error('every device is known here');
      },
    },
    work,
  });
}
const unit = (file: string, extra: object = {}): NewUnit => {
  const result = { index: Number(file), label: `Send ${file}`, outcome: 'pending' as const, file, ...extra };
  return { result, document: { bytes: 30 } };
};

/** Starts a job of one device and returns its journal entries; the clock is stopped except for `later`. */
function running(files: readonly NewUnit[]) {
  const head = { id: 'j-1', kind: 'send', title: 'Send', about: {}, createdAt: '', by: 'me' };
  const device = { deviceId: 'gate', name: 'gate', url: 'http://gate', state: 'pending' } as const;
  const results = [{ ...device, units: files.map(({ result }) => result) }];
  const job = new LiveJob({ ...head, runs: [], options: {} }, results, undefined);
  const log: unknown[][] = [];
  let now = 0;
  const note =
    (what: string) =>
    (...all: unknown[]) => {
      log.push([what, ...all]);
    };
  const context = {
    job,
    options: {},
    clock: { now: () => new Date(now) },
    journal: {
      device: note('device'),
      settled: note('settled'),
      progress: note('progress'),
      intent(...all: unknown[]) {
        log.push(['intent', ...all]);
        return Promise.resolve();
      },
    },
  } as unknown as JobContext;
  return {
    job,
    context,
    log,
    later: (ms: number) => {
      now += ms;
    },
    turn: (work: Work) =>
      kindOf(work).turn({ ...device, name: 'gate', document: {}, units: files }, 0)(context),
    outcomes: () => job.results[0]?.units.map(({ outcome }) => outcome),
  };
}
const key = (index: number) => ({ jobId: 'j-1', position: 0, index });
const good = (outcome: UnitOutcome = 'effective') => Promise.resolve<UnitVerdict>({ outcome });

describe('units of a device', () => {
  // Would catch: a finished unit sent again, or one whose kind does not get its stored data.
  it('have their turn one after the other, those that are left', async () => {
    const title = { id: 'flow-done' } as unknown as string;
    const at = running([
      unit('0', { outcome: 'effective' }),
      unit('1', { progress: { done: 3 } }),
      unit('2', { title }),
    ]);
    const seen: unknown[] = [];

    const went = await at.turn((one, place) => {
      seen.push(one, place);
      return good();
    });

    const place = { position: 0, deviceId: 'gate', url: 'http://gate' };
    const document = { bytes: 30 };
    expect(seen).toEqual([
      { key: key(1), label: 'Send 1', detail: { file: '1' }, document, progress: { done: 3 } },
      place,
      { key: key(2), label: 'Send 2', detail: { file: '2' }, document, title },
      place,
    ]);
    expect(went).toBe(true);
    expect(at.job.results[0]).toMatchObject({
      state: 'done',
      units: [
        {},
        { file: '1', label: 'Send 1', outcome: 'effective', progress: { done: 3 } },
        { file: '2', title, outcome: 'effective' },
      ],
    });
    expect(at.log.filter(([what]) => what === 'settled')).toEqual([
      ['settled', key(1), at.job.results[0]?.units[1], T0],
      ['settled', key(2), at.job.results[0]?.units[2], T0],
    ]);
  });

  it('are journalled before they begin', async () => {
    const at = running([unit('0')]);
    const intent = { before: 'a', sent: 'b', renew: false, sensitive: true };
    await at.turn(async (_unit, _place, work) => {
      await work.begin(intent);
      return { outcome: 'accepted', detail: { file: 'renamed' }, note: 'settled-by-reading' };
    });

    expect(at.log).toContainEqual([
      'intent',
      key(0),
      { index: 0, label: 'Send 0', outcome: 'pending', file: '0' },
      T0,
      intent,
    ]);
    expect(at.job.results[0]?.units).toEqual([
      { index: 0, label: 'Send 0', outcome: 'accepted', file: 'renamed', note: 'settled-by-reading' },
    ]);
  });

  // Would catch: a disk that is written to with every packet of a file, or a bar that does not move.
  it('tell how far they are at once, and write it at most twice a second', async () => {
    const at = running([unit('0')]);
    const shown: unknown[] = [];
    await at.turn((_unit, _place, work) => {
      for (const [done, ms] of [
        [1, 0],
        [2, 600],
        [3, 499],
        [4, 1],
        [5, 10],
      ] as const) {
        at.later(ms);
        work.progress({ done, total: 5 });
        shown.push(at.job.results[0]?.units[0]?.progress?.done);
      }
      return good();
    });

    expect(shown).toEqual([1, 2, 3, 4, 5]);
    expect(at.log.filter(([what]) => what === 'progress')).toEqual([
      ['progress', key(0), { done: 2, total: 5 }],
      ['progress', key(0), { done: 4, total: 5 }],
    ]);
    expect(at.job.results[0]?.units[0]).toMatchObject({ outcome: 'effective', progress: { done: 5 } });
  });
});

describe('a device is left', () => {
  const three = () => running([unit('0'), unit('1'), unit('2')]);

  it('where it cannot be worked on further, and not where one unit fails', async () => {
    const stopped = three();
    expect(await stopped.turn(() => Promise.resolve({ outcome: 'failed', stop: LOST }))).toBe(false);
    expect(stopped.outcomes()).toEqual(['failed', 'pending', 'pending']);
    expect(stopped.job.results[0]).toMatchObject({ state: 'failed', error: { code: 'connection-lost' } });
    expect(stopped.job.results[0]?.units[0]).not.toHaveProperty('stop');

    const failed = three();
    const went = await failed.turn(({ detail: { file } }) => {
      if (file === '0') throw userError('not-allowed', say('device-gone'));
      return good();
    });
    expect(went).toBe(false);
    expect(failed.job.results[0]?.units).toMatchObject([
      { outcome: 'failed', error: { code: 'not-allowed' } },
      { outcome: 'effective' },
      { outcome: 'effective' },
    ]);
    expect(failed.job.results[0]).not.toHaveProperty('error');
  });

  // Would catch: a cancel that is only noticed when the device is through, or that makes a device look broken.
  it('where somebody stopped the job, between two units or in one', async () => {
    const between = three();
    await between.turn(() => {
      between.job.cancel();
      return good();
    });
    const within = three();
    await within.turn(() => {
      within.job.cancel();
      return good('pending');
    });

    expect(between.outcomes()).toEqual(['effective', 'pending', 'pending']);
    expect(within.outcomes()).toEqual(['pending', 'pending', 'pending']);
    for (const { job } of [between, within]) {
      expect(job.results[0]?.state).toBe('pending');
      expect(job.results[0]).not.toHaveProperty('error');
    }
  });

  it('not because a unit leaves itself for later', async () => {
    const at = three();
    await at.turn(({ detail: { file } }) => good(file === '0' ? 'pending' : 'effective'));

    expect(at.outcomes()).toEqual(['pending', 'effective', 'effective']);
  });
});

describe('a stored job', () => {
  const device = (deviceId: string, outcomes: readonly UnitOutcome[], extra: object = {}) =>
    ({
      position: 0,
      deviceId,
      name: deviceId,
      url: deviceId === '' ? '' : `http://${deviceId}`,
      state: 'failed',
      document: {},
      units: outcomes.map((outcome, index) => ({
        key: key(index),
        label: `Send ${index}`,
        outcome,
        detail: { file: String(index) },
        document: () => ({ bytes: 7 }),
        ...extra,
      })),
    }) as unknown as StoredDevice<Files>;
  async function resumed(devices: readonly StoredDevice<Files>[]) {
    const at = running([unit('0'), unit('1')]);
    const seen: unknown[] = [];
    const kind = kindOf((one, place) => {
      seen.push([one.key.index, one.document, one.progress, place.deviceId, place.url]);
      return good();
    });
    const turns = kind.resume({ devices } as unknown as StoredJob<Files>, {
      secrets: undefined,
      options: {},
    });
    for (const { turn } of turns) await turn(at.context);
    return { at, seen, positions: turns.map(({ position }) => position) };
  }

  // Would catch: a file sent twice, one sent to the address that the device had last week, a step of the site that looks for a device.
  it('goes on with what is left, where the device is now', async () => {
    const progress = { done: 3 };
    const { seen, positions } = await resumed([
      device('gate', ['effective', 'unknown'], { progress }),
      device('', ['pending']),
      device('door', ['effective']),
    ]);

    expect(positions).toEqual([0, 0]);
    expect(seen).toEqual([
      [1, { bytes: 7 }, progress, 'now gate', 'http://now'],
      [0, { bytes: 7 }, undefined, '', ''],
    ]);
  });

  it('says of a device that is no longer known that it is gone', async () => {
    const { at, seen } = await resumed([device('gone', ['pending'])]);

    expect(seen).toEqual([]);
    expect(at.job.results[0]).toMatchObject({ state: 'failed', error: { code: 'unknown-device' } });
  });
});
