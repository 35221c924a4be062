/**
 * Beginning and resuming of a job that writes settings: the units and results of each device, and the secrets
 * that are asked for.
 */
import { describe, expect, it } from 'vitest';
import { Applying } from '#engine/apply/apply-kind.ts';
import {
  createPendingUnit,
  type Settings,
  type SettingsDevice,
  type SettingsJob,
} from '#engine/apply/settings-documents.ts';
import type { JobContext, JobTurn, NewJob } from '#engine/jobs/job-kind.ts';
import { hashTemplate } from '#engine/template/versions.ts';
import type { Operation } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { deviceError, userError } from '#shared/errors.ts';
import type { ApplyOptions, Device, Plan, PlanDevice, PlanSection } from '#shared/model.ts';
import { BASIC, LOCK, TEXT } from './two-sections.ts';

const KEY = { key: 'hunter22' };
const REASON = userError('unknown-device', say('device-gone')).shape;

const section = (
  index: number,
  state: PlanSection['state'],
  extra: Partial<PlanSection> = {},
): PlanSection => ({
  index,
  set: index === 0 ? BASIC : LOCK,
  label: `Section ${index}`,
  params: index === 0 ? { channelID: 1 } : {},
  optional: false,
  state,
  changes: [],
  adjustments: [],
  problems: [],
  ...extra,
});
type State = PlanSection['state'];
const planned = (name: string, [first, second]: readonly [State, State], extra: Partial<PlanDevice> = {}) =>
  ({
    deviceId: name,
    name,
    url: `http://${name}`,
    state: 'changes',
    sections: [section(0, first), section(1, second, { problems: second === 'blocked' ? [REASON] : [] })],
    group: 1,
    values: {},
    ...extra,
  }) satisfies PlanDevice;
const planOf = (devices: readonly PlanDevice[]): Plan => ({
  fieldwright: 'plan/1',
  id: 'p-1',
  createdAt: '2026-01-01T00:00:00.000Z',
  template: { name: 'Both', hash: hashTemplate(TEXT), text: TEXT, id: 't-7' },
  devices,
  groups: [],
  counts: { changes: 0, adjusted: 0, unchanged: 0, blocked: 0, unsupported: 0, failed: 0 },
});

const CLOCK = { now: () => new Date(0), delay: () => Promise.resolve() };
/** Answers nothing; says what it is asked. */
const clientOf = (name: string, reads: string[]) => ({
  read(operation: Operation) {
    reads.push(`${name} ${operation.id}`);
    return Promise.reject(deviceError('unreachable', say('device-gone')));
  },
});

function open() {
  const reads: string[] = [];
  const find = (name: string): Device => {
    if (name.includes('gone')) throw userError('unknown-device', say('device-gone'));
    return { id: name, name, url: `http://${name}`, profile: {} } as Device;
  };
  const applying = new Applying({
    finder: { find, addTransient: ({ url }) => find(url) },
    canSeal: () => undefined,
    isChangedSince: () => false,
    onRestarted: () => undefined,
    saved: { fillFor: (_text, given) => given },
    vault: {
      seal: (text) => Buffer.from(text, 'utf8').toReversed(),
      open: (bytes) => Buffer.from(bytes.toReversed()).toString('utf8'),
    },
    planning: {
      clients: { get: (id: string) => clientOf(`planning ${id}`, reads) },
      clock: CLOCK,
    } as never,
  });
  const asked: unknown[] = [];
  let begun: NewJob | undefined;
  const start = (
    devices: readonly PlanDevice[],
    secrets: Record<string, string> | 'none' = KEY,
    extra: { readonly options?: ApplyOptions } = {},
    known: Record<string, string> = KEY,
  ): NewJob => {
    applying.start(
      { planId: 'p-1', ...extra, ...(secrets === 'none' ? {} : { secrets }) },
      {
        jobs: { begin: (job) => ({ jobId: (begun = job).id }) },
        plans: {
          get: () => planOf(devices),
          secretsOf: (_plan, given) => {
            asked.push(given);
            return given ?? known;
          },
        },
        savedAs: () => ({ id: 't-7', version: 4 }),
      },
    );
    if (begun === undefined) throw new Error('nothing began');
    return begun;
  };
  /** Takes a turn whose device does not answer; returns its reads and its reports. */
  const took = async (turn: JobTurn | undefined) => {
    const told: unknown[] = [];
    const context = {
      job: {
        ...{ id: 'j-1', stopped: new AbortController().signal, results: [], phase: () => undefined },
        device: (...one: unknown[]) => told.push(one),
      },
      ...{ options: {}, clock: CLOCK, journal: { device: () => undefined } },
      clients: { get: (id: string) => clientOf(id, reads) },
    } as unknown as JobContext;
    return { good: await turn?.(context), told, reads: reads.splice(0) };
  };
  return { applying, start, asked, took };
}

