/**
 * Jobs that are over, or whose process died: looked at, resumed, waited for and taken back; on a real
 * database, without a device.
 */
import { afterEach, beforeEach, describe, expect, it, vi, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { DeviceClients } from '#engine/device/client-types.ts';
import {
  createJobKinds,
  type JobKind,
  type JobTurn,
  type NewDevice,
  type ResumeRequest,
  type UndoRequest,
} from '#engine/jobs/job-kind.ts';
import { isUnfinished } from '#engine/jobs/job-state.ts';
import { Jobs, createJobId } from '#engine/jobs/jobs.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { release, takeOwnership } from '#engine/jobs/owner.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import { createDetail } from '#shared/details.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { ApplyOptions, Device, TemplateVariable, UnitOutcome, WorkEvent } from '#shared/model.ts';
import type { FollowUpRecord } from '#engine/jobs/types.ts';

const clock = { now: () => new Date(0), delay: () => Promise.resolve() };
const vault = {
  seal: (text: string) => Buffer.from(text),
  open: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
};
const never = new AbortController().signal;
const variable = { name: 'card', type: 'secret' } as TemplateVariable;

let store: Store;
/** Requests that the kind received. */
let resumed: ResumeRequest[];
let undone: (Pick<UndoRequest, 'named' | 'options'> & { readonly devices: readonly string[] })[];
let followed: (readonly [readonly string[], FollowUpRecord])[];
/** Turn of the devices that have one again. */
let turn: JobTurn;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  store = openStore(':memory:', { clock });
  [resumed, undone, followed] = [[], [], []];
  turn = settles('effective');
});
afterEach(async () => {
  store.close();
  vi.useRealTimers();
});

const any = z.looseObject({});
const plain: JobKind = {
  ...{ name: 'plain', whenBusy: 'wait', interrupted: 'pending' },
  schemas: () => ({ body: any, device: any, detail: any, unit: any }),
  resume(job, request) {
    resumed.push(request);
    return job.devices.filter(isUnfinished).map(({ position }) => ({ position, turn: at(position) }));
  },
};
const whole: JobKind = {
  ...{ ...plain, name: 'whole' },
  secretsFor: () => [variable],
  undo: {
    preview: (_job, { name }) => [
      { index: 0, set: 's', label: name, params: {}, outcome: 'effective', changes: [], lost: [] },
    ],
    begin(_job, { devices, named, options }) {
      undone.push({ named, options, devices: devices.map(({ name }) => name) });
      return newJob(createJobId(), [device('gate')], { options });
    },
  },
  followUp(_job, devices, record) {
    followed.push([devices.map(({ name }) => name), record]);
    return devices.map(({ position }) => at(position));
  },
};
const kinds = createJobKinds([plain, whole]);

/** The one turn, at a place. */
const at =
  (position: number): JobTurn =>
  (context) =>
    turn({ ...context, options: { concurrency: position } });
/** Makes a turn that gives the device's unit this outcome; the position travels as its concurrency. */
function settles(outcome: UnitOutcome): JobTurn {
  return ({ job, journal, clock: { now }, options: { concurrency: position = 0 } }) => {
    const result = { index: 0, label: 'Unit', outcome };
    job.unit(position, result);
    journal.settled({ jobId: job.id, position, index: 0 }, result, now().toISOString());
    journal.device(job.id, position, job.device(position, 'done'), now().toISOString());
    return Promise.resolve(true);
  };
}
const untilStopped: JobTurn = ({ job: { stopped } }) =>
  new Promise((resolve) => {
    stopped.addEventListener('abort', () => resolve(false));
  });

function open(): Jobs {
  const devices = {
    find: (id: string) => ({ id, name: id, url: `http://${id}` }) as Device,
    addTransient: () => {
      throw new Error('every device is known here');
    },
  };
  const saved = {
    mark: (all: readonly TemplateVariable[]) => all.map((one) => ({ ...one, saved: true as const })),
  };
  const clients = {} as DeviceClients;
  const jobs = new Jobs({
    store,
    clients,
    devices,
    testAfresh: () => {
      throw new Error('Nothing is tested.');
    },
    sites: { list: () => [] },
    kinds,
    saved,
    vault,
    clock,
    user: 'installer',
  });
  onTestFinished(() => jobs.close());
  return jobs;
}
const device = (name: string, extra: Partial<NewDevice> = {}): NewDevice => ({
  ...{ deviceId: name, name, url: `http://${name}`, state: 'pending' },
  units: [{ result: { index: 0, label: 'Unit', outcome: 'pending' } }],
  ...extra,
});
const newJob = (
  id: string,
  devices: readonly NewDevice[],
  { kind = 'whole', options = {} }: { readonly kind?: string; readonly options?: ApplyOptions } = {},
) => ({ id, kind, title: 'Work', about: {}, body: {}, options, devices });

