/** All that is under way, in this process and in others on the same data folder, as one stream of summaries. */
import type { JobSummary, WorkEvent } from '../../shared/model.ts';

export interface WorkSource {
  /** Ids of the jobs that run or wait. */
  readonly atWork: () => readonly string[];
  readonly summaryOf: (id: string) => JobSummary;
}

/** Jobs of another process are looked at as often; nothing else tells of them. */
const LOOK_MS = 500;

export class WorkList {
  readonly #source: WorkSource;
  readonly #watchers = new Set<(jobId: string) => void>();

  constructor(source: WorkSource) {
    this.#source = source;
  }

  /** A job has begun, ended, or was paused. */
  changed(jobId: string): void {
    for (const tell of this.#watchers) tell(jobId);
  }

  /** Everything under way, then all of it again whenever something is different. Leaves quietly when the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<WorkEvent> {
    let seen = new Set<string>();
    let before = '';
    let wake = (): void => undefined;
    const tell = (jobId: string): void => {
      seen.add(jobId);
      wake();
    };
    this.#watchers.add(tell);
    signal.addEventListener('abort', wakeUp, { once: true });
    function wakeUp(): void {
      wake();
    }
    try {
      while (!signal.aborted) {
        const ids = this.#source.atWork();
        const ended = [...seen].filter((id) => !ids.includes(id));
        seen = new Set(ids);
        const event = { jobs: ids.map(this.#source.summaryOf), ended: ended.map(this.#source.summaryOf) };
        const now = JSON.stringify(event);
        if (now !== before) yield event;
        before = now;
        if (signal.aborted) return;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    } finally {
      this.#watchers.delete(tell);
      signal.removeEventListener('abort', wakeUp);
    }
  }
}
