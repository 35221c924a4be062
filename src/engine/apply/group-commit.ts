/**
 * Commits of many devices in one: what is written during one turn of the event loop goes to disk
 * together, so that a hundred devices wait for one flush instead of a hundred.
 */
import type { Store } from '../store/index.ts';

type Work = () => void;

export interface GroupCommit {
  /** Resolves when the work is durable; rejects where it could not be written. */
  durable(work: Work): Promise<void>;
  /** Written with the next commit, at the latest after a moment: losing it costs a read, never a write. */
  soon(work: Work): void;
  /** Writes what is waiting. */
  flush(): void;
}

const SOON_MS = 100;

export function createGroupCommit(store: Store): GroupCommit {
  let works: Work[] = [];
  let waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearImmediate(turn);
    clearTimeout(timer);
    turn = undefined;
    timer = undefined;
    if (works.length === 0) return;
    const [batch, waiters] = [works, waiting];
    works = [];
    waiting = [];
    try {
      store.transaction(() => {
        for (const work of batch) work();
      });
      for (const { resolve } of waiters) resolve();
    } catch (error) {
      // Nothing of the batch was written. Intents are refused to their devices; results stay in
      // memory and in the running job, and after a crash they are settled by reading.
      for (const { reject } of waiters) reject(error);
      if (waiters.length === 0) throw error;
    }
  }

  function flushQuietly(): void {
    try {
      flush();
    } catch {
      // Only results were waiting; the end of the job writes the whole state once more.
    }
  }

  return {
    durable: (work) => new Promise((resolve, reject) => {
      works.push(work);
      waiting.push({ resolve, reject });
      turn ??= setImmediate(flushQuietly);
    }),
    soon(work) {
      works.push(work);
      timer ??= setTimeout(flushQuietly, SOON_MS).unref();
    },
    flush,
  };
}
