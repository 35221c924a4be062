/** Commits of many devices in one: nothing that came in while the disk was busy is forgotten. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGroupCommit } from '#engine/jobs/group-commit.ts';
import type { Store } from '#engine/store/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Makes a store whose disk answers on demand; `commits` counts the entries of each commit. */
function slowStore() {
  const disk = Promise.withResolvers<void>();
  const commits: string[] = [];
  const store: Pick<Store, 'transaction' | 'transactionSoon' | 'onDisk' | 'requireRoom'> = {
    transaction(work) {
      commits.push('at once');
      return work();
    },
    transactionSoon(work) {
      commits.push('soon');
      return work();
    },
    onDisk: () => disk.promise,
    requireRoom: () => undefined,
  };
  return { store: store as Store, disk, commits };
}
const full = (): never => {
  throw new Error('disk full');
};

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

describe('what many devices write at the same time', () => {
  // Would catch: a flush of the disk for every device, or a device that goes on before its intent is on disk.
  it('is one commit, and whoever asked goes on when it is on disk', async () => {
    const { store, disk, commits } = slowStore();
    const group = createGroupCommit(store);
    const written: string[] = [];
    let onDisk = 0;
    const waits = ['one', 'two'].map(async (name) => {
      await group.durable(() => written.push(name));
      onDisk += 1;
    });
    group.soon(() => written.push('result'));
    await vi.advanceTimersByTimeAsync(50);

    expect([written, commits, onDisk]).toEqual([['one', 'two', 'result'], ['soon'], 0]);
    const late = group.durable(() => written.push('late'));
    await vi.advanceTimersByTimeAsync(50);
    expect(written).not.toContain('late');
    disk.resolve();
    await Promise.all([...waits, late]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([written, commits]).toEqual([
      ['one', 'two', 'result', 'late'],
      ['soon', 'soon'],
    ]);
  });

  // Would catch: a result that costs a commit of its own, or one that the disk is waited for.
  it('is held back for a moment where it is results alone', async () => {
    const { store, commits } = slowStore();
    const group = createGroupCommit(store);
    const written: number[] = [];
    group.soon(() => written.push(1));
    await vi.advanceTimersByTimeAsync(90);
    group.soon(() => written.push(2));
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);

    expect([written, commits]).toEqual([[1, 2], ['soon']]);
    group.soon(() => written.push(3));
    await vi.advanceTimersByTimeAsync(110);
    expect(written).toEqual([1, 2, 3]);
  });
});

describe('the end of a job', () => {
  // Would catch: results that come to disk twice, or an intent that is never answered because its batch was taken away.
  it('writes what waits at once, and nothing of it again', async () => {
    const { store, commits } = slowStore();
    const group = createGroupCommit(store);
    const written: string[] = [];
    const intent = group.durable(() => written.push('intent'));
    group.soon(() => written.push('result'));

    expect(group.flush()).toEqual({ complete: true });
    expect([written, commits]).toEqual([['intent', 'result'], ['at once']]);
    await intent;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([written, commits]).toEqual([['intent', 'result'], ['at once']]);
  });
});

describe('a disk that takes nothing', () => {
  // Would catch: a write sent to a device although its intent was never kept, and results that are not
  // written once more.
  it('refuses the intent, takes the next one, and the end hears that something was lost', async () => {
    const { store, disk } = slowStore();
    const group = createGroupCommit(store);
    disk.resolve();
    const refused = expect(group.durable(full)).rejects.toThrow('disk full');
    await vi.advanceTimersByTimeAsync(10);
    await refused;
    const next = group.durable(() => undefined);
    await vi.advanceTimersByTimeAsync(10);

    await next;
    expect(group.flush()).toEqual({ complete: false });
  });

  it('refuses what the flush could not write, to the devices and to whoever flushes', async () => {
    const group = createGroupCommit(slowStore().store);
    const refused = expect(group.durable(full)).rejects.toThrow('disk full');

    expect(() => group.flush()).toThrow('disk full');
    await refused;
    expect(group.flush()).toEqual({ complete: false });
  });
});
