/** The jobs of this process, by themselves: when they begin, what ends them, and what is kept of them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobContext, JobTurn } from '#engine/jobs/job-kind.ts';
import { LiveJob } from '#engine/jobs/live-job.ts';
import { LiveJobs, type Work } from '#engine/jobs/live-jobs.ts';
import type { UnitOutcome } from '#shared/model.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Turn = { readonly state: 'running' } | { readonly state: 'waiting'; readonly behind: string };

/**
 * Opens jobs. `turns`: the journal's answers, look by look, to a job that waits; an error: the disk is full.
 */
function openJobs({ turns = [], endFails = false }: { turns?: (Turn | Error)[]; endFails?: boolean } = {}) {
  const ends: unknown[] = [];
  const failures: unknown[] = [];
  const changes: string[] = [];
  let looks = 0;
  const live = new LiveJobs({
    journal: {
      startOrWait() {
        const turn = turns.shift() ?? { state: 'running' };
        if (turn instanceof Error) throw turn;
        return turn;
      },
      end({ id, state, endedAt, followUpLeft, results }: Record<string, unknown>) {
        if (endFails) throw new Error('disk full');
        ends.push([id, state, endedAt, followUpLeft, (results as unknown[]).length]);
      },
    },
    clients: {},
    clock: { now: () => new Date(0) },
    onFailure: (error: Error) => failures.push(error.message),
    onChange: (job: LiveJob) => changes.push(`${job.id} ${job.snapshot().state}`),
    settleInterrupted: () => {
      looks += 1;
    },
  } as unknown as ConstructorParameters<typeof LiveJobs>[0]);
  return { live, ends, failures, changes, looks: () => looks };
}
function jobOf(id: string, { outcome, waitsFor }: { outcome?: UnitOutcome; waitsFor?: string } = {}) {
  const head = { id, kind: 'send', title: 'Send', about: {}, createdAt: '', by: 'me', runs: [], options: {} };
  const units = outcome === undefined ? [] : [{ index: 0, label: 'L', outcome }];
  const state = outcome === undefined ? 'pending' : 'done';
  return new LiveJob(head, [{ deviceId: 'gate', name: 'gate', url: 'http://gate', state, units }], {
    turn: waitsFor === undefined ? { state: 'running' } : { state: 'waiting', behind: waitsFor },
  });
}
const work = (turns: readonly JobTurn[], extra: Partial<Work> = {}): Work => ({
  turns,
  options: {},
  ...extra,
});
const doneTurn: JobTurn = ({ job }) => {
  job.device(0, 'done');
  return Promise.resolve(true);
};
/** Makes a turn that ends on request. */
function slow() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turn: JobTurn = async (context) => {
    await promise;
    return doneTurn(context);
  };
  return { turn, letGo: resolve };
}
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const T0 = '1970-01-01T00:00:00.000Z';

describe('a job that is begun', () => {
  it('is known as running until its end is journalled, and told of when it changes', async () => {
    const { live, ends, changes } = openJobs();
    const { turn, letGo } = slow();
    let given: JobContext | undefined;
    const job = jobOf('j-1');
    live.launch(job, work([(context) => ((given = context), turn(context))], { options: { wave: 3 } }));
    expect([live.get('j-1'), live.isRunning('j-1'), changes]).toEqual([job, true, ['j-1 running']]);
    await settle();
    expect(given).toMatchObject({ job, options: { wave: 3 } });
    letGo();
    await settle();

    expect(ends).toEqual([['j-1', 'done', T0, false, 1]]);
    expect([live.isRunning('j-1'), job.ended, changes]).toEqual([false, true, ['j-1 running', 'j-1 done']]);
    expect(live.get('j-1')).toBe(job);
  });

  // Would catch: a job that runs for good because the disk did not take its end, or a device's turn threw.
  it('ends although its end cannot be journalled, or a turn throws', async () => {
    const full = openJobs({ endFails: true });
    full.live.launch(jobOf('j-1'), work([doneTurn]));
    const broken = openJobs();
    broken.live.launch(jobOf('j-2'), work([() => Promise.reject(new Error('broken'))]));
    await settle();

    expect([full.failures, full.live.get('j-1')?.snapshot().state]).toEqual([['disk full'], 'done']);
    expect([broken.failures, broken.ends]).toEqual([['broken'], [['j-2', 'partial', T0, false, 1]]]);
  });

  it('waits for all restarts at once, when everything else is done', async () => {
    const { live, ends } = openJobs();
    const first = slow();
    const begun: string[] = [];
    const restart = slow();
    const followUps = ['a', 'b'].map((name): JobTurn => (context) => {
      begun.push(name);
      return restart.turn(context);
    });
    live.launch(jobOf('j-1'), work([first.turn], { followUps, options: { concurrency: 1 } }));
    await settle();
    expect(begun).toEqual([]);
    first.letGo();
    await settle();
    expect(begun).toEqual(['a', 'b']);
    restart.letGo();
    await settle();
    expect(ends).toHaveLength(1);
  });

  // Would catch: memory that grows with every job of the day, or a job that vanishes in front of its watcher
  // when it ends.
  it('is kept a while after its end, the latest twenty', async () => {
    const { live } = openJobs();
    const { turn, letGo } = slow();
    live.launch(jobOf('long'), work([turn]));
    for (let at = 0; at < 23; at += 1) {
      live.launch(jobOf(`j-${at}`), work([doneTurn]));
      await settle();
    }
    const known = (): boolean[] => [0, 2, 3, 22].map((at) => live.get(`j-${at}`) !== undefined);

    expect(known()).toEqual([false, false, true, true]);
    expect(live.isRunning('long')).toBe(true);
    live.launch(jobOf('j-3'), work([doneTurn]));
    await settle();
    live.launch(jobOf('j-23'), work([doneTurn]));
    await settle();
    expect(known()).toEqual([false, false, true, true]);
    letGo();
    await settle();
  });
});

