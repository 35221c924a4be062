/** Behaviour of the job frame for any kind of work, shown by one that knows no template. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { JobEvent, WorkEvent } from '#shared/model.ts';
import { BYTES, openJobs, type Step } from './counting-kind.ts';

type Opened = ReturnType<typeof openJobs>;

let dataDir = '';
const open: Opened[] = [];
/** Gates that a failed test would leave shut: closing waits for the step behind each. */
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-count-'));
});
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes a gate that is open when the test is over, however it ends. */
function shut() {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return { promise, letGo: () => resolve() };
}
/** Makes work whose every step waits until it is released. */
function gated() {
  const steps: Step[] = [];
  const { promise: gate, letGo } = shut();
  const arrived = Promise.withResolvers<void>();
  const opened = openJobs(dataDir, (step) => {
    steps.push(step);
    arrived.resolve();
    return gate;
  });
  open.push(opened);
  return { ...opened, steps, letGo, arrived: arrived.promise };
}
function free() {
  const steps: Step[] = [];
  const opened = openJobs(dataDir, (step) => {
    steps.push(step);
    return Promise.resolve();
  });
  open.push(opened);
  return { ...opened, steps };
}
async function end({ jobs }: Opened, id: string): Promise<void> {
  for await (const _event of jobs.watch({ id }, new AbortController().signal)) continue;
}