/** Makes a job of these devices, each with the outcome of its unit. */
async function ended(
  jobs: Jobs,
  outcomes: Readonly<Record<string, UnitOutcome>>,
  kind?: string,
): Promise<string> {
  const devices = Object.entries(outcomes).map(([name, outcome], position) =>
    device(name, { turn: (context) => settles(outcome)({ ...context, options: { concurrency: position } }) }),
  );
  const id = createJobId();
  jobs.begin(newJob(id, devices, { ...(kind && { kind }) }));
  await toEnd(jobs, id);
  return id;
}
/** Makes a job of another process on the same data folder. */
function elsewhere(id: string, outcome: UnitOutcome = 'pending') {
  const owner = takeOwnership(`other ${id}`);
  const units = [{ result: { index: 0, label: 'Unit', outcome } }];
  new Journal(store, vault, kinds).create(newJob(id, [device('gate', { units })]), {
    owner,
    run: { kind: 'start', at: '2026-01-01T00:00:00.000Z', by: 'Émile' },
    mayWait: true,
  });
  return { die: () => release(owner) };
}
async function toEnd(jobs: Jobs, id: string): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of jobs.watch({ id }, never)) types.push(type);
  return types;
}
function shapeOf(throwing: () => unknown): unknown {
  try {
    return throwing();
  } catch (error) {
    return toErrorShape(error);
  }
}

describe('a job whose process died', () => {
  const id = 'j-1';
  // Would catch: work that is shown as under way, and can be neither stopped nor resumed, until the app is
  // started anew.
  it.each<[string, (jobs: Jobs) => unknown]>([
    ['listed', (jobs) => jobs.list()],
    ['shown', (jobs) => jobs.show({ id })],
    ['watched', (jobs) => jobs.watch({ id }, never).next()],
    ['searched for', (jobs) => jobs.search({})],
    ['exported', (jobs) => jobs.export({ query: {}, format: 'csv' })],
    ['read whole', (jobs) => jobs.stored(id)],
    ['previewed', (jobs) => jobs.resumePreview({ id })],
    ['looked at for restarts', (jobs) => jobs.rebootPending({ id })],
    ['waited for', (jobs) => shapeOf(() => jobs.followUp({ id }))],
    ['taken back', (jobs) => jobs.undo({ id })],
    ['gone on with', (jobs) => jobs.resume({ id })],
  ])('is over when it is %s', async (_how, look) => {
    const jobs = open();
    elsewhere(id).die();
    await look(jobs);
    const row = store.get<{ state: string; engine: string }>(
      "SELECT state, owner_engine AS engine FROM jobs WHERE id = 'j-1'",
    );
    expect(row?.state === 'interrupted' || row?.engine !== 'other j-1').toBe(true);
  });

  it('is watched to its end; one of another process as it stands', async () => {
    const jobs = open();
    const { die } = elsewhere(id);
    expect(await toEnd(jobs, id)).toEqual(['job']);
    die();
    expect(await toEnd(jobs, id)).toEqual(['job', 'end']);
  });
});

