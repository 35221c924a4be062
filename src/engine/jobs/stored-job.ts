/** A job as the journal holds it, with all that resuming and undoing need. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { type ErrorShape, userError, appError } from '#shared/errors.ts';
import type { ApplyOptions, JobAbout, JobState } from '#shared/model.ts';
import type { Vault } from '../inventory/access/vault.ts';
import type { Store } from '../store/index.ts';
import {
  selectContent,
  getUnitDetail,
  UNIT_COLUMNS,
  toUnitResult,
  type Content,
  type DeviceColumns,
  type UnitColumns,
} from './job-columns.ts';
import { findFinishedLater } from './finished-later.ts';
import type { JobKind, JobKinds } from './job-kind.ts';
import { sealContext } from './journal-rows.ts';
import type {
  ConnectionRecord,
  DocumentPlace,
  FollowUpRecord,
  StoredDocuments,
  StoredJob,
  StoredUnit,
  UnitKey,
} from './types.ts';
import { readOwnJson } from '#shared/read-json.ts';

interface JobRow {
  readonly kind: string;
  readonly title: string;
  readonly about: string;
  readonly subject: string | null;
  readonly undo_of: string | null;
  readonly state: JobState;
  readonly body: string;
  readonly options: string;
  readonly follow_up: string | null;
}
interface DeviceRow extends Omit<DeviceColumns, 'idle' | 'open_reason'> {
  readonly dropped: string | null;
  readonly connection: string | null;
  readonly document: string;
}
interface UnitRow extends UnitColumns {
  readonly document: Content | null;
  readonly attempts: number;
  readonly has_before: number;
}

type Schemas = ReturnType<JobKind['schemas']>;

export class StoredJobs {
  readonly #store: Store;
  readonly #vault: Pick<Vault, 'open'>;
  readonly #kinds: Pick<JobKinds, 'of'>;

  constructor(store: Store, vault: Pick<Vault, 'open'>, kinds: Pick<JobKinds, 'of'>) {
    this.#store = store;
    this.#vault = vault;
    this.#kinds = kinds;
  }

  /**
   * Reads a job by its full id. @throws `not-found`, or `storage-damaged` if it does not fit the schemas of
   * its kind
   */
  read(id: string): StoredJob {
    const job = this.#store.get<JobRow>(
      'SELECT kind, title, about, subject, undo_of, state, body, options, follow_up FROM jobs WHERE id = ?',
      id,
    );
    if (job === undefined) throw userError('not-found', say('no-job', { id }));
    const schemas = this.#kinds.of(job.kind).schemas();
    const undoOf = job.undo_of ?? undefined;
    const units = Map.groupBy(
      this.#store.all<UnitRow>(
        `SELECT ${UNIT_COLUMNS}, ${selectContent('document')}, attempts, before_document IS NOT NULL AS has_before FROM job_units WHERE job_id = ? ORDER BY position, idx`,
        id,
      ),
      ({ position }) => position,
    );
    const devices = this.#store.all<DeviceRow>(
      'SELECT position, device_id, name, url, state, error, connection, document, dropped FROM job_devices WHERE job_id = ? ORDER BY position',
      id,
    );
    const later = findFinishedLater(this.#store, id);
    return {
      id,
      kind: job.kind,
      title: job.title,
      about: readOwnJson(job.about) as JobAbout,
      ...(job.subject === null ? {} : { subject: job.subject }),
      undoOf,
      source: () => (undoOf === undefined ? undefined : this.read(undoOf)),
      state: job.state,
      body: kept(schemas.body, job.body),
      options: readOwnJson(job.options) as ApplyOptions,
      ...(job.follow_up === null ? {} : { followUp: readOwnJson(job.follow_up) as FollowUpRecord }),
      devices: devices.map((row) => ({
        position: row.position,
        deviceId: row.device_id,
        name: row.name,
        url: row.url,
        state: row.state,
        ...(row.error === null ? {} : { error: readOwnJson(row.error) as ErrorShape }),
        ...(row.connection === null ? {} : { connection: readOwnJson(row.connection) as ConnectionRecord }),
        ...((later.has(row.position) || row.dropped !== null) && { finishedLater: true }),
        document: kept(schemas.device, row.document),
        units: (units.get(row.position) ?? []).map((unit) => this.#unit(unit, id, schemas)),
      })),
    };
  }

  #unit(row: UnitRow, jobId: string, schemas: Schemas): StoredUnit {
    const key = { jobId, position: row.position, index: row.idx };
    const { document } = row;
    const result = toUnitResult(row);
    const { label, title, outcome, error, progress } = result;
    return {
      key,
      label,
      outcome,
      ...removeUndefined({ title, error, progress }),
      detail: checked(schemas.detail, getUnitDetail(result)),
      document: () =>
        document === null ? undefined : kept(schemas.unit, this.#text(document, key, 'document')),
      documents: () => this.#documents(key),
      attempts: row.attempts,
      hasBefore: row.has_before === 1,
    };
  }

  #documents(key: UnitKey): StoredDocuments {
    const row = this.#store.get<Readonly<Record<'before' | 'sent' | 'after', Content | null>>>(
      `SELECT ${selectContent('before_document', 'before')}, ${selectContent('sent_document', 'sent')}, ${selectContent('after_document', 'after')}
       FROM job_units WHERE job_id = ? AND position = ? AND idx = ?`,
      key.jobId,
      key.position,
      key.index,
    );
    const text = (place: 'before' | 'sent' | 'after'): string | undefined => {
      const content = row?.[place] ?? undefined;
      return content === undefined ? undefined : this.#text(content, key, place);
    };
    return removeUndefined({ before: text('before'), sent: text('sent'), after: text('after') });
  }

  #text(content: Content, key: UnitKey, place: DocumentPlace): string {
    return typeof content === 'string' ? content : this.#vault.open(content, sealContext(key, place));
  }
}

function kept(schema: Schemas['body'], text: string): object {
  return checked(schema, readOwnJson(text));
}

function checked(schema: Schemas['body'], value: unknown): object {
  const { success, data } = schema.safeParse(value);
  if (success) return data;
  throw appError('storage-damaged', say('job-damaged'));
}
