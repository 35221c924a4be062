/** Number of devices worked on at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runInPool } from '#engine/async/pool.ts';
import { DEVICES_AT_ONCE } from '#shared/model.ts';

const never = new AbortController().signal;

/** Returns the largest number of the 400 calls that were under way together. */
async function mostAtOnce(work: () => Promise<unknown>, concurrency?: number): Promise<number> {
  let running = 0;
  let most = 0;
  const counted = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await work();
    running -= 1;
  };
  const items = Array.from({ length: 400 });
  for await (const _done of runInPool(items, counted, { concurrency, signal: never }));
  return most;
}

function busy(): Promise<void> {
  const until = performance.now() + 1;
  while (performance.now() < until);
  return Promise.resolve();
}

describe('at once', () => {
  it('are more where devices take their time, never more than the most', async () => {
    expect(await mostAtOnce(() => wait(10))).toBe(DEVICES_AT_ONCE.most);
  });

  // Would catch: a hundred slow devices worked on by sixteen, because the number is not adapted before the
  // first are done.
  it('are more before the first is done', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let begun = 0;
    const most = mostAtOnce(() => {
      begun += 1;
      if (begun === DEVICES_AT_ONCE.most) resolve(undefined);
      return promise;
    });

    expect(await most).toBe(DEVICES_AT_ONCE.most);
  });

  it('are few where this thread has enough to do', async () => {
    expect(await mostAtOnce(busy)).toBe(DEVICES_AT_ONCE.fewest);
  });

  it('are never more than a person said', async () => {
    expect(await mostAtOnce(() => wait(2), 20)).toBe(20);
  });
});

it('what one throws ends the whole, and a reader that leaves early is left alone', async () => {
  const fails = (index: number) =>
    index === 3 ? Promise.reject(new Error('third')) : Promise.resolve(index);
  const seen: number[] = [];

  await expect(async () => {
    for await (const one of runInPool([0, 1, 2, 3, 4], fails, { concurrency: 1, signal: never }))
      seen.push(one);
  }).rejects.toThrow('third');

  expect(seen).toEqual([0, 1, 2]);
});