/** Makes a journal's job none of whose devices had its turn. */
function stored({ id, body }: NewJob, names: readonly string[], state: State = 'changes'): SettingsJob {
  const devices = names.map((name, position): SettingsDevice => ({
    position,
    deviceId: name,
    name,
    url: `http://${name}`,
    state: 'pending',
    document: { values: {} },
    units: [0, 1].map((index) => {
      const { set, params, label, changes } = section(index, state);
      return {
        key: { jobId: id, position, index },
        label,
        outcome: 'pending',
        detail: { set, params, changes: [...changes] },
        document: () => createPendingUnit(section(index, index === 1 ? state : 'changes')).document as never,
        documents: () => ({}),
        attempts: 0,
        hasBefore: false,
      };
    }),
  }));
  return {
    id,
    kind: 'apply',
    title: 'Both',
    about: {},
    state: 'interrupted',
    options: {},
    source: () => undefined,
    body: body as Settings['body'],
    devices,
  };
}
const code = (is: string) =>
  expect.objectContaining({ shape: expect.objectContaining({ code: is }) as unknown }) as Error;

describe('a job', () => {
  it('is about its template, as it was saved; it keeps the text, and no secret', () => {
    const { start, asked } = open();
    const job = start([planned('a', ['changes', 'changes'])], {});

    expect(job).toMatchObject({
      id: expect.stringMatching(/^j-/) as unknown,
      kind: 'apply',
      title: 'Both',
      about: { template: { name: 'Both', hash: hashTemplate(TEXT), id: 't-7', version: 4 } },
      subject: 't-7',
      body: {
        planId: 'p-1',
        templateText: TEXT,
        backwards: false,
        secretsCheck: expect.any(String) as unknown,
      },
    });
    expect(JSON.stringify(job)).not.toContain(KEY.key);
    // The secrets of the plan are used if none are typed.
    expect(asked).toEqual([undefined]);
    expect(start([planned('a', ['changes', 'changes'])]).devices[0]?.turn).toBeDefined();
    start([planned('a', ['changes', 'changes'])], 'none');
    expect(asked.slice(1)).toEqual([KEY, undefined]);
  });

  // Would catch: a canary that tries nothing, so that the first real write goes to the whole site.
  it.each([
    ['changes', false],
    ['adjusted', false],
    ['unchanged', true],
  ] as const)('whose device is %s there changes nothing: %s', (state, changesNothing) => {
    const [device] = open().start([planned('a', [state, 'unchanged'], { state })]).devices;

    expect(device).toMatchObject({
      state: 'pending',
      changesNothing,
      url: 'http://a',
      units: [{ result: { outcome: 'pending' } }, { result: { outcome: 'pending' } }],
    });
    expect(device).not.toHaveProperty('idle');
  });

  // Would catch: a device of one run that a later resume cannot reach, or gives the values of another; a turn in name alone.
  it('keeps how each device is reached and its values, and reads it in its turn', async () => {
    const { start, took } = open();
    const [device] = start([planned('a', ['changes', 'changes'], { values: { meters: 4 } })]).devices;

    expect(device).toMatchObject({ connection: { profile: {} }, document: { values: { meters: 4 } } });
    expect(await took(device?.turn)).toEqual({
      good: false,
      reads: [`a ${BASIC}.get`, `a ${LOCK}.get`],
      told: [
        [0, 'running', undefined],
        [0, 'failed', expect.objectContaining({ code: 'unreachable' })],
      ],
    });
  });

  // Would catch: a device shown as done although a setting on it was held back, or one that waits for a turn
  // that never comes.
  it.each([
    ['held back by another section', ['unsupported', 'blocked'], {}, 'failed', ['failed', 'blocked']],
    [
      'left out with what is blocked',
      ['unchanged', 'blocked'],
      { leaveOutBlocked: true },
      'done',
      ['unchanged', 'skipped'],
    ],
    ['blocked', ['unchanged', 'blocked'], {}, 'failed', ['unchanged', 'blocked']],
  ] as const)('tells at once of a device without a turn: %s', (_what, sections, options, state, outcomes) => {
    const [device] = open().start([planned('a', sections, { state: 'blocked' })], KEY, { options }).devices;

    expect(device).toMatchObject({ state, idle: true });
    expect(device).not.toHaveProperty('turn');
    expect(device?.units.map(({ result }) => result.outcome)).toEqual(outcomes);
    expect(device?.units[1]?.result).toMatchObject({ error: REASON });
  });

  it('tells of a device that could not be planned why, and what would have been written is held back', () => {
    const [device] = open().start([
      planned('a', ['changes', 'unchanged'], { state: 'failed', error: REASON }),
    ]).devices;
    expect(device).toMatchObject({
      state: 'failed',
      idle: true,
      error: REASON,
      units: [{ result: { outcome: 'blocked' } }, { result: { outcome: 'unchanged' } }],
    });
    expect(
      open().start([planned('a', ['unchanged', 'unchanged'], { state: 'failed' })]).devices[0]?.state,
    ).toBe('failed');
  });
});

