/** What units of jobs hold at length, each text once for a job: alike devices have alike ones by the hundred. */
import type { Store } from '../store/index.ts';
import type { Content } from './job-columns.ts';

/** Longest texts together that are known by heart, in characters; what is no longer known is kept once more. */
const MOST_KNOWN = 2_000_000;

export class JobContents {
  readonly #store: Pick<Store, 'insert' | 'rollbacks'>;
  readonly #known = new Map<string, Map<string, number>>();
  #characters = 0;
  #rollbacks = 0;

  constructor(store: Pick<Store, 'insert' | 'rollbacks'>) {
    this.#store = store;
  }

  /** What a row refers to it by. Sealed content (bytes) is never the same twice. */
  keep(jobId: string, content: Content): number {
    if (typeof content !== 'string') return this.#add(jobId, content);
    if (this.#characters > MOST_KNOWN || this.#rollbacks !== this.#store.rollbacks()) this.#forgetAll();
    let known = this.#known.get(jobId);
    if (known === undefined) this.#known.set(jobId, (known = new Map()));
    const kept = known.get(content);
    if (kept !== undefined) return kept;
    const id = this.#add(jobId, content);
    known.set(content, id);
    this.#characters += content.length;
    return id;
  }

  /** The job has ended. */
  forget(jobId: string): void {
    for (const [text] of this.#known.get(jobId) ?? []) this.#characters -= text.length;
    this.#known.delete(jobId);
  }

  #forgetAll(): void {
    this.#known.clear();
    this.#characters = 0;
    this.#rollbacks = this.#store.rollbacks();
  }

  #add(jobId: string, content: Content): number {
    return this.#store.insert('job_contents', { job_id: jobId, content });
  }
}
