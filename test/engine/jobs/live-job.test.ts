/** A job while it runs, by itself: what its watchers see, and what becomes of a device's turn. */
import { describe, expect, it, vi } from 'vitest';
import { refuseTurn, runTurn } from '#engine/jobs/device-turn.ts';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { LiveJob } from '#engine/jobs/live-job.ts';
import { runDevices } from '#engine/jobs/live-jobs.ts';
import { type ErrorShape, FieldwrightError } from '#shared/errors.ts';
import type { ApplyOptions, DeviceResult, JobEvent, UnitOutcome } from '#shared/model.ts';

const LATE: ErrorShape = { code: 'timeout', source: 'device', message: 'late' };
const STOPPED: ErrorShape = { code: 'cancelled', source: 'user', message: 'stopped' };
const never = new AbortController().signal;

function device(name: string, extra: Partial<DeviceResult> = {}): DeviceResult {
  return {
    deviceId: name,
    name,
    url: `http://${name}`,
    state: 'pending',
    units: [
      { index: 0, label: 'First', outcome: 'pending' },
      { index: 1, label: 'Second', outcome: 'pending' },
    ],
    ...extra,
  };
}
const outcomes = (...all: UnitOutcome[]) => ({
  units: all.map((outcome, index) => ({ index, label: '', outcome })),
});
const behind = (id: string) => ({ state: 'waiting', behind: id }) as const;
function open(
  devices: readonly DeviceResult[] = [device('gate'), device('door')],
  waitsFor?: string,
): LiveJob {
  const head = { id: 'j-1', kind: 'count', title: 'Count', about: {}, createdAt: '', by: 'me' };
  return new LiveJob({ ...head, runs: [], options: { canary: 1 } }, devices, {
    turn: waitsFor === undefined ? { state: 'running' } : behind(waitsFor),
  });
}
/** Returns all later events for a watcher, until the job ends or `signal` aborts. */
async function seen(job: LiveJob, signal = never): Promise<readonly JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of job.watch(signal)) events.push(event);
  return events;
}

