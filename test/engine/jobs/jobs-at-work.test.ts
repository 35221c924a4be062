/**
 * The jobs of one engine between its memory and the journal, on a real database: their owners, devices and
 * events.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createJobRows } from '#engine/jobs/job-rows.ts';
import { createJobKinds, type JobContext, type JobTurn, type NewDevice } from '#engine/jobs/job-kind.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { JobsAtWork, type JobsAtWorkOptions } from '#engine/jobs/jobs-at-work.ts';
import { release, takeOwnership } from '#engine/jobs/owner.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { ApplyOptions, WorkEvent } from '#shared/model.ts';

const clock = { now: () => new Date(0), delay: () => Promise.resolve() };
const any = z.looseObject({});
const kinds = createJobKinds([
  {
    name: 'count',
    whenBusy: 'wait',
    interrupted: 'unknown',
    schemas: () => ({ body: any, device: any, detail: any, unit: any }),
    resume: () => [],
  },
]);
const vault = { seal: () => new Uint8Array() };

let store: Store;
/** Another engine on the same data folder, as alive as this one. */
let other: ReturnType<typeof takeOwnership>;
beforeEach(() => {
  vi.useFakeTimers();
  store = openStore(':memory:', { clock });
  other = takeOwnership('other');
});
afterEach(() => {
  release(other);
  store.close();
  vi.useRealTimers();
});
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

function open() {
  const failures: string[] = [];
  const jobs = new JobsAtWork(
    {
      store,
      kinds,
      vault,
      clock,
      clients: {} as JobsAtWorkOptions['clients'],
      user: 'installer',
      onFailure: (error) => failures.push((error as Error).message),
    },
    createJobRows(store, kinds),
  );
  return { jobs, failures };
}
const done: JobTurn = ({ job }) => {
  job.device(0, 'done');
  return Promise.resolve(true);
};
const device = (name: string, turn?: JobTurn, extra: Partial<NewDevice> = {}): NewDevice => ({
  deviceId: name,
  name,
  url: `http://${name}`,
  state: 'pending',
  units: [{ result: { index: 0, label: 'Count', outcome: 'pending' } }],
  ...removeUndefined({ turn }),
  ...extra,
});
const job = (id: string, devices: readonly NewDevice[], options: ApplyOptions = {}) => ({
  ...{ id, kind: 'count', title: 'Count', about: {}, body: {} },
  options: { concurrency: 1, ...options },
  devices,
});
function shapeOf(throwing: () => void): unknown {
  try {
    throwing();
  } catch (error) {
    return toErrorShape(error);
  }
  return undefined;
}
const rows = () => createJobRows(store, kinds);
/** Begins a job in the other engine. */
function elsewhere(id: string, name: string): void {
  new Journal(store, vault, kinds).create(job(id, [device(name)]), {
    owner: other,
    run: { kind: 'start', at: '2026-01-01T00:00:00.000Z', by: 'Émile' },
    mayWait: true,
  });
}

describe('a job', () => {
  // Would catch: a canary without information because nothing changes on it, an unrequested order, devices of
  // no work shuffled; a device without work that gets some.
  it.each([
    [1, ['gate', 'yard', 'same', 'alike']],
    [undefined, ['same', 'gate', 'alike', 'yard']],
  ])('with a canary of %s has its turns in order', async (canary, order) => {
    const { jobs } = open();
    const turns: string[] = [];
    const named = (name: string, changesNothing: boolean) =>
      device(name, (context) => (turns.push(name), done(context)), { changesNothing });
    jobs.begin(
      job(
        'j-1',
        [
          named('same', true),
          named('gate', false),
          device('off'),
          named('alike', true),
          named('yard', false),
        ],
        {
          ...removeUndefined({ canary }),
        },
      ),
    );
    await pass();

    expect(turns).toEqual(order);
    expect(
      rows()
        .show('j-1')
        .results.map(({ name }) => name),
    ).toEqual(['same', 'gate', 'off', 'alike', 'yard']);
  });

  // Would catch: an undo whose page does not lead to what it takes back while it runs, and when it goes on.
  it('knows what it takes back, from its begin and when it goes on', async () => {
    const { jobs } = open();
    jobs.begin({ ...job('j-2', [device('gate', done)]), undoOf: 'j-1' });
    expect(jobs.known('j-2')?.snapshot().undoOf).toBe('j-1');
    await pass();

    jobs.continue(rows().show('j-2'), { kind: 'resume', waiting: [0] }, { turns: [done], options: {} });
    expect(jobs.known('j-2')?.snapshot()).toMatchObject({ undoOf: 'j-1', state: 'running' });
    await pass();
  });

  // Would catch: two windows that resume a job at the same moment, and both write to its devices.
  it('that somebody went on with meanwhile is not gone on with', async () => {
    const { jobs } = open();
    jobs.begin(job('j-1', [device('gate', done)]));
    await pass();
    const seen = rows().show('j-1');
    const more = (): void =>
      jobs.continue(seen, { kind: 'resume', waiting: [0] }, { turns: [done], options: {} });
    more();
    await pass();

    expect(rows().show('j-1').state).toBe('done');
    expect(shapeOf(more)).toMatchObject({
      code: 'not-available',
      source: 'user',
      detail: { id: 'job-busy-elsewhere', values: { id: 'j-1' } },
    });
  });
});

