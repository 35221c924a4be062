/** Rows of the journal as they are written; when, and what must be on disk before what, is for the journal to know. */
import type { ErrorShape } from '../../shared/errors.ts';
import type { DeviceResult, JobRun, UnitResult } from '../../shared/model.ts';
import type { Vault } from '../inventory/access/vault.ts';
import type { Store } from '../store/index.ts';
import { targetOf } from './history/search-text.ts';
import { detailOf } from './job-columns.ts';
import type { NewDevice, NewUnit } from './job-kind.ts';
import type { Shown } from './journal.ts';

/** A row of a unit: job, place of the device in the job, place of the unit on the device. */
export interface UnitKey {
  readonly jobId: string;
  readonly position: number;
  readonly index: number;
}

export type DocumentPlace = 'before' | 'sent' | 'after' | 'document';

/** Whose document a sealed journal entry is; it opens in no other place. */
export function sealContext({ jobId, position, index }: UnitKey, place: DocumentPlace): string {
  const unit = `journal/${jobId}/${position}/${index}`;
  return place === 'before' ? unit : `${unit}/${place}`;
}

export class JournalRows {
  readonly #store: Store;
  readonly #vault: Pick<Vault, 'seal'>;

  constructor(store: Store, vault: Pick<Vault, 'seal'>) {
    this.#store = store;
    this.#vault = vault;
  }

  addRun(jobId: string, { kind, at, by }: JobRun): void {
    this.#store.run(
      'INSERT INTO job_runs (job_id, number, kind, at, by_user) SELECT ?, count(*) + 1, ?, ?, ? FROM job_runs WHERE job_id = ?',
      jobId,
      kind,
      at,
      by,
      jobId,
    );
  }

  insertDevice(jobId: string, device: NewDevice, position: number): void {
    this.#store.insert('job_devices', {
      job_id: jobId,
      position,
      device_id: device.deviceId,
      name: device.name,
      url: device.url,
      state: device.state,
      error: JSON.stringify(device.error),
      idle: device.idle === true ? 1 : 0,
      connection: JSON.stringify(device.connection),
      document: JSON.stringify(device.document ?? {}),
      target: targetOf(this.#store, device),
    });
    for (const unit of device.units) this.insertUnit(jobId, position, unit);
  }

  insertUnit(jobId: string, position: number, { result, document, sensitive = false }: NewUnit): void {
    const key = { jobId, position, index: result.index };
    const text = document === undefined ? null : JSON.stringify(document);
    this.#store.insert('job_units', {
      job_id: jobId,
      position,
      idx: result.index,
      label: result.label,
      detail: JSON.stringify(detailOf(result)),
      document: sensitive && text !== null ? this.#vault.seal(text, sealContext(key, 'document')) : text,
      outcome: result.outcome,
      error: JSON.stringify(result.error),
      done: result.progress?.done,
      total: result.progress?.total,
    });
  }

  writeDevice(
    jobId: string,
    position: number,
    state: DeviceResult['state'],
    error: ErrorShape | undefined,
  ): void {
    this.#store.update('job_devices', { state, error: JSON.stringify(error) }, { job_id: jobId, position });
  }

  writeResult(key: UnitKey, result: UnitResult, at: string | null): void {
    this.#store.update(
      'job_units',
      {
        phase: result.outcome === 'pending' ? 'planned' : 'settled',
        outcome: result.outcome,
        detail: JSON.stringify(detailOf(result)),
        status: JSON.stringify(result.status),
        error: JSON.stringify(result.error),
        note: result.note,
        done: result.progress?.done,
        total: result.progress?.total,
        ...(at === null ? {} : { result_at: at }),
      },
      { job_id: key.jobId, position: key.position, idx: key.index },
    );
  }

  /** What is exactly as it was sent is not kept twice. */
  writeShown(key: UnitKey, bytes: Uint8Array): void {
    this.#store.run(
      `UPDATE job_units SET after_known = 1, after_document = CASE WHEN sent_document = ? THEN NULL ELSE ? END
       WHERE job_id = ? AND position = ? AND idx = ?`,
      bytes,
      bytes,
      key.jobId,
      key.position,
      key.index,
    );
  }

  bytesOf(text: string, key: UnitKey, place: DocumentPlace, sensitive: boolean): Uint8Array {
    return sensitive ? this.#vault.seal(text, sealContext(key, place)) : Buffer.from(text, 'utf8');
  }

  /** Sealed where it must be; undefined where the vault was locked meanwhile: an undo then compares with what was sent. */
  keptBytes(key: UnitKey, { text, sensitive }: Shown): Uint8Array | undefined {
    try {
      return this.bytesOf(text, key, 'after', sensitive);
    } catch {
      return undefined;
    }
  }
}
