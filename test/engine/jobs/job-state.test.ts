/** The state of a job, and whether work of it remains: a person relies on it after a bad night. */
import { describe, expect, it } from 'vitest';
import {
  IS_UNFINISHED,
  IS_WAITING,
  endState,
  isResumable,
  isUnfinished,
  isWaiting,
  computeTotals,
  listRemainingUnits,
  haveAllSucceeded,
} from '#engine/jobs/job-state.ts';
import type { DeviceResult, JobState, UnitOutcome, UnitProgress } from '#shared/model.ts';
import { UNIT_OUTCOMES } from '#shared/model/jobs.ts';
import { openStore } from '#engine/store/index.ts';
import { OUTCOMES } from '#shared/outcomes.ts';

const error = { code: 'timeout', source: 'device', message: 'm' } as const;
const unit = (outcome: UnitOutcome, progress?: UnitProgress) => ({
  label: 'L',
  outcome,
  ...(progress && { progress }),
});
function device(
  state: DeviceResult['state'],
  outcomes: readonly UnitOutcome[] = [],
  extra: object = {},
): DeviceResult {
  const units = outcomes.map((outcome) => unit(outcome));
  return { deviceId: 'd', name: 'D', url: 'http://d', state, units, ...extra } as unknown as DeviceResult;
}

describe('how a job ends', () => {
  it.each([
    ['done', ['done', 'done'], {}, 'done'],
    ['failed where one device is not as asked', ['done', 'failed'], {}, 'failed'],
    ['partial where a device had no turn', ['failed', 'pending'], {}, 'partial'],
    ['partial where a device had half of it', ['done', 'running'], {}, 'partial'],
    ['cancelled where a person stopped it', ['done', 'pending'], { cancelled: true }, 'cancelled'],
    ['interrupted where the app ended', ['done', 'pending'], { closing: true }, 'interrupted'],
    ['interrupted, cancelled or not', ['pending'], { closing: true, cancelled: true }, 'interrupted'],
    ['done although cancelled too late', ['done'], { cancelled: true }, 'done'],
  ] as const)('%s', (_what, states, ended, expected) => {
    expect(
      endState(
        states.map((state) => device(state)),
        { cancelled: false, closing: false, ...ended },
      ),
    ).toBe(expected);
  });
});

