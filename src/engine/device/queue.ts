/** Queue that runs a limited number of tasks at once; the rest wait by priority, then in order of arrival. */

export interface QueueTask {
  /** Ends the wait; a task that runs watches it itself. */
  readonly signal: AbortSignal;
  /** Higher goes first; 0 when not given. */
  readonly priority?: number;
}

export interface Queue {
  /** Rejects with the signal's reason when it aborts while the task still waits. */
  run<T>(task: () => Promise<T>, options: QueueTask): Promise<T>;
  /** Changes the limit. A wider one takes effect at once, a narrower one as tasks end. */
  resize(limit: number): void;
}

interface Waiting {
  readonly priority: number;
  readonly start: () => void;
}

/**
 * Creates the queue of one device: separate because a waiting task has to leave at once and without a trace
 * when cancelled.
 */
export function createQueue(initialLimit: number): Queue {
  let limit = Math.max(1, initialLimit);
  let running = 0;
  const waiting: Waiting[] = [];

  function next(): void {
    while (running < limit) {
      const first = waiting.shift();
      if (first === undefined) return;
      running += 1;
      first.start();
    }
  }

  function turn(options: QueueTask): Promise<void> {
    return new Promise((resolve, reject) => {
      if (options.signal.aborted) return reject(options.signal.reason);
      const entry: Waiting = {
        priority: options.priority ?? 0,
        start: () => {
          options.signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      function leave(): void {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(options.signal.reason);
      }
      options.signal.addEventListener('abort', leave, { once: true });
      const behind = waiting.findIndex((other) => other.priority < entry.priority);
      waiting.splice(behind === -1 ? waiting.length : behind, 0, entry);
      next();
    });
  }

  return {
    async run(task, options) {
      if (running < limit && !options.signal.aborted) running += 1;
      else await turn(options);
      try {
        return await task();
      } finally {
        running -= 1;
        next();
      }
    },
    resize(to) {
      limit = Math.max(1, to);
      next();
    },
  };
}