describe('the secrets of a job', () => {
  const two = [planned('a', ['changes', 'changes'])];
  const resume = (
    { applying }: ReturnType<typeof open>,
    job: SettingsJob,
    secrets?: Record<string, string>,
  ) => applying.kinds.apply.resume(job, { secrets, options: {} });

  // Would catch: a password typed anew for every device that was away, or one that stays in memory when no
  // work remains.
  it('are remembered until nothing is left of it', () => {
    const at = open();
    const job = stored(at.start(two), ['a']);

    expect(resume(at, job)).toHaveLength(1);
    at.applying.kinds.apply.ended?.(job.id, false);
    expect(resume(at, job)).toHaveLength(1);
    at.applying.kinds.apply.ended?.(job.id, true);
    expect(() => resume(at, job)).toThrow(code('undefined-variable'));
    expect(resume(at, job, KEY)).toHaveLength(1);
    expect(resume(at, job)).toHaveLength(1);
    expect(() => resume(at, job, { key: 'hunter23' })).toThrow(code('not-allowed'));
  });

  it('are those of the last twenty jobs', () => {
    const at = open();
    const jobs = Array.from({ length: 21 }, () => stored(at.start(two), ['a']));

    expect(() => resume(at, jobs[0] as SettingsJob)).toThrow(code('undefined-variable'));
    expect(resume(at, jobs[1] as SettingsJob)).toHaveLength(1);
    expect(resume(at, jobs[20] as SettingsJob)).toHaveLength(1);
    // A job without secrets takes no other job's place.
    for (let other = 0; other < 20; other += 1) at.start([planned('a', ['changes', 'blocked'])], {}, {}, {});
    expect(resume(at, jobs[1] as SettingsJob)).toHaveLength(1);
  });

  // Would catch: a person asked for a password that nothing needs, or a job that goes on and fails for want of one.
  it('are asked for where one is still to be written', () => {
    const at = open();
    const begun = at.start(two);
    const secretsFor = (job: SettingsJob, devices = job.devices) =>
      at.applying.kinds.apply.secretsFor?.(job, devices).map(({ name }) => name);

    expect(secretsFor(stored(begun, ['a', 'b']))).toEqual(['key']);
    expect(secretsFor(stored(begun, ['a', 'b'], 'blocked'))).toEqual([]);
    expect(secretsFor(stored(begun, ['a']), [])).toEqual([]);
    expect(
      secretsFor({
        ...stored(begun, ['a']),
        body: { planId: '', templateText: 'name: Bad', backwards: false },
      }),
    ).toEqual([]);
  });
});

