/** Several readers at work at once, their results in the order in which they come. */

export interface Merged<Result> {
  readonly index: number;
  readonly result: Result;
  /** Nothing more comes of this one. */
  readonly last: boolean;
}

/** Runs `read` over the items, at most `concurrency` at once. What a reader throws ends all of them. */
export async function* mergeReads<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => AsyncGenerator<Result>,
  concurrency: number,
): AsyncGenerator<Merged<Result>> {
  const running = new Map<
    number,
    {
      readonly reader: AsyncGenerator<Merged<Result>>;
      next: Promise<{ readonly index: number; readonly step: IteratorResult<Merged<Result>> }>;
    }
  >();
  let begun = 0;
  const begin = (): void => {
    for (; begun < items.length && running.size < concurrency; begun += 1) {
      const index = begun;
      const reader = withLast(read(items[index] as Item), index);
      running.set(index, { reader, next: reader.next().then((step) => ({ index, step })) });
    }
  };
  try {
    for (begin(); running.size > 0; begin()) {
      const { index, step } = await Promise.race([...running.values()].map(({ next }) => next));
      const one = running.get(index);
      if (one === undefined || step.done === true) running.delete(index);
      else {
        one.next = one.reader.next().then((following) => ({ index, step: following }));
        yield step.value;
      }
    }
  } finally {
    // A consumer that returns early must not turn a later failure into an unhandled rejection.
    for (const { next, reader } of running.values()) {
      next.catch(() => undefined);
      reader.return(undefined).catch(() => undefined);
    }
  }
}

/** Each result once it is known whether another one follows. */
async function* withLast<Result>(
  results: AsyncGenerator<Result>,
  index: number,
): AsyncGenerator<Merged<Result>> {
  let held: { readonly result: Result } | undefined;
  for await (const result of results) {
    if (held !== undefined) yield { index, result: held.result, last: false };
    held = { result };
  }
  if (held !== undefined) yield { index, result: held.result, last: true };
}
