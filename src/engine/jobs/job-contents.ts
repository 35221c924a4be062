/** Stores long contents that units of alike devices have in common, each text once for a job. */
import type { Store } from '../store/index.ts';
import type { Content } from './job-columns.ts';

/** Longest texts together that are known by heart, in characters; what is no longer known is kept once more. */
const MOST_KNOWN = 2_000_000;

export class JobContents {
  readonly #store: Pick<Store, 'insert' | 'rollbacks'>;
  readonly #known = new Map<string, Map<string, bigint>>();
  #characters = 0;
  #rollbacks = 0;

  constructor(store: Pick<Store, 'insert' | 'rollbacks'>) {
    this.#store = store;
  }

  /**
   * Returns the value of a column for a text that others may share: its number, as SQLite keeps whole ones.
   * Not for texts that are written again and again: nothing is deleted.
   */
  shared(jobId: string, content: Content): bigint | Content {
    const known = this.#of(jobId);
    if (typeof content !== 'string') return content;
    const kept = known.get(content);
    if (kept !== undefined) return kept;
    const id = BigInt(this.#store.insert('job_contents', { job_id: jobId, content }));
    known.set(content, id);
    this.#characters += content.length;
    return id;
  }

  /** Returns the number if others have it in common already; the text itself is written over in its row. */
  own(jobId: string, content: string): bigint | string {
    return this.#of(jobId).get(content) ?? content;
  }

  /** Forgets the contents of a job that has ended. */
  forget(jobId: string): void {
    for (const [text] of this.#known.get(jobId) ?? []) this.#characters -= text.length;
    this.#known.delete(jobId);
  }

  #of(jobId: string): Map<string, bigint> {
    if (this.#characters > MOST_KNOWN || this.#rollbacks !== this.#store.rollbacks()) {
      this.#known.clear();
      this.#characters = 0;
      this.#rollbacks = this.#store.rollbacks();
    }
    const known = this.#known.get(jobId) ?? new Map<string, bigint>();
    this.#known.set(jobId, known);
    return known;
  }
}
