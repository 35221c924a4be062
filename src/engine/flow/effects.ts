/**
 * Stores what the steps of a flow have done and received so far, in the database: a step that is taken up
 * again does nothing twice.
 */
import type { Clock } from '../api/host.ts';
import type { Store } from '../store/index.ts';
import { readOwnJson } from '#shared/read-json.ts';

export interface StepKey {
  readonly jobId: string;
  readonly position: number;
  readonly step: string;
}

export interface Effect {
  readonly step: string;
  readonly key: string;
  readonly value: unknown;
  /** ISO 8601. */
  readonly at: string;
}

interface Row {
  readonly step: string;
  readonly key: string;
  readonly value: string;
  readonly at: string;
}

export class Effects {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Lists all effects of one device, oldest first. */
  of({ jobId, position }: Pick<StepKey, 'jobId' | 'position'>): readonly Effect[] {
    return this.#store
      .all<Row>(
        'SELECT step, key, value, at FROM flow_effects WHERE job_id = ? AND position = ? ORDER BY nth',
        jobId,
        position,
      )
      .map((row) => ({ ...row, value: readOwnJson(row.value) }));
  }

  find({ jobId, position, step }: StepKey, key: string): Effect | undefined {
    const row = this.#store.get<Row>(
      'SELECT step, key, value, at FROM flow_effects WHERE job_id = ? AND position = ? AND step = ? AND key = ?',
      jobId,
      position,
      step,
      key,
    );
    return row === undefined ? undefined : { ...row, value: readOwnJson(row.value) };
  }

  /** Returns the value of the latest earlier device that has it. */
  before({ jobId, position, step }: StepKey, key: string): unknown {
    const row = this.#store.get<Pick<Row, 'value'>>(
      'SELECT value FROM flow_effects WHERE job_id = ? AND position < ? AND step = ? AND key = ? ORDER BY position DESC LIMIT 1',
      jobId,
      position,
      step,
      key,
    );
    return row === undefined ? undefined : readOwnJson(row.value);
  }

  /** Stores a value; a later one counts. Survives the end of this process on return. */
  put({ jobId, position, step }: StepKey, key: string, value: unknown): void {
    this.#store.run(
      `INSERT INTO flow_effects (job_id, position, step, key, nth, value, at)
       VALUES (?, ?, ?, ?, (SELECT coalesce(max(nth), 0) + 1 FROM flow_effects WHERE job_id = ? AND position = ?), ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value, at = excluded.at`,
      jobId,
      position,
      step,
      key,
      jobId,
      position,
      JSON.stringify(value ?? null),
      this.#clock.now().toISOString(),
    );
  }

  /** Forgets what a step did from its effect `from` on; all of it without. */
  drop({ jobId, position, step }: StepKey, from?: string): void {
    this.#store.run(
      `DELETE FROM flow_effects WHERE job_id = ? AND position = ? AND step = ?
       AND nth >= coalesce((SELECT nth FROM flow_effects WHERE job_id = ? AND position = ? AND step = ? AND key = ?), 0)`,
      jobId,
      position,
      step,
      jobId,
      position,
      step,
      from ?? '',
    );
  }
}