describe('a job whose engine died', () => {
  // Would catch: a device that stays busy, or a list that shows work, for a job without a worker.
  it('is at work no more: for an engine that is opened, for a list, for a new job', async () => {
    elsewhere('j-1', 'gate');
    release(other);
    const { jobs } = open();
    expect(rows().atWork()).toEqual([]);

    other = takeOwnership('other');
    elsewhere('j-2', 'gate');
    release(other);
    const { value } = await jobs.list.watch(new AbortController().signal).next();
    expect(value?.jobs).toEqual([]);

    other = takeOwnership('other');
    elsewhere('j-3', 'gate');
    release(other);
    expect(jobs.begin(job('j-4', [device('gate', done)], { wait: false }))).toEqual({ jobId: 'j-4' });
    await pass();
  });

  // Would catch: a job that waits for ever behind one that died without a report.
  it('is waited for no longer', async () => {
    elsewhere('j-1', 'gate');
    const { jobs } = open();
    jobs.begin(job('j-2', [device('gate', done)]));
    await pass(500);
    expect(jobs.known('j-2')?.snapshot()).toMatchObject({ state: 'waiting', waitsFor: 'j-1' });

    release(other);
    await pass(500);
    expect(jobs.known('j-2')?.snapshot().state).toBe('done');
  });

  // Would catch: a button for another program on a job that is over.
  it('was elsewhere as long as it ran', async () => {
    elsewhere('j-1', 'gate');
    const { jobs } = open();
    const told: WorkEvent[] = [];
    const leaving = new AbortController();
    const reading = (async () => {
      for await (const event of jobs.list.watch(leaving.signal)) told.push(event);
    })();
    await pass();
    release(other);
    await pass(600);
    leaving.abort();
    await reading;

    expect(told.map((event) => event.jobs)).toMatchObject([[{ id: 'j-1', elsewhere: true }], []]);
    expect(told.map((event) => event.ended)).toMatchObject([[], [{ id: 'j-1', state: 'interrupted' }]]);
    expect(told[1]?.ended[0]).not.toHaveProperty('elsewhere');
  });
});

describe('closing', () => {
  // Would catch: results that came last, lost with the window; jobs of a closed engine that no process may
  // resume; work begun after it.
  it('writes what still waits, gives up what it owns, and begins nothing more', async () => {
    const { jobs } = open();
    let given: JobContext | undefined;
    jobs.begin(job('j-1', [device('gate', (context) => ((given = context), done(context)))]));
    await pass();
    given?.journal.device('j-1', 0, { state: 'failed' }, '');
    await jobs.close();

    expect(rows().show('j-1').results).toMatchObject([{ state: 'failed' }]);
    expect(shapeOf(() => jobs.begin(job('j-2', [device('gate', done)])))).toMatchObject({
      code: 'not-available',
      source: 'app',
      detail: { id: 'closing' },
    });
    expect(rows().list()).toHaveLength(1);
  });

  // Would catch: an app that does not quit, or does not show its jobs, because the disk is full; a job that stays at work for good then.
  it('on a full disk says so, and leaves its job to who comes next', async () => {
    const { jobs, failures } = open();
    let given: JobContext | undefined;
    store.run("CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    jobs.begin(job('j-1', [device('gate', (context) => ((given = context), done(context)))]));
    await pass();
    expect(failures.splice(0)).toEqual([expect.stringContaining('disk full')]);
    jobs.settleInterrupted();
    expect(failures.splice(0)).toEqual([expect.stringContaining('disk full')]);
    store.run("CREATE TRIGGER too BEFORE UPDATE ON job_devices BEGIN SELECT RAISE(ABORT, 'no place'); END");
    given?.journal.device('j-1', 0, { state: 'failed' }, '');
    await jobs.close();
    expect(failures).toEqual([expect.stringContaining('no place')]);

    store.run('DROP TRIGGER full');
    store.run('DROP TRIGGER too');
    expect(rows().atWork()).toEqual(['j-1']);
    open();
    expect(rows().show('j-1').state).toBe('interrupted');
  });
});

describe('a job that another program takes over', () => {
  // Would catch: two programs write to one device, or the results of the slower one replace those of the other.
  it('begins nothing more here, and its results no longer count', async () => {
    const { jobs, failures } = open();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const errors: string[] = [];
    const turn: JobTurn = async ({ job: live, journal }) => {
      asked.resolve();
      await answer.promise;
      const unit = { index: 0, label: 'Count', outcome: 'pending' } as const;
      await journal
        .intent({ jobId: live.id, ...{ position: 0, index: 0 } }, unit, 'now')
        .catch((error: unknown) => errors.push(toErrorShape(error).code));
      journal.settled(
        { jobId: live.id, ...{ position: 0, index: 0 } },
        { ...unit, outcome: 'effective' },
        'now',
      );
      live.device(0, 'done');
      return true;
    };
    jobs.begin(job('one', [device('gate', turn)]));
    await pass();
    await asked.promise;
    store.update('jobs', { owner_engine: 'other' }, { id: 'one' });

    answer.resolve();
    await pass(1_000);

    expect(errors).toEqual(['not-available']);
    expect(store.get('SELECT state, owner_engine AS owner FROM jobs')).toEqual({
      state: 'running',
      owner: 'other',
    });
    expect(store.get('SELECT outcome, phase FROM job_units')).toEqual({
      outcome: 'pending',
      phase: 'planned',
    });
    expect(failures).toEqual([]);
    await jobs.close();
  });

  it('is refused for one that runs here', async () => {
    const { jobs } = open();
    jobs.begin(job('one', [device('gate', done)]));

    expect(shapeOf(() => jobs.takeOver('one'))).toMatchObject({ code: 'not-available' });
    await pass();
    await jobs.close();
  });
});
