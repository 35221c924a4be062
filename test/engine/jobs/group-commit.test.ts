/** Commits of many devices in one: nothing that came in while the disk was busy is forgotten. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGroupCommit } from '../../../src/engine/jobs/group-commit.ts';
import type { Store } from '../../../src/engine/store/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store whose disk answers when it is told to. */
function slowStore() {
  const disk = Promise.withResolvers<void>();
  const store: Pick<Store, 'transaction' | 'transactionSoon' | 'onDisk'> = {
    transaction: (work) => work(),
    transactionSoon: (work) => work(),
    onDisk: () => disk.promise,
  };
  return { store: store as Store, disk };
}

describe('a result that comes while the disk is busy', () => {
  // Would catch: its timer fires while an intent is being flushed and is never set again, so that results stay in memory until the next write, minutes later in a follow-up.
  it('is written soon after, also where no further write comes', async () => {
    const { store, disk } = slowStore();
    const commits = createGroupCommit(store);
    const written: string[] = [];
    const intent = commits.durable(() => written.push('intent'));
    await vi.advanceTimersByTimeAsync(1);
    commits.soon(() => written.push('result'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual(['intent']);

    disk.resolve();
    await intent;
    await vi.advanceTimersByTimeAsync(200);

    expect(written).toEqual(['intent', 'result']);
  });
});
