/** Work on many things, a few at a time, with results as they come. */

export interface PoolOptions {
  readonly concurrency: number;
  /** Nothing new is begun once this is aborted; what is under way may end. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` over the items, at most `concurrency` at once, and yields each result when it is
 * there. Ends early (without error) when the signal aborts. `work` is expected not to throw: what it
 * throws ends the whole run.
 */
export async function* inPool<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  options: PoolOptions,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<{ readonly index: number; readonly result: Result }>>();
  let next = 0;
  const begin = (): void => {
    while (next < items.length && running.size < options.concurrency && !options.signal.aborted) {
      const index = next;
      next += 1;
      running.set(
        index,
        work(items[index] as Item, index).then((result) => ({ index, result })),
      );
    }
  };
  try {
    for (begin(); running.size > 0; begin()) {
      const { index, result } = await Promise.race(running.values());
      running.delete(index);
      yield result;
    }
  } finally {
    // A caller that leaves early must not turn a later failure into an unhandled one.
    for (const promise of running.values()) promise.catch(() => undefined);
  }
}