describe('a watcher', () => {
  it('sees the job as it stands, every step, and the end', async () => {
    const job = open([
      device('gate', { state: 'failed', error: LATE }),
      device('door'),
      device('yard', { idle: true, state: 'done' }),
    ]);
    const watched = seen(job);
    job.device(0, 'running');
    job.phase(0, 1, 'writing');
    job.unit(0, { index: 1, label: 'Second', outcome: 'effective' });
    job.device(0, 'done');
    job.device(1, 'failed', LATE);
    job.end('failed', 'now');
    const events = await watched;

    expect(events[0]).toMatchObject({
      type: 'job',
      job: { state: 'running', results: [{ state: 'failed' }, {}, {}] },
    });
    expect(events.slice(1, -1)).toMatchObject([
      { type: 'device', device: { state: 'running' }, done: 0, total: 2 },
      { type: 'phase', jobId: 'j-1', deviceId: 'gate', index: 1, phase: 'writing' },
      { type: 'unit', jobId: 'j-1', deviceId: 'gate', result: { index: 1, outcome: 'effective' } },
      { type: 'device', device: { state: 'done' }, done: 1, total: 2 },
      { type: 'device', device: { error: LATE }, done: 2, total: 2 },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      job: {
        state: 'failed',
        endedAt: 'now',
        devices: 3,
        counts: { effective: 1, pending: 5 },
        resumable: true,
      },
    });
    // An error goes with a new turn; what a unit was is replaced, and no other.
    expect(job.results[0]).toEqual(
      device('gate', {
        state: 'done',
        units: [device('').units[0]!, { index: 1, label: 'Second', outcome: 'effective' }],
      }),
    );
  });

  // Would catch: a page that is opened while a device restarts for minutes and says nothing of it, or of one that is through.
  it('that comes late hears what is under way, and of an ended job its end alone', async () => {
    const job = open();
    job.phase(0, 0, 'reading');
    job.phase(0, 1, 'waiting');
    job.phase(1, 0, 'writing');
    job.device(0, 'running');
    job.device(1, 'done');
    const late = job.watch(never);
    expect((await late.next()).value).toMatchObject({ type: 'job' });
    expect((await late.next()).value).toEqual({
      type: 'phase',
      jobId: 'j-1',
      deviceId: 'gate',
      index: 1,
      phase: 'waiting',
    });
    job.end('failed', 'now');
    expect(await late.next()).toMatchObject({ value: { type: 'end' } });
    expect(await late.next()).toEqual({ done: true, value: undefined });
    expect((await seen(job)).map(({ type }) => type)).toEqual(['job', 'end']);
  });

  // Would catch: a browser that sleeps, and a queue that grows until the memory is full.
  it('that does not keep up gets the job as it stands instead of every step', async () => {
    const job = open();
    const slow = job.watch(never);
    await slow.next();
    for (let step = 0; step <= 5_000; step += 1)
      job.unit(0, { index: 1, label: 'Second', outcome: 'effective' });
    job.device(0, 'done');
    job.end('failed', 'now');
    const rest: JobEvent[] = [];
    for await (const event of slow) rest.push(event);

    expect(rest.map(({ type }) => type)).toEqual(['job', 'unit', 'device', 'end']);
  });

  // Would catch: thousands of phases a second that every window draws, one that comes after its result, and a
  // device that lasts in an unreported phase.
  it("hears of so many phases at once, and of more each device's latest, unless its result is there", async () => {
    vi.useFakeTimers();
    const job = open(['gate', 'lobby', 'door'].map((name) => device(name)));
    const watched = seen(job);
    for (let step = 0; step < 32; step += 1) job.phase(0, 0, 'reading');
    job.phase(0, 0, 'writing');
    job.phase(0, 1, 'reading');
    job.phase(1, 0, 'writing');
    job.unit(1, { index: 0, label: 'First', outcome: 'effective' });
    job.phase(2, 0, 'waiting');
    await vi.advanceTimersByTimeAsync(250);
    job.phase(2, 1, 'writing');
    job.end('failed', 'now');
    vi.useRealTimers();

    const told = (await watched).flatMap((event) =>
      event.type === 'phase' || event.type === 'unit'
        ? [[event.deviceId, event.type === 'phase' ? event.phase : 'result']]
        : [],
    );
    expect(told.slice(32)).toEqual([
      ['lobby', 'result'],
      ['door', 'waiting'],
      ['gate', 'reading'],
      ['door', 'writing'],
    ]);
  });

  it('leaves when nobody listens any more, also while nothing happens', async () => {
    const job = open();
    const gone = new AbortController();
    const watched = seen(job, gone.signal);
    await Promise.resolve();
    gone.abort();
    expect(await watched).toMatchObject([{ type: 'job' }]);
  });
});

describe('a job that waits', () => {
  it('says for whom until its turn has come, and waits no more then', async () => {
    const job = open(undefined, 'j-0');
    const watched = seen(job);
    expect(job.waiting).toBe(true);
    job.waitFor(behind('j-0'));
    job.waitFor(behind('j-9'));
    job.waitFor({ state: 'running' });
    job.waitFor(behind('j-9'));
    job.end('done', 'now');

    expect((await watched).map((event) => 'job' in event && [event.job.state, event.job.waitsFor])).toEqual([
      ['waiting', 'j-0'],
      ['waiting', 'j-9'],
      ['running', undefined],
      ['done', undefined],
    ]);
    expect([job.waiting, job.done, job.ended]).toEqual([false, true, true]);
  });

  it('has no one to wait for once it has ended', () => {
    const job = open(undefined, 'j-0');
    job.end('cancelled', 'now');
    expect(job.snapshot()).not.toHaveProperty('waitsFor');
    expect(job.done).toBe(false);
  });
});

