/** The stream of what is under way: what it tells of, when, and what it keeps to itself. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkList } from '#engine/jobs/work-list.ts';
import type { WorkEvent, WorkSummary } from '#shared/model.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a site whose jobs are set by the test: id and state. */
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
    /** Watches the list; `told` returns the events since the last call. */
    watch(signal?: AbortSignal) {
      const leaving = new AbortController();
      const events: ReturnType<typeof told>[] = [];
      let over = false;
      const reading = (async () => {
        for await (const event of list.watch(signal ?? leaving.signal)) events.push(told(event));
        over = true;
      })();
      return {
        told: () => events.splice(0),
        isOver: () => over,
        async leave() {
          leaving.abort();
          await reading;
        },
      };
    },
  };
}
const told = ({ jobs, ended }: WorkEvent) => ({
  jobs: jobs.map(({ id, state }) => `${id} ${state}`),
  ended: ended.map(({ id, state }) => `${id} ${state}`),
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('what is under way', () => {
  // Would catch: a job that ends between two looks and is never reported, or an end that is reported again
  // with every list; an end that is shown half a second late, or a list for each of a hundred jobs that begin
  // together.
  it('is told at once, then a moment after it is different: with each end once, of a job that nobody saw begin too', async () => {
    const site = openSite();
    site.run('a');
    const watcher = site.watch();
    await pass(0);
    expect(watcher.told()).toEqual([{ jobs: ['a running'], ended: [] }]);

    site.run('b');
    site.list.changed('b');
    await pass(99);
    site.end('short');
    site.list.changed('short');
    site.end('a');
    expect(watcher.told()).toEqual([]);
    await pass(1);
    expect(watcher.told()).toEqual([{ jobs: ['b running'], ended: ['a done', 'short done'] }]);

    await pass(200);
    expect(watcher.told()).toEqual([]);
    site.run('b', 'paused');
    site.list.changed('b');
    await pass(0);
    expect(watcher.told()).toEqual([{ jobs: ['b paused'], ended: [] }]);
    await watcher.leave();
  });

  // Would catch: work of another process on the same data folder that shows only after something happens in
  // this one; a listener that remains after every look of a day.
  it('is looked for without anybody telling, and told of only where it is different', async () => {
    const site = openSite();
    const { signal } = new AbortController();
    const watcher = site.watch(signal);
    await pass(600);
    expect([watcher.told(), site.looks()]).toEqual([[{ jobs: [], ended: [] }], 2]);

    site.run('elsewhere');
    await pass(599);
    expect(watcher.told()).toEqual([]);
    await pass(1);
    expect(watcher.told()).toEqual([{ jobs: ['elsewhere running'], ended: [] }]);
    await pass(300);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  // Would catch: an app that hangs on quitting, or a list kept for a window that was closed.
  it.each([
    ['while it holds back', 50],
    ['while it waits for news', 300],
  ])('is left quietly when the watcher goes, before and %s, and the others stay', async (_when, ms) => {
    const site = openSite();
    const never = site.watch(AbortSignal.abort());
    await pass(0);
    expect([never.told(), never.isOver(), site.looks()]).toEqual([[], true, 0]);
    const leaving = new AbortController();
    const gone = site.watch(leaving.signal);
    const stays = site.watch();
    await pass(ms);
    const both = vi.getTimerCount();
    leaving.abort();
    await pass(0);
    expect([both, vi.getTimerCount()]).toEqual([2, 1]);
    expect([gone.told().length, gone.isOver(), stays.told().length, stays.isOver()]).toEqual([
      1,
      true,
      1,
      false,
    ]);

    site.run('a');
    site.list.changed('a');
    await pass(100);
    expect(stays.told()).toEqual([{ jobs: ['a running'], ended: [] }]);
    await stays.leave();
  });
});