// Would catch: a job of a hundred devices that cannot go on because one of them was taken out of the list.
it('a device that is no longer known fails in its turn, the others have theirs, one that is through has none', async () => {
  const at = open();
  const begun = stored(at.start([planned('a', ['changes', 'changes'])]), ['gone', 'a', 'finished', 'away']);
  const job = {
    ...begun,
    devices: begun.devices.map((device) => {
      if (device.name === 'away') return { ...device, units: [] };
      if (device.name !== 'finished') return device;
      const units = device.units.map((unit) => ({ ...unit, outcome: 'effective' as const }));
      return { ...device, state: 'done' as const, units };
    }),
  };
  const { apply, undo } = at.applying.kinds;
  const turns = apply.resume(job, { secrets: KEY, options: {} });

  expect(turns.map(({ position }) => position)).toEqual([0, 1, 3]);
  const taken = [];
  for (const { turn } of turns) taken.push(await at.took(turn));
  expect(taken).toMatchObject([
    { good: false, reads: [], told: [[0, 'failed', { code: 'unknown-device' }]] },
    {
      good: false,
      reads: [`a ${BASIC}.get`, `a ${LOCK}.get`],
      told: [
        [1, 'running', undefined],
        [1, 'failed', { code: 'unreachable' }],
      ],
    },
    // The device was in no plan.
    { good: false, reads: [`planning away ${BASIC}.get`, `planning away ${LOCK}.get`] },
  ]);
  expect(() => undo.resume(job, { secrets: undefined, options: {} })).toThrow(code('storage-damaged'));
});

describe('the kinds that write settings', () => {
  // Would catch: two jobs that replace whole documents of one device in turn, each with what it read before the other;
  // a write that was under way at a crash taken for one that was not begun.
  it('take a device that is free, and do not know what became of a write that was cut off', () => {
    const { apply, undo } = open().applying.kinds;
    expect([apply, undo].map(({ name, whenBusy, interrupted }) => [name, whenBusy, interrupted])).toEqual([
      ['apply', 'refuse', 'unknown'],
      ['undo', 'refuse', 'unknown'],
    ]);
  });

  it('tell the history each change by its place, and of a section without any the section', () => {
    const { apply } = open().applying.kinds;
    const change = { path: 'distance', label: 'Distance', from: 5, to: 3 };
    const detail = { set: BASIC, params: { channelID: 1 }, changes: [change, { path: 'key', label: 'Key' }] };
    const place = { section: BASIC, params: { channelID: 1 } };

    expect(apply.history?.rows(detail, 'Basic')).toEqual([
      { ...place, path: 'distance', label: 'Basic › Distance', from: 5, to: 3 },
      { ...place, path: 'key', label: 'Basic › Key' },
    ]);
    expect(apply.history?.rows({ ...detail, changes: [] }, 'Basic')).toEqual([{ ...place, label: 'Basic' }]);
    expect(apply.history?.words?.(detail)).toBe(BASIC);
  });

  // Would catch: a damaged line of the journal that ends a screen, instead of being reported as damaged.
  it.each([
    ['detail', { set: BASIC, params: {}, changes: [{}] }, true],
    ['detail', { set: BASIC, params: {}, changes: [null] }, false],
    ['detail', { set: BASIC, params: {}, changes: ['distance'] }, false],
    ['detail', { set: BASIC, params: null, changes: [] }, false],
    ['detail', { set: BASIC, params: 'channelID', changes: [] }, false],
    ['unit', { planned: [], confirmed: {} }, true],
    ['unit', { planned: [], confirmed: 3 }, false],
  ] as const)('take from the journal as their %s %j: %s', (place, kept, taken) => {
    const { apply, undo } = open().applying.kinds;
    for (const { schemas } of [apply, undo]) expect(schemas()[place].safeParse(kept).success).toBe(taken);
  });

  // Would catch: an undo in the list of jobs that takes nothing back.
  it('take nothing back where nothing was written', () => {
    const at = open();
    const job = stored(at.start([planned('a', ['changes', 'changes'])]), ['a']);
    for (const { undo } of Object.values(at.applying.kinds)) {
      expect(job.devices.map((device) => undo?.preview(job, device))).toEqual([[]]);
      expect(() => undo?.begin(job, { devices: job.devices, named: false, options: {} })).toThrow(
        code('not-allowed'),
      );
    }
  });

  it('wait for the restarts of devices, a turn each', () => {
    const at = open();
    const job = stored(at.start([planned('a', ['changes', 'changes'])]), ['a', 'b']);
    const record = { positions: [0, 1], waitSeconds: 60 };
    for (const kind of Object.values(at.applying.kinds))
      expect(kind.followUp?.(job, job.devices, record)).toHaveLength(2);
  });
});