describe('a paused job', () => {
  it('lets nobody through until it goes on, is stopped, or ended, and tells why', async () => {
    const job = open();
    const watched = seen(job);
    let through = 0;
    const wait = () => job.whileUnpaused().then(() => (through += 1));
    await wait();
    expect([job.unpause(), job.pause(LATE), job.pause()]).toEqual([false, true, true]);
    expect(job.snapshot()).toMatchObject({ paused: true, pausedBy: LATE });
    const first = wait();
    await Promise.resolve();
    expect(through).toBe(1);
    expect(job.unpause()).toBe(true);
    await first;
    for (const name of ['paused', 'pausedBy']) expect(job.snapshot()).not.toHaveProperty(name);

    job.pause();
    const second = wait();
    job.cancel();
    await second;
    expect([job.pause(), job.cancelled, job.stopped.aborted]).toEqual([false, true, true]);
    job.end('cancelled', 'now');
    expect(job.pause()).toBe(false);
    expect((await watched).filter(({ type }) => type === 'paused')).toEqual([
      { type: 'paused', jobId: 'j-1', paused: true, reason: LATE },
      { type: 'paused', jobId: 'j-1', paused: false },
      { type: 'paused', jobId: 'j-1', paused: true },
      { type: 'paused', jobId: 'j-1', paused: false },
    ]);
  });

  it('is paused no more once it has ended', () => {
    const job = open();
    job.pause(LATE);
    job.end('failed', 'now');
    expect(job.snapshot()).not.toHaveProperty('paused');
    expect(job.pause()).toBe(false);
  });
});

describe('a job tells', () => {
  it('its options while they count, and its devices one by one only where they are asked for', () => {
    const job = open([device('gate', outcomes('needs-reboot'))]);
    expect(job.snapshot()).toMatchObject({ options: { canary: 1 }, rebootPending: 1, resumable: false });
    for (const name of ['results', 'runs', 'options']) expect(job.summary()).not.toHaveProperty(name);
    job.setUnits(0, outcomes('effective', 'effective').units);
    job.device(0, 'done');
    job.end('done', 'now');
    for (const name of ['options', 'rebootPending', 'progress'])
      expect(job.snapshot()).not.toHaveProperty(name);
    expect(job.snapshot()).toMatchObject({ counts: { effective: 2 }, resumable: false });
    expect(() => job.device(7, 'done')).toThrow('no device at 7');
  });

  // Would catch: a wait for a restart that was cut off by closing the app and cannot be resumed.
  it('that it can go on where only a wait for a restart is left', () => {
    const restarts = (followUpLeft: boolean): boolean => {
      const job = open([device('gate', { state: 'done', ...outcomes('needs-reboot') })]);
      job.end('interrupted', 'now', { followUpLeft });
      return job.snapshot().resumable;
    };
    expect([restarts(true), restarts(false)]).toEqual([true, false]);
  });
});

const clock = { now: () => new Date(0) };
const keepIn = (kept: unknown[]) => ({
  device: (id: string, position: number, { state, error }: DeviceResult) =>
    kept.push([id, position, state, error]),
});