describe('a job that counts bytes', () => {
  // Would catch: a frame that still asks for a template, a device, or a section.
  it('is done, found by its file, its title and what it is about, and exported', async () => {
    const at = free();
    const id = at.begin(['gate', '']);
    await end(at, id);

    expect(at.jobs.show({ id })).toMatchObject({
      kind: 'count',
      title: 'Face model 7',
      state: 'done',
      counts: { effective: 2 },
      progress: { done: 2 * BYTES, total: 2 * BYTES },
    });
    expect(at.jobs.search({ text: 'FACE.BIN' }).jobs).toMatchObject([{ id }]);
    expect(at.jobs.search({ text: 'model 7', subject: 'package-7', kind: 'count' }).total).toBe(1);
    const { text } = at.jobs.export({ query: {}, format: 'json' });
    expect((JSON.parse(text) as { rows: unknown[] }).rows).toMatchObject([
      {
        kind: 'count',
        title: 'Face model 7',
        device: 'gate',
        section: 'face.bin',
        done: BYTES,
        total: BYTES,
      },
      { device: '', outcome: 'effective' },
    ]);
    expect(() => at.jobs.undo({ id })).toThrow('cannot be undone');
  });

  // Would catch: a unit's document that its kind calls sensitive, in the clear on the disk.
  it('keeps sealed what its kind says', async () => {
    const at = free();
    await end(at, at.begin(['gate']));

    const bytes = readdirSync(dataDir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(dataDir, name), 'latin1'));
    expect(bytes.join()).not.toContain('Underhill');
  });

  // Would catch: a transfer that begins anew with every cancel, or whose place is lost.
  it('goes on where it was stopped', async () => {
    const first = gated();
    const id = first.begin(['gate']);
    await first.arrived;
    first.jobs.cancel({ id });
    first.letGo();
    await end(first, id);

    expect(first.jobs.show({ id })).toMatchObject({
      state: 'cancelled',
      resumable: true,
      progress: { done: 10 },
    });
    const again = free();
    again.jobs.resume({ id });
    await end(again, id);
    // The kind's data for resuming is deleted when no work remains.
    expect([first.ended, again.ended]).toEqual([[[id, false]], [[id, true]]]);
    expect(again.jobs.cancel({ id })).toEqual({ cancelled: false });
    expect(again.steps.map(({ done }) => done)).toEqual([10, 20]);
    expect(again.jobs.show({ id })).toMatchObject({
      state: 'done',
      runs: [{ kind: 'start' }, { kind: 'resume' }],
    });
  });

  // Would catch: a pause that the next device does not notice.
  it('hands out no device while it is paused', async () => {
    const at = gated();
    const id = at.begin(['gate', 'door']);
    await at.arrived;
    expect(at.jobs.pause({ id }).paused).toBe(true);
    expect(at.jobs.list()).toMatchObject([{ id, paused: true }]);
    expect(at.jobs.search({}).jobs).toMatchObject([{ id, paused: true }]);
    at.letGo();
    for await (const event of at.jobs.watch({ id }, new AbortController().signal)) {
      if (event.type === 'device' && event.done === 1) break;
    }

    expect(at.steps.every(({ device }) => device === 'gate')).toBe(true);
    at.jobs.unpause({ id });
    await end(at, id);
    expect(at.jobs.show({ id })).toMatchObject({ state: 'done', counts: { effective: 2 } });
  });

  // Would catch: a device that was through, or failed for good, and is said to wait.
  it('shows the devices that have no turn again as they are', async () => {
    let reachable = false;
    const gate = shut();
    const at = openJobs(dataDir, ({ device }) =>
      device === 'door' && !reachable
        ? Promise.reject(new Error('the cable is out'))
        : reachable
          ? gate.promise
          : Promise.resolve(),
    );
    open.push(at);
    const id = at.begin(['gate', 'door', 'yard'], ['face.bin'], { stopAfter: 1 });
    await end(at, id);
    expect(at.jobs.show({ id })).toMatchObject({
      state: 'partial',
      results: [{ state: 'done' }, { state: 'failed' }, { state: 'pending' }],
    });

    reachable = true;
    at.jobs.resume({ id });
    const { results, runs, ...shown } = at.jobs.show({ id });
    gate.letGo();
    expect(shown).toMatchObject({ kind: 'count', title: 'Face model 7', by: 'installer' });
    expect(runs?.map(({ kind }) => kind)).toEqual(['start', 'resume']);
    expect(results.map(({ name, state }) => [name, state])).toEqual([
      ['gate', 'done'],
      ['door', 'failed'],
      ['yard', 'pending'],
    ]);
    await end(at, id);
  });

  // Would catch: work that begins while the window is closing and is never finished.
  it('is not begun and not resumed while the app closes', async () => {
    const at = gated();
    const id = at.begin(['gate']);
    await at.arrived;
    const closed = at.jobs.close();

    for (const more of [
      () => at.begin(['door']),
      () => at.jobs.resume({ id }),
      () => at.jobs.undo({ id }),
      () => at.jobs.followUp({ id }),
    ])
      expect(more).toThrow('closing');
    at.letGo();
    await closed;
    expect(at.jobs.list()).toMatchObject([{ id, state: 'interrupted', resumable: true }]);
  });

  // Would catch: work from before the crash done again, the unit that was under way forgotten, or a device
  // shown as failed while it is worked on again.
  it('is finished after its process was killed', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'counting-process.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    await once(child, 'exit');
    const id = line.toString('utf8').trim();

    const at = free();
    expect(at.jobs.show({ id })).toMatchObject({
      state: 'interrupted',
      resumable: true,
      counts: { effective: 1, pending: 1 },
    });
    expect(at.jobs.show({ id }).results[0]).toMatchObject({ state: 'failed', error: { source: 'app' } });
    expect(at.jobs.resume({ id })).toEqual({ jobId: id, resumed: true });
    const [again] = at.jobs.show({ id }).results;
    expect(again?.state).toBe('pending');
    expect(again).not.toHaveProperty('error');
    await end(at, id);
    expect(new Set(at.steps.map(({ file }) => file))).toEqual(new Set(['second.bin']));
    expect(at.jobs.show({ id })).toMatchObject({ state: 'done', counts: { effective: 2 } });
  });
});

