/** Work on many things, a few at a time, with results as they come. */
import { DEVICES_AT_ONCE } from '#shared/model.ts';

interface PoolOptions {
  /** Number of tasks at once. Default: as many as their latency leaves time for (`DEVICES_AT_ONCE`). */
  readonly concurrency?: number | undefined;
  /** Nothing new is begun once this is aborted; what is under way may end. */
  readonly signal: AbortSignal;
}

/**
 * Share of its time: a thread that works for less of it waits for devices. At 0.7 a report of 200 devices
 * took a tenth longer.
 */
const AT_WORK = 0.9;

/**
 * Runs `work` over the items, some at once, and yields each result when it is
 * there. Ends early (without error) when the signal aborts. `work` is expected not to throw: what it
 * throws ends the whole run.
 */
export async function* runInPool<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  options: PoolOptions,
): AsyncGenerator<Result> {
  const limit = createLimit(options.concurrency, () => begin());
  const ended: (() => Result)[] = [];
  let wake = (): void => {};
  let running = 0;
  let next = 0;
  const end = (outcome: () => Result): void => {
    ended.push(outcome);
    wake();
  };
  const begin = (): void => {
    while (next < items.length && running < limit.now() && !options.signal.aborted) {
      const index = next;
      next += 1;
      running += 1;
      work(items[index] as Item, index).then(
        (result) => end(() => result),
        (error: unknown) =>
          end(() => {
            throw error;
          }),
      );
    }
  };
  try {
    for (begin(); running > 0; begin()) {
      if (ended.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const outcome = ended.shift();
      if (outcome === undefined) continue;
      running -= 1;
      limit.passed();
      yield outcome();
    }
  } finally {
    limit.stop();
  }
}

/** Long enough to tell how busy a thread is, short beside the work on a device. */
const LOOKED_AT_MS = 100;

/**
 * Computes how many run at once: the given number, else from few to many for as long as this thread waits for
 * devices. It is recomputed when as many have passed, and in between if one takes long: then `grown` is
 * called, because the limit is not read meanwhile.
 */
function createLimit(given: number | undefined, grown: () => void) {
  let limit = given ?? DEVICES_AT_ONCE.fewest;
  let passed = 0;
  let since = performance.eventLoopUtilization();
  const timer =
    given === undefined
      ? setInterval(() => {
          if (look()) grown();
        }, LOOKED_AT_MS)
      : undefined;
  function look(): boolean {
    const before = limit;
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, since).utilization < AT_WORK)
      limit = Math.min(limit * 2, DEVICES_AT_ONCE.most);
    since = now;
    passed = 0;
    if (limit === DEVICES_AT_ONCE.most) clearInterval(timer);
    return limit > before;
  }
  return {
    now: () => limit,
    passed() {
      passed += 1;
      if (given === undefined && passed >= limit) look();
    },
    stop: () => clearInterval(timer),
  };
}
