/** Streams in pieces: waiting for a change, and what is there at once. */

/** Lines of one transaction. */
const BATCH = 100;

/** Creates a signal for something that happens again and again; a late waiter gets the next time. */
export function createWaker(): { readonly next: () => Promise<void>; readonly wake: () => void } {
  let changed = Promise.withResolvers<void>();
  return {
    next: () => changed.promise,
    wake: () => {
      changed.resolve();
      changed = Promise.withResolvers<void>();
    },
  };
}

/**
 * Collects the items that are there at once, up to a batch: a slow stream is not held back, a fast one is not
 * written line by line.
 */
export async function* collectBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  const iterator = items[Symbol.asyncIterator]();
  let coming: Promise<IteratorResult<Item>> | undefined;
  try {
    for (;;) {
      const first = await (coming ?? iterator.next());
      coming = undefined;
      if (first.done === true) return;
      const batch = [first.value];
      while (batch.length < BATCH) {
        coming = iterator.next();
        const next = await Promise.race([coming, turn()]);
        if (next === undefined || next.done === true) break;
        batch.push(next.value);
        coming = undefined;
      }
      yield batch;
    }
  } finally {
    await iterator.return?.();
  }
}

function turn(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(() => resolve(undefined));
  });
}