describe('a job that waits for its turn', () => {
  const behind = (id: string): Turn => ({ state: 'waiting', behind: id });

  it('looks again as soon as another one ends, and begins when it may', async () => {
    const { live, changes, looks } = openJobs({ turns: [behind('first'), behind('second')] });
    const { turn, letGo } = slow();
    live.launch(jobOf('first'), work([turn]));
    const job = jobOf('j-1', { waitsFor: 'first' });
    live.launch(job, work([doneTurn]));
    await settle();
    expect([looks(), job.snapshot().waitsFor]).toEqual([1, 'first']);
    letGo();
    await settle();

    expect([looks(), job.waiting, job.snapshot().waitsFor]).toEqual([2, true, 'second']);
    await settle(499);
    expect(job.waiting).toBe(true);
    await settle(1);
    expect(job.snapshot()).toMatchObject({ state: 'done' });
    expect(changes.filter((change) => change.startsWith('j-1'))).toEqual([
      'j-1 waiting',
      'j-1 waiting',
      'j-1 waiting',
      'j-1 running',
      'j-1 done',
    ]);
  });

  it('goes on waiting while the disk is full', async () => {
    const { live, failures, ends } = openJobs({ turns: [new Error('disk full')] });
    const job = jobOf('j-1', { waitsFor: 'first' });
    live.launch(job, work([doneTurn]));
    await settle(400);
    expect([failures, job.waiting]).toEqual([['disk full'], true]);
    await settle(100);
    expect(ends).toHaveLength(1);
  });

  it('does nothing once it is cancelled, and says so at once', async () => {
    const { live, ends, looks } = openJobs({ turns: [behind('first')] });
    const job = jobOf('j-1', { waitsFor: 'first' });
    live.launch(job, work([doneTurn], { followUps: [doneTurn] }));
    await settle();
    job.cancel();
    await settle();

    expect([ends, looks()]).toEqual([[['j-1', 'cancelled', T0, false, 1]], 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('closing', () => {
  // Would catch: work that a person did not stop reported as "cancelled", or an app that exits before its
  // last write is reported.
  it('stops all jobs, waits for what is under way, and leaves them to be resumed', async () => {
    const { live, ends } = openJobs();
    const { turn, letGo } = slow();
    const ended = jobOf('ended');
    live.launch(ended, work([doneTurn]));
    await settle();
    const running = jobOf('j-1');
    live.launch(running, work([turn]));
    await settle();
    const left = jobOf('j-2');
    live.launch(left, work([() => Promise.resolve(true), doneTurn], { options: { concurrency: 1 } }));
    left.cancel();
    let closed = false;
    const closing = live.close().then(() => {
      closed = true;
    });
    await settle();
    expect([closed, running.cancelled, ended.cancelled]).toEqual([false, true, false]);
    letGo();
    await closing;

    expect(ends.slice(1)).toEqual([
      ['j-2', 'interrupted', T0, false, 1],
      ['j-1', 'done', T0, false, 1],
    ]);
  });

  it.each([
    ['needs-reboot', true, 'interrupted'],
    ['effective', false, 'done'],
  ] as const)(
    'a restart that was waited for and is %s is left to be waited for: %s',
    async (outcome, left, state) => {
      const { live, ends } = openJobs();
      const { turn, letGo } = slow();
      const job = jobOf('j-1', { outcome });
      live.launch(job, work([], { followUps: [turn] }));
      const plain = jobOf('j-2', { outcome });
      live.launch(plain, work([turn]));
      await settle();
      const closing = live.close();
      letGo();
      await closing;

      expect(ends).toContainEqual(['j-1', state, T0, left, 1]);
      expect(ends).toContainEqual(['j-2', 'done', T0, false, 1]);
      expect(job.snapshot().resumable).toBe(left);
    },
  );

  it('a restart that somebody stops waiting for is not left', async () => {
    const { live, ends } = openJobs();
    const { turn, letGo } = slow();
    const job = jobOf('j-1', { outcome: 'needs-reboot' });
    live.launch(job, work([], { followUps: [turn] }));
    await settle();
    job.cancel();
    letGo();
    await settle();

    expect(ends).toEqual([['j-1', 'done', T0, false, 1]]);
  });
});