describe('a device', () => {
  it.each([
    ['refused', false],
    ['failed', false],
    ['unknown', false],
    ['blocked', false],
    ['ignored', false],
    ['pending', false],
    ['needs-reboot', true],
    ['accepted', true],
    ['effective', true],
    ['skipped', true],
    ['unchanged', true],
  ] as const)('of which a unit is %s went well: %s', (outcome, good) => {
    expect(haveAllSucceeded([unit('effective'), unit(outcome)])).toBe(good);
  });

  it.each([
    ['waits for its turn', device('pending', ['pending']), true, true],
    ['is at work', device('running', ['pending']), true, true],
    ['could not be worked on', device('failed', ['failed'], { error }), true, true],
    [
      'ended with an error and nothing left',
      device('failed', ['refused', 'effective'], { error }),
      false,
      false,
    ],
    ['ended with an error and was not planned', device('failed', [], { error }), true, true],
    ['is done', device('done', ['effective', 'unchanged']), false, false],
    ['failed for good', device('failed', ['failed', 'refused']), false, false],
    ['has a unit nobody knows the fate of', device('failed', ['effective', 'unknown']), false, true],
    ['has a unit that had no turn', device('failed', ['effective', 'pending']), false, true],
  ])('that %s', (_what, result, waits, unfinished) => {
    expect([isWaiting(result), isUnfinished(result)]).toEqual([waits, unfinished]);
  });

  // Would catch: what a job needs to go on wiped, or a job that offers nothing to go on with, because SQL concludes otherwise.
  it('waits and is unfinished for the database exactly where it does for the engine', () => {
    const store = openStore(':memory:', { clock: { now: () => new Date(), delay: () => Promise.resolve() } });
    const row = { id: 'j', kind: 'k', title: '', about: '{}', body: '{}', state: 'failed', created_at: '' };
    store.insert('jobs', { ...row, by_user: '', owner_process: 1, owner_engine: '', options: '{}' });
    const outcomes = [
      [],
      ...UNIT_OUTCOMES.map((one) => [one]),
      ...UNIT_OUTCOMES.map((one) => ['effective' as const, one]),
    ];
    const devices = (['pending', 'running', 'done', 'failed'] as const).flatMap((state) =>
      [undefined, error].flatMap((problem) =>
        outcomes.map((of) => device(state, of, problem && { error: problem })),
      ),
    );
    devices.forEach(({ state, error: problem, units }, position) => {
      const place = { job_id: 'j', position };
      const known = { device_id: 'd', name: 'D', url: 'http://d', document: '{}' };
      store.insert('job_devices', { ...place, ...known, state, error: JSON.stringify(problem) });
      units.forEach(({ outcome }, idx) =>
        store.insert('job_units', { ...place, idx, label: 'L', detail: '{}', outcome }),
      );
    });

    const found = store.all<{ readonly waits: number; readonly unfinished: number }>(
      `SELECT ${IS_WAITING} AS waits, ${IS_UNFINISHED} AS unfinished FROM job_devices AS d ORDER BY position`,
    );
    store.close();

    expect(found.map(({ waits, unfinished }) => [waits === 1, unfinished === 1])).toEqual(
      devices.map((one) => [isWaiting(one), isUnfinished(one)]),
    );
  });

  // Would catch: a door opened twice, or a write left out, because a job goes on with the wrong units.
  it.each([
    ['done', undefined, ['pending', 'unknown']],
    ['failed', undefined, ['pending', 'unknown']],
    ['failed', error, ['failed', 'pending', 'unknown']],
    ['pending', undefined, ['failed', 'pending', 'unknown']],
    ['running', undefined, ['failed', 'pending', 'unknown']],
  ] as const)('that is %s (error: %j) goes on with its units that are %j', (state, problem, expected) => {
    const outcomes = Object.keys(OUTCOMES).filter((outcome) => outcome !== 'unsupported') as UnitOutcome[];

    const left = listRemainingUnits(device(state, outcomes, problem && { error: problem }));

    expect(left.map(({ outcome }) => outcome).toSorted()).toEqual(expected);
  });
});

describe('a job can go on', () => {
  const none = { devices: 1, deviceCounts: {}, counts: {}, deviceWaits: false, rebootPending: 0 };

  it.each([
    ['where a unit had no turn', 'cancelled', { counts: { pending: 1 } }, false, true],
    ['where nobody knows the fate of a unit', 'failed', { counts: { unknown: 1 } }, false, true],
    ['where a device waits', 'interrupted', { deviceWaits: true }, false, true],
    ['where its restarts were cut off', 'failed', { rebootPending: 1 }, true, true],
    ['not for restarts that it was not asked for', 'failed', { rebootPending: 1 }, false, false],
    ['not where all restarts were seen', 'failed', {}, true, false],
    ['not where everything failed for good', 'failed', { counts: { failed: 2 } }, false, false],
    ['not while it is at work', 'running', { counts: { pending: 1 } }, false, false],
    ['not while it waits', 'waiting', { counts: { pending: 1 } }, false, false],
    ['not where it is done', 'done', { deviceWaits: true }, true, false],
  ] as const)('%s', (_what, state: JobState, totals, followedUp, expected) => {
    expect(isResumable(state, { ...none, ...totals }, followedUp)).toBe(expected);
  });
});

it('a job is counted by its devices and by their units', () => {
  expect(
    computeTotals([
      device('done', ['effective', 'needs-reboot', 'needs-reboot']),
      device('done', ['effective']),
      device('failed', ['refused']),
    ]),
  ).toEqual({
    devices: 3,
    deviceCounts: { 'needs-reboot': 1, done: 1, attention: 1 },
    counts: { effective: 2, 'needs-reboot': 2, refused: 1 },
    deviceWaits: false,
    rebootPending: 1,
  });
  expect(computeTotals([device('done', ['effective']), device('pending', ['pending'])]).deviceWaits).toBe(
    true,
  );
});

it('the progress of a job is that of all its units whose size is known', () => {
  const units = [
    unit('pending', { done: 3, total: 10 }),
    unit('effective', { done: 5, total: 5 }),
    unit('pending'),
  ];

  expect(computeTotals([device('running', [], { units }), device('done', ['effective'])]).progress).toEqual({
    done: 8,
    total: 15,
  });
});
