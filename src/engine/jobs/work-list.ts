/** All that is under way, in this process and in others on the same data folder, as one stream of summaries. */
import type { WorkEvent, WorkSummary } from '#shared/model.ts';

interface WorkSource {
  /** Ids of the jobs that run or wait. */
  readonly atWork: () => readonly string[];
  readonly summaryOf: (id: string) => WorkSummary;
}

/** Jobs of another process are looked at as often; nothing else tells of them. */
const LOOK_MS = 500;
/**
 * Time in milliseconds within which changes are reported together: a hundred jobs must not be a hundred
 * lists.
 */
const LEAST_MS = 100;

export class WorkList {
  readonly #source: WorkSource;
  readonly #watchers = new Set<(jobId: string) => void>();

  constructor(source: WorkSource) {
    this.#source = source;
  }

  /** Called when a job has begun, ended, or was paused. */
  changed(jobId: string): void {
    for (const tell of this.#watchers) tell(jobId);
  }

  /**
   * Yields everything under way, then all of it again whenever something is different. Ends quietly when the
   * signal aborts.
   */
  async *watch(signal: AbortSignal): AsyncGenerator<WorkEvent> {
    let seen = new Set<string>();
    let before = '';
    let calm = new AbortController();
    const tell = (jobId: string): void => {
      seen.add(jobId);
      calm.abort();
    };
    this.#watchers.add(tell);
    try {
      while (!signal.aborted) {
        calm = new AbortController();
        const ids = this.#source.atWork();
        const ended = [...seen].filter((id) => !ids.includes(id));
        seen = new Set(ids);
        const event = {
          jobs: ids.map(this.#source.summaryOf),
          ended: ended.map(this.#source.summaryOf),
        };
        const now = JSON.stringify(event);
        if (now !== before) yield event;
        before = now;
        await pause(LEAST_MS, signal);
        await pause(LOOK_MS, AbortSignal.any([signal, calm.signal]));
      }
    } finally {
      this.#watchers.delete(tell);
    }
  }
}

/** Ends early when the signal aborts; keeps no process alive. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, ms).unref();
  signal.addEventListener('abort', end);
  await promise;
  signal.removeEventListener('abort', end);
  clearTimeout(timer);
}
