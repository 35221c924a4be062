/** The stream of what is under way: what it tells of, when, and what it keeps to itself. */
import { describe, expect, it } from 'vitest';
import { WorkList } from '../../../src/engine/jobs/work-list.ts';
import type { WorkEvent, WorkSummary } from '../../../src/shared/model.ts';

/** A site whose jobs are what the test says: id and state. */
function openSite() {
  const running = new Map<string, string>();
  const ended = new Map<string, string>();
  let looks = 0;
  const list = new WorkList({
    atWork: () => {
      looks += 1;
      return [...running.keys()];
    },
    summaryOf: (id) => ({ id, state: running.get(id) ?? ended.get(id) }) as WorkSummary,
  });
  return {
    list,
    looks: () => looks,
    run: (id: string, state = 'running') => running.set(id, state),
    end(id: string) {
      running.delete(id);
      ended.set(id, 'done');
    },
    watch(signal = new AbortController().signal) {
      const events = list.watch(signal);
      return {
        next: async () => told((await events.next()).value as WorkEvent | undefined),
        leave: () => events.return(undefined),
      };
    },
  };
}
const told = (event: WorkEvent | undefined) =>
  event && {
    jobs: event.jobs.map(({ id, state }) => `${id} ${state}`),
    ended: event.ended.map(({ id, state }) => `${id} ${state}`),
  };

describe('what is under way', () => {
  // Would catch: a job that ends between two looks and is told of by nobody, or an end that is told again with every list.
  it('is told at once, then whenever it is different: with each end once, of a job that nobody saw begin too', async () => {
    const site = openSite();
    site.run('a');
    const { next, leave } = site.watch();
    expect(await next()).toEqual({ jobs: ['a running'], ended: [] });

    const second = next();
    site.run('b');
    site.list.changed('b');
    site.end('short');
    site.list.changed('short');
    site.end('a');
    expect(await second).toEqual({ jobs: ['b running'], ended: ['a done', 'short done'] });

    const third = next();
    site.run('b', 'paused');
    site.list.changed('b');
    expect(await third).toEqual({ jobs: ['b paused'], ended: [] });
    await leave();
  });

  // Would catch: work of another process on the same data folder that shows only after something happens in this one.
  it('is looked for without anybody telling, and told of only where it is different', async () => {
    const site = openSite();
    const { next, leave } = site.watch();
    expect(await next()).toEqual({ jobs: [], ended: [] });

    const looks = site.looks();
    const second = next();
    await expect.poll(site.looks, { timeout: 20_000 }).toBeGreaterThan(looks);
    site.run('elsewhere');
    expect(await second).toEqual({ jobs: ['elsewhere running'], ended: [] });
    await leave();
  });

  // Would catch: an app that hangs on quitting, or a list kept for a window that was closed.
  it('is left quietly when the watcher goes, before and in the middle, and the others stay', async () => {
    const site = openSite();
    expect(await site.watch(AbortSignal.abort()).next()).toBeUndefined();
    expect(site.looks()).toBe(0);
    const leaving = new AbortController();
    const gone = site.watch(leaving.signal);
    const stays = site.watch();
    await Promise.all([gone.next(), stays.next()]);
    const end = gone.next();
    leaving.abort();
    expect(await end).toBeUndefined();

    const next = stays.next();
    site.run('a');
    site.list.changed('a');
    expect(await next).toEqual({ jobs: ['a running'], ended: [] });
    await stays.leave();
  });
});