describe('a job whose device is busy', () => {
  // Would catch: two jobs at once on one device, in one process or in two; or a later one that never starts.
  it('waits for its turn, says for whom, and starts by itself, across processes too', async () => {
    const one = gated();
    const other = free();
    const first = one.begin(['gate', 'door']);
    await one.arrived;
    const second = other.begin(['door', 'yard']);
    const third = other.begin(['lobby']);
    await end(other, third);

    expect(other.jobs.show({ id: third })).toMatchObject({ state: 'done' });
    expect(other.jobs.show({ id: second })).toMatchObject({ state: 'waiting', waitsFor: first });
    expect(one.jobs.show({ id: second })).toMatchObject({ state: 'waiting', waitsFor: first });
    expect(other.steps.every(({ device }) => device === 'lobby')).toBe(true);
    one.letGo();
    await end(other, second);
    expect(other.jobs.show({ id: second })).toMatchObject({ state: 'done', counts: { effective: 2 } });
    expect(one.jobs.show({ id: first })).toMatchObject({ state: 'done' });
  });

  // Would catch: a waiting job that can only be stopped by stopping the one before it.
  it('can be cancelled and resumed while it waits', async () => {
    const at = gated();
    const first = at.begin(['gate']);
    await at.arrived;
    const second = at.begin(['gate']);
    expect(() => at.begin(['gate'], ['face.bin'], { wait: false })).toThrow('is being worked on');
    expect(at.jobs.list()).toHaveLength(2);
    expect(at.jobs.cancel({ id: second })).toEqual({ cancelled: true });
    await end(at, second);

    expect(at.jobs.show({ id: second })).toMatchObject({ state: 'cancelled', resumable: true });
    at.jobs.resume({ id: second });
    expect(at.jobs.show({ id: second })).toMatchObject({ state: 'waiting', waitsFor: first });
    at.letGo();
    await end(at, second);
    expect(at.jobs.show({ id: second })).toMatchObject({ state: 'done' });
  });

  // Would catch: a rail that counts nothing, or a short job that ends unseen.
  it('is in the stream of all work, which tells what ended', async () => {
    const at = gated();
    const stop = new AbortController();
    const events: WorkEvent[] = [];
    const first = at.begin(['gate']);
    const second = at.begin(['gate']);
    for await (const event of at.jobs.watchAll(stop.signal)) {
      events.push(event);
      if (events.length === 1) at.letGo();
      if (events.flatMap(({ ended }) => ended).length === 2) stop.abort();
    }

    expect(events[0]?.jobs).toMatchObject([
      { id: first, state: 'running' },
      { id: second, state: 'waiting', waitsFor: first },
    ]);
    expect(events.flatMap(({ ended }) => ended)).toMatchObject([
      { id: first, state: 'done' },
      { id: second, state: 'done' },
    ]);
  });

  // Would catch: a button that pauses what only another program can pause, or a job resumed there that still looks ended here.
  it('is told apart where another process works on it', async () => {
    const one = gated();
    const other = free();
    const id = other.begin(['gate']);
    other.jobs.cancel({ id });
    await end(other, id);
    one.jobs.resume({ id });
    await one.arrived;
    const told: JobEvent[] = [];
    for await (const event of other.jobs.watch({ id }, new AbortController().signal)) told.push(event);
    expect(told).toMatchObject([{ type: 'job', job: { id, state: 'running', runs: [{}, {}] } }]);
    expect(other.jobs.show({ id }).state).toBe('running');
    expect(other.jobs.list()).toMatchObject([{ id, state: 'running' }]);
    expect(other.jobs.pause({ id })).toEqual({ paused: false });
    const [here, there] = await Promise.all(
      [one, other].map(({ jobs }) =>
        jobs.watchAll(new AbortController().signal)[Symbol.asyncIterator]().next(),
      ),
    );
    one.letGo();
    await end(one, id);

    expect(other.jobs.show({ id })).toMatchObject({ state: 'done', counts: { effective: 1 } });
    expect(here?.value?.jobs).toMatchObject([{ id, state: 'running' }]);
    expect(here?.value?.jobs[0]).not.toHaveProperty('elsewhere');
    expect(there?.value?.jobs).toMatchObject([{ id, state: 'running', elsewhere: true }]);
  });

  // Would catch: a page that redraws a list of a hundred jobs a hundred times.
  it('tells of many jobs that begin and end together in few events', async () => {
    const at = gated();
    at.letGo();
    const stop = new AbortController();
    let events = 0;
    let ended = 0;
    for await (const event of at.jobs.watchAll(stop.signal)) {
      if (events === 0) for (let job = 0; job < 60; job += 1) at.begin([`gate ${job}`]);
      events += 1;
      ended += event.ended.length;
      if (ended === 60) stop.abort();
    }

    expect(events).toBeLessThan(20);
  });
});
