/**
 * Groups commits of many devices: what is written while the disk is busy goes to it together afterwards, so
 * that a hundred devices wait for one flush instead of a hundred, and no other caller waits at all.
 */
import type { Store } from '../store/index.ts';

type Work = () => void;

export interface GroupCommit {
  /** Resolves when an intent of so many bytes is on disk; rejects where it could not be written, or would leave no room for its result. */
  durable(work: Work, bytes?: number): Promise<void>;
  /** Writes with the next commit, at the latest after a moment: losing it costs a read, never a write. */
  soon(work: Work): void;
  /** Writes what is waiting; durable on return. `complete`: nothing given to `soon` was ever lost. */
  flush(): { readonly complete: boolean };
  /** True after a commit failed: something given to `soon` may not be on disk. */
  readonly isIncomplete: boolean;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const SOON_MS = 100;

/** `onBegin` runs first in each commit: what it finds holds until the commit's end. */
export function createGroupCommit(store: Store, onBegin?: Work): GroupCommit {
  let works: Work[] = [];
  let waiting: Waiter[] = [];
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let isFlushing = false;
  let complete = true;

  function take(): { readonly batch: readonly Work[]; readonly waiters: readonly Waiter[] } {
    clearTimeout(timer);
    clearImmediate(turn);
    timer = undefined;
    turn = undefined;
    const taken = { batch: works, waiters: waiting };
    works = [];
    waiting = [];
    return taken;
  }

  function write(batch: readonly Work[]): void {
    onBegin?.();
    for (const work of batch) work();
  }

  async function drain(): Promise<void> {
    isFlushing = true;
    // The work that came in meanwhile is the next batch; results alone wait for the timer.
    do {
      const { batch, waiters } = take();
      try {
        store.transactionSoon(() => {
          write(batch);
        });
        if (waiters.length > 0) await store.onDisk();
        for (const { resolve } of waiters) resolve();
      } catch (error) {
        // Nothing of the batch counts: intents are refused to their devices; results are written
        // once more at the end of the job, and after a crash they are settled by reading.
        complete = false;
        for (const { reject } of waiters) reject(error);
      }
    } while (waiting.length > 0);
    isFlushing = false;
    if (works.length > 0) drainSoon();
  }

  function drainSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // The flush under way also takes the work that came in meanwhile.
      if (!isFlushing) void drain();
    }, SOON_MS).unref();
  }

  return {
    durable: (work, bytes = 0) =>
      new Promise((resolve, reject) => {
        store.requireRoom(bytes, 'intent');
        works.push(work);
        waiting.push({ resolve, reject });
        if (!isFlushing)
          turn ??= setImmediate(() => {
            void drain();
          });
      }),
    soon(work) {
      works.push(work);
      drainSoon();
    },
    get isIncomplete() {
      return !complete;
    },
    flush() {
      const { batch, waiters } = take();
      try {
        store.transaction(() => {
          write(batch);
        });
        for (const { resolve } of waiters) resolve();
        return { complete };
      } catch (error) {
        complete = false;
        for (const { reject } of waiters) reject(error);
        throw error;
      }
    },
  };
}