describe('a job that somebody works on', () => {
  // Would catch: two programs that write to one device, each with what it read before the other.
  it('is neither gone on with nor taken back nor waited for by another', () => {
    const jobs = open();
    const { die } = elsewhere('j-1', 'needs-reboot');
    for (const more of [
      () => jobs.resume({ id: 'j-1' }),
      () => jobs.undo({ id: 'j-1' }),
      () => jobs.followUp({ id: 'j-1' }),
      () => jobs.stored('j-1'),
    ])
      expect(shapeOf(more)).toMatchObject({
        code: 'not-available',
        detail: createDetail('job-busy-elsewhere', { id: 'j-1' }),
      });
    expect(jobs.cancel({ id: 'j-1' })).toEqual({ cancelled: false });
    expect(jobs.pause({ id: 'j-1' })).toEqual({ paused: false });
    die();
    expect([resumed, undone, followed]).toEqual([[], [], []]);
  });

  // Would catch: a Pause that the list of work shows half a second later, or for a job that is over.
  it('tells at once that it is paused and goes on; it is stopped once', async () => {
    const jobs = open();
    const id = createJobId();
    jobs.begin(newJob(id, [device('gate', { turn: untilStopped })]));
    const told: (boolean | undefined)[] = [];
    const leaving = new AbortController();
    const reading = (async () => {
      for await (const { jobs: all } of jobs.watchAll(leaving.signal) as AsyncIterable<WorkEvent>)
        told.push(all[0]?.paused);
    })();
    await vi.advanceTimersByTimeAsync(150);
    expect(jobs.unpause({ id })).toEqual({ unpaused: false });
    expect(jobs.pause({ id })).toEqual({ paused: true });
    await vi.advanceTimersByTimeAsync(110);
    expect(told).toEqual([undefined, true]);
    expect(jobs.unpause({ id })).toEqual({ unpaused: true });
    expect(jobs.cancel({ id })).toEqual({ cancelled: true });
    leaving.abort();
    await reading;
    await toEnd(jobs, id);
    expect(jobs.cancel({ id })).toEqual({ cancelled: false });
    expect(jobs.pause({ id })).toEqual({ paused: false });
  });
});

describe('a job that is gone on with', () => {
  // Would catch: a confirmation of what was seen a week ago that counts today; options of the first run that are lost; an
  // empty form of secrets that counts as all of them.
  it.each([
    [{}, undefined],
    [undefined, undefined],
    [{ card: '1' }, { card: '1' }],
  ])('keeps its options, and asks for what was confirmed anew (secrets %j)', async (secrets, given) => {
    const jobs = open();
    const id = createJobId();
    const options = { concurrency: 2, stopAfter: 1, acceptDrift: true };
    jobs.begin(newJob(id, [device('gate', { turn: untilStopped }), device('yard')], { options }));
    await vi.advanceTimersByTimeAsync(0);
    jobs.cancel({ id });
    await toEnd(jobs, id);

    expect(jobs.resumePreview({ id })).toMatchObject({
      devices: [{ name: 'gate', pending: 1 }, { name: 'yard' }],
      secrets: [{ name: 'card', saved: true }],
    });
    expect(jobs.resume({ id, options: { stopAfter: 3 }, ...(secrets && { secrets }) })).toEqual({
      ...{ jobId: id, resumed: true },
    });
    expect(resumed).toEqual([{ secrets: given, options: { concurrency: 2, stopAfter: 3 } }]);
    await toEnd(jobs, id);
    expect(jobs.stored(id).options).toEqual({ concurrency: 2, stopAfter: 3 });
    expect(jobs.show({ id })).toMatchObject({
      ...{ state: 'done', counts: { effective: 2 } },
      runs: [{ kind: 'start' }, { kind: 'resume', by: 'installer' }],
    });

    expect(jobs.resume({ id })).toEqual({ jobId: id, resumed: false });
    expect(resumed).toHaveLength(1);
  });

  // Would catch: a resumed job that waits ten minutes for a restart without a request to wait for it.
  it('waits for no restart that it did not wait for', async () => {
    const jobs = open();
    const id = createJobId();
    const first = device('gate', { turn: (context) => settles('needs-reboot')({ ...context, options: {} }) });
    jobs.begin(newJob(id, [first, device('yard', { turn: untilStopped })]));
    await vi.advanceTimersByTimeAsync(0);
    jobs.cancel({ id });
    await toEnd(jobs, id);
    jobs.resume({ id });
    await toEnd(jobs, id);
    expect(jobs.show({ id })).toMatchObject({ state: 'done', rebootPending: 1 });
    expect(followed).toEqual([]);
  });
});

