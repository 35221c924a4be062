/** Rows of the journal as they are written; when, and what must be on disk before what, is for the journal to know. */
import type { DeviceResult, JobRun, UnitResult } from '#shared/model.ts';
import type { Vault } from '../inventory/access/vault.ts';
import type { Store } from '../store/index.ts';
import { ensureJournalTarget } from './history/search-text.ts';
import { getUnitDetail, toJsonOrNull, type Content } from './job-columns.ts';
import type { DeviceEntry, DocumentPlace, NewUnit, Shown, UnitKey } from './types.ts';

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

/** Returns the context of a sealed journal entry, which opens in no other place. */
export function sealContext({ jobId, position, index }: UnitKey, place: DocumentPlace): string {
  const unit = `journal/${jobId}/${position}/${index}`;
  return place === 'before' ? unit : `${unit}/${place}`;
}

export type DeviceStanding = Pick<DeviceResult, 'state' | 'error' | 'open'>;

/** Adds a line about who worked on a job, or kept what it changed. */
export function addRun(store: Store, jobId: string, { kind, at, by }: JobRun): void {
  store.run(
    'INSERT INTO job_runs (job_id, number, kind, at, by_user) SELECT ?, count(*) + 1, ?, ?, ? FROM job_runs WHERE job_id = ?',
    jobId,
    kind,
    at,
    by,
    jobId,
  );
}

export class JournalRows {
  readonly #store: Store;
  readonly #vault: Pick<Vault, 'seal'>;
  readonly #contents: JobContents;

  constructor(store: Store, vault: Pick<Vault, 'seal'>) {
    this.#store = store;
    this.#vault = vault;
    this.#contents = new JobContents(store);
  }

  insertDevice(jobId: string, device: DeviceEntry, position: number, at: string): void {
    this.#store.insert('job_devices', {
      job_id: jobId,
      position,
      device_id: device.deviceId,
      name: device.name,
      url: device.url,
      state: device.state,
      error: JSON.stringify(device.error),
      idle: device.idle === true ? 1 : 0,
      open_reason: device.open,
      open_since: device.open && at,
      connection: JSON.stringify(device.connection),
      document: JSON.stringify(device.document ?? {}),
      target: ensureJournalTarget(this.#store, device),
    });
    for (const unit of device.units) this.insertUnit(jobId, position, unit);
  }

  insertUnit(jobId: string, position: number, { result, document, sensitive = false }: NewUnit): void {
    const key = { jobId, position, index: result.index };
    this.#store.insert('job_units', {
      job_id: jobId,
      position,
      idx: result.index,
      label: result.label,
      detail: this.#contents.shared(jobId, JSON.stringify(getUnitDetail(result))),
      document:
        document === undefined
          ? undefined
          : this.#contents.shared(jobId, this.sealed(JSON.stringify(document), key, 'document', sensitive)),
      outcome: result.outcome,
      error: JSON.stringify(result.error),
      done: result.progress?.done,
      total: result.progress?.total,
    });
  }

  writeDevice(jobId: string, position: number, { state, error, open }: DeviceStanding, at: string): void {
    this.#store.run(
      `UPDATE job_devices SET state = ?, error = ?, open_reason = ?, open_since = ${open === undefined ? 'NULL' : 'coalesce(open_since, ?)'}
       WHERE job_id = ? AND position = ?`,
      state,
      toJsonOrNull(error),
      open ?? null,
      ...(open === undefined ? [] : [at]),
      jobId,
      position,
    );
  }

  /**
   * Writes a result. `shown`: what the device shows of it after the write, sealed if it must be; absent: what
   * was kept of that stays.
   */
  writeResult(key: UnitKey, result: UnitResult, at: string | null, shown?: Content): void {
    this.#store.update(
      'job_units',
      {
        phase: result.outcome === 'pending' ? 'planned' : 'settled',
        outcome: result.outcome,
        detail: this.detail(key.jobId, result),
        status: JSON.stringify(result.status),
        error: JSON.stringify(result.error),
        note: result.note,
        done: result.progress?.done,
        total: result.progress?.total,
        ...(at === null ? {} : { result_at: at }),
        ...(shown === undefined ? {} : { after_document: this.#contents.shared(key.jobId, shown) }),
      },
      { job_id: key.jobId, position: key.position, idx: key.index },
    );
  }

  /** Writes an intent: `before` is kept from the first attempt, unless it is to be `renewed`. */
  writeIntent(
    { jobId, position, index }: UnitKey,
    result: UnitResult,
    at: string,
    {
      before,
      sent,
      renewed,
    }: { readonly before: Content | null; readonly sent: Content; readonly renewed: boolean },
  ): void {
    this.#store.run(
      `UPDATE job_units SET phase = 'intent', attempts = attempts + 1, before_document = ${renewed ? '?' : 'coalesce(before_document, ?)'},
       sent_document = ?, after_document = NULL, detail = ?, intent_at = ? WHERE job_id = ? AND position = ? AND idx = ?`,
      before === null ? null : this.#contents.shared(jobId, before),
      this.#contents.shared(jobId, sent),
      this.detail(jobId, result),
      at,
      jobId,
      position,
      index,
    );
  }

  /** Stores what a kind shows of its unit: a few times, or twice a second while something takes long. */
  detail(jobId: string, result: UnitResult): bigint | string {
    return this.#contents.own(jobId, JSON.stringify(getUnitDetail(result)));
  }

  /** Ends the writing for this job. */
  ended(jobId: string): void {
    this.#contents.forget(jobId);
  }

  sealed(text: string, key: UnitKey, place: DocumentPlace, sensitive: boolean): Content {
    return sensitive ? this.#vault.seal(text, sealContext(key, place)) : text;
  }

  /**
   * Seals the text if it must be; undefined if the vault was locked meanwhile: an undo then compares with
   * what was sent.
   */
  sealedShown(key: UnitKey, { text, sensitive }: Shown): Content | undefined {
    try {
      return this.sealed(text, key, 'after', sensitive);
    } catch {
      return undefined;
    }
  }
}