describe('the turn of a device', () => {
  /** Runs a turn and returns its events, for watchers and for the journal alike. */
  async function turn(
    work: (job: LiveJob) => ErrorShape | { readonly later: ErrorShape } | undefined,
    { options = {}, url = 'http://gate' }: { readonly options?: ApplyOptions; readonly url?: string } = {},
  ) {
    const job = open([device('gate', { url, ...outcomes('effective') })]);
    const kept: unknown[] = [];
    const context = { job, journal: keepIn(kept), clock, options } as unknown as JobContext;
    const task = { position: 0, deviceId: 'gate', url, secrets: ['hunter22'] };
    const good = await runTurn(task, context, () => Promise.resolve().then(() => work(job)));
    const { state, error } = job.results[0]!;
    expect(kept).toEqual([
      ['j-1', 0, 'running', undefined],
      ['j-1', 0, state, error],
    ]);
    return { good, state, error };
  }

  it.each([
    ['is done where every unit went well', () => undefined, { good: true, state: 'done', error: undefined }],
    [
      'failed where one did not',
      (job: LiveJob) => job.setUnits(0, outcomes('effective', 'ignored').units) as undefined,
      { good: false, state: 'failed', error: undefined },
    ],
    [
      'failed with the error that ended it',
      () => LATE,
      { good: false, state: 'failed', error: { ...LATE, device: 'http://gate' } },
    ],
    [
      'says nothing of a secret',
      () => ({ ...LATE, message: 'hunter22 is wrong', device: 'http://door' }),
      {
        good: false,
        error: { message: expect.not.stringContaining('hunter22') as string, device: 'http://door' },
      },
    ],
    [
      'failed with what was thrown',
      () => {
        throw new FieldwrightError(LATE);
      },
      { good: false, state: 'failed', error: { code: 'timeout' } },
    ],
    [
      'keeps its place where somebody stopped the job',
      (job: LiveJob) => {
        job.cancel();
        return STOPPED;
      },
      { good: true, state: 'pending', error: undefined },
    ],
    ['failed where it was stopped and the job was not', () => STOPPED, { good: false, state: 'failed' }],
    [
      'failed where the job was stopped and it ended otherwise',
      (job: LiveJob) => {
        job.cancel();
        return LATE;
      },
      { good: false, state: 'failed' },
    ],
    [
      'keeps its place, with the reason, where it has to come later',
      () => ({ later: { ...LATE, message: 'hunter22' } }),
      {
        good: true,
        state: 'pending',
        error: {
          code: 'timeout',
          device: 'http://gate',
          message: expect.not.stringContaining('hunter22') as string,
        },
      },
    ],
  ])('%s', async (_what, work, expected) => {
    expect(await turn(work)).toMatchObject(expected);
  });

  it('that has to come later is no canary that went well', async () => {
    expect(await turn(() => ({ later: LATE }), { options: { canary: 1 } })).toMatchObject({ good: false });
  });

  it('names no address where it is a step of the whole site', async () => {
    expect((await turn(() => LATE, { url: '' })).error).toEqual(LATE);
  });

  it('may be refused before it begins', async () => {
    const job = open();
    const kept: unknown[] = [];
    expect(await refuseTurn(1, LATE, { job, journal: keepIn(kept), clock } as unknown as JobContext)).toBe(
      false,
    );
    expect(job.results[1]).toMatchObject({ state: 'failed', error: LATE });
    expect(kept).toEqual([['j-1', 1, 'failed', LATE]]);
  });
});

describe('devices one after the other', () => {
  const DEVICES = [0, 1, 2, 3, 4];
  /** Returns the devices that had their turn; those of `bad` did not go well. */
  async function handedOut(
    options: ApplyOptions,
    {
      bad = [],
      cancelAt,
      ready,
    }: { bad?: readonly number[]; cancelAt?: number; ready?: () => Promise<void> } = {},
  ): Promise<readonly number[]> {
    const begun: number[] = [];
    let cancelled = false;
    await runDevices(
      DEVICES,
      { concurrency: 1, ...options },
      {
        turn: (task) => {
          begun.push(task);
          cancelled ||= task === cancelAt;
          return Promise.resolve(!bad.includes(task));
        },
        cancelled: () => cancelled,
        ready: ready ?? (() => Promise.resolve()),
      },
    );
    return begun;
  }

  it.each([
    ['all of them', {}, {}, DEVICES],
    ['all of them, also where some do not go well', {}, { bad: [0, 3] }, DEVICES],
    ['none after a canary that does not go well', { canary: 2 }, { bad: [1] }, [0, 1]],
    [
      'all after one that does, however a later wave goes',
      { canary: 1, wave: 1 },
      { bad: [1, 2, 3] },
      DEVICES,
    ],
    ['none after too many that do not', { stopAfter: 2 }, { bad: [0, 2, 3] }, [0, 1, 2]],
    ['none after too many, counted over all waves', { wave: 2, stopAfter: 2 }, { bad: [1, 2] }, [0, 1, 2]],
    ['none once somebody stopped', {}, { cancelAt: 1 }, [0, 1]],
    ['none of the next wave once somebody stopped', { wave: 2 }, { cancelAt: 1 }, [0, 1]],
  ])('%s', async (_what, options, how, expected) => {
    expect(await handedOut(options, how)).toEqual(expected);
  });

  // Would catch: a device that waits at a pause, and is begun when that ends although the job was stopped meanwhile by too many failures.
  it('none that waited while others failed too often', async () => {
    let calls = 0;
    const gate = Promise.withResolvers<void>();
    const begun = await handedOut(
      { concurrency: 2, stopAfter: 1 },
      {
        bad: [0],
        ready: () => {
          calls += 1;
          if (calls === 2) setImmediate(gate.resolve);
          return calls === 2 ? gate.promise : Promise.resolve();
        },
      },
    );
    expect(begun).toEqual([0]);
  });
});