describe('a restart that is waited for', () => {
  const outcomes = { gate: 'effective', yard: 'needs-reboot', door: 'needs-reboot' } as const;

  it('is that of the devices that wait, or of those among them that are chosen', async () => {
    const jobs = open();
    const id = await ended(jobs, outcomes);
    expect(jobs.rebootPending({ id }).map(({ name, units }) => [name, units])).toEqual([
      ['yard', 1],
      ['door', 1],
    ]);
    turn = settles('needs-reboot');
    expect(jobs.followUp({ id })).toEqual({ jobId: id, devices: 2 });
    await toEnd(jobs, id);
    turn = settles('effective');
    expect(jobs.followUp({ id: id.slice(0, 7), deviceIds: ['door'], waitSeconds: 0 })).toEqual({
      ...{ jobId: id, devices: 1 },
    });
    await toEnd(jobs, id);

    expect(followed).toEqual([
      [['yard', 'door'], { positions: [1, 2], waitSeconds: 600 }],
      [['door'], { positions: [2], waitSeconds: 0 }],
    ]);
    expect(jobs.rebootPending({ id })).toMatchObject([{ name: 'yard' }]);
    expect(open().rebootPending({ id })).toMatchObject([{ name: 'yard' }]);
    const { runs, state } = jobs.show({ id });
    expect([state, runs?.map(({ kind }) => kind)]).toEqual(['done', ['start', 'follow-up', 'follow-up']]);
    expect(shapeOf(() => jobs.followUp({ id, deviceIds: ['gate'] }))).toMatchObject({
      code: 'unknown-device',
    });
  });

  // Would catch: a restart that is waited for no more, or for devices that came back already, after the app was closed.
  it('is taken up again where the app was closed, for what still waits', async () => {
    const first = open();
    const id = await ended(first, outcomes);
    turn = (context) => (context.options.concurrency === 1 ? settles('effective') : untilStopped)(context);
    first.followUp({ id, waitSeconds: 7 });
    await vi.advanceTimersByTimeAsync(0);
    await first.close();

    const second = open();
    expect(second.show({ id })).toMatchObject({ state: 'interrupted', resumable: true });
    expect(second.resume({ id })).toEqual({ jobId: id, resumed: true });
    await vi.advanceTimersByTimeAsync(0);
    await second.close();

    // The job stays resumable, however often it is closed.
    const again = open();
    turn = settles('effective');
    expect(again.resume({ id })).toEqual({ jobId: id, resumed: true });
    await toEnd(again, id);
    const left = [['door'], { positions: [2], waitSeconds: 7 }];
    expect(followed.slice(1)).toEqual([left, left]);
    expect(again.show({ id })).toMatchObject({ state: 'done', counts: { effective: 3 } });
  });

  it.each([
    ['where none is due', 'whole', 'effective'],
    ['by a kind that has none', 'plain', 'needs-reboot'],
  ] as const)('is refused %s', async (_what, kind, outcome) => {
    const jobs = open();
    const id = await ended(jobs, { gate: outcome }, kind);
    expect(shapeOf(() => jobs.followUp({ id }))).toMatchObject({
      ...{ code: 'not-allowed', source: 'user' },
      detail: createDetail('nothing-waits', { id }),
    });
    expect(jobs.show({ id }).runs).toHaveLength(1);
  });
});

describe('a job that is taken back', () => {
  it('is so on all of its devices, or on those that somebody named', async () => {
    const jobs = open();
    const id = await ended(jobs, { gate: 'effective', yard: 'effective' });
    expect(jobs.undoPreview({ id, deviceIds: ['yard'] })).toMatchObject({
      job: { id },
      devices: [{ name: 'yard', url: 'http://yard', sections: [{ label: 'yard' }] }],
    });
    expect(jobs.undoPreview({ id })).toMatchObject({ possible: 2 });
    expect(jobs.targets({ id }).map(({ name, known }) => [name, known])).toEqual([
      ['gate', true],
      ['yard', true],
    ]);

    const { jobId } = jobs.undo({ id });
    jobs.undo({ id, deviceIds: ['yard'], options: { stopAfter: 1 } });
    expect(undone).toEqual([
      { named: false, options: {}, devices: ['gate', 'yard'] },
      { named: true, options: { stopAfter: 1 }, devices: ['yard'] },
    ]);
    expect(jobs.show({ id: jobId })).toMatchObject({ undoOf: id });
  });

  it('is refused by a kind that has no way back', async () => {
    const jobs = open();
    const id = await ended(jobs, { gate: 'effective' }, 'plain');
    expect(shapeOf(() => jobs.undo({ id }))).toMatchObject({
      ...{ code: 'not-allowed', source: 'user' },
      detail: createDetail('kind-without-undo'),
    });
  });
});
