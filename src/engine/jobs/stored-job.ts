/** A job as the journal holds it, with all that resuming and undoing need. */
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type {
  ApplyOptions,
  Change,
  DeviceResult,
  JobState,
  Params,
  Plan,
  SectionOutcome,
} from '../../shared/model.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import { sealContext } from './journal.ts';
import type { Confirmed, ConnectionRecord, DocumentPlace, FollowUpRecord, SectionKey } from './journal.ts';
import type { DeviceColumns, SectionColumns } from './rows.ts';

export interface StoredSection {
  readonly key: SectionKey;
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  /** Confirmed changes. */
  readonly planned: readonly Change[];
  /** Absent for an undo, and where an older version wrote the journal. */
  readonly confirmed?: Confirmed;
  readonly outcome: SectionOutcome;
  /** Times it was sent. */
  readonly attempts: number;
  /** What the last write was about; the confirmed ones where none was sent. */
  readonly changes: readonly Change[];
  readonly error?: ErrorShape;
  readonly sealed: boolean;
  readonly hasBefore: boolean;
  readonly hasSent: boolean;
  /** What the device showed after the write is known. */
  readonly afterKnown: boolean;
}

export interface StoredDevice {
  readonly position: number;
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly state: DeviceResult['state'];
  readonly error?: ErrorShape;
  readonly values: Readonly<Record<string, unknown>>;
  readonly connection?: ConnectionRecord;
  readonly sourcePosition?: number;
  readonly sections: readonly StoredSection[];
}

export interface StoredJob {
  readonly id: string;
  readonly kind: 'apply' | 'undo';
  readonly undoOf?: string;
  readonly backwards: boolean;
  readonly state: JobState;
  readonly template: Plan['template'];
  readonly options: ApplyOptions;
  readonly secretsCheck?: Uint8Array;
  /** A follow-up that is under way or was cut off. */
  readonly followUp?: FollowUpRecord;
  readonly devices: readonly StoredDevice[];
}

/** Documents of one section: as read before, as sent, as shown after the write. */
export interface StoredDocuments {
  readonly before?: string;
  readonly sent?: string;
  readonly after?: string;
}

export interface StoredJobs {
  /** By its full id; throws `not-found`. */
  read(id: string): StoredJob;
  /** Throws `vault-locked` or `vault-damaged` where they are sealed. */
  documents(key: SectionKey): StoredDocuments;
}

interface JobRow {
  readonly kind: 'apply' | 'undo';
  readonly undo_of: string | null;
  readonly backwards: number;
  readonly state: JobState;
  readonly template_name: string;
  readonly template_hash: string;
  readonly template_text: string;
  readonly template_id: string | null;
  readonly template_version: number | null;
  readonly options: string;
  readonly secrets_check: Uint8Array | null;
  readonly follow_up: string | null;
}
interface DeviceRow extends Omit<DeviceColumns, 'idle'> {
  readonly given: string;
  readonly connection: string | null;
  readonly source_position: number | null;
}
interface SectionRow extends SectionColumns {
  readonly confirmed: string | null;
  readonly attempts: number;
  readonly before_sealed: number;
  readonly has_before: number;
  readonly has_sent: number;
  readonly after_known: number;
}

export function createStoredJobs(store: Store, vault: Pick<Vault, 'open'>): StoredJobs {
  return {
    read(id) {
      const job = store.get<JobRow>(
        'SELECT kind, undo_of, backwards, state, template_name, template_hash, template_text, template_id, template_version, options, secrets_check, follow_up FROM jobs WHERE id = ?',
        id,
      );
      if (job === undefined)
        throw new FieldwrightError({
          code: 'not-found',
          source: 'user',
          message: `There is no job "${id}".`,
        });
      const sections = Map.groupBy(
        store.all<SectionRow>(
          `SELECT position, idx, set_name, label, params, planned, confirmed, outcome, attempts, changes, error, before_sealed,
         before_document IS NOT NULL AS has_before, sent_document IS NOT NULL AS has_sent, after_known FROM job_sections WHERE job_id = ? ORDER BY position, idx`,
          id,
        ),
        ({ position }) => position,
      );
      const devices = store.all<DeviceRow>(
        'SELECT position, device_id, name, url, state, error, given, connection, source_position FROM job_devices WHERE job_id = ? ORDER BY position',
        id,
      );
      return {
        id,
        kind: job.kind,
        ...(job.undo_of === null ? {} : { undoOf: job.undo_of }),
        backwards: job.backwards === 1,
        state: job.state,
        template: {
          name: job.template_name,
          hash: job.template_hash,
          text: job.template_text,
          ...(job.template_id === null ? {} : { id: job.template_id }),
          ...(job.template_version === null ? {} : { version: job.template_version }),
        },
        options: JSON.parse(job.options) as ApplyOptions,
        ...(job.secrets_check === null ? {} : { secretsCheck: job.secrets_check }),
        ...(job.follow_up === null ? {} : { followUp: JSON.parse(job.follow_up) as FollowUpRecord }),
        devices: devices.map((device) =>
          toDevice(
            device,
            (sections.get(device.position) ?? []).map((section) => toSection(section, id)),
          ),
        ),
      };
    },
    documents(key) {
      const row = store.get<
        Readonly<Record<DocumentPlace, Uint8Array | null>> & {
          readonly sealed: number;
          readonly known: number;
        }
      >(
        'SELECT before_document AS "before", sent_document AS sent, after_document AS "after", before_sealed AS sealed, after_known AS known FROM job_sections WHERE job_id = ? AND position = ? AND idx = ?',
        key.jobId,
        key.position,
        key.index,
      );
      const text = (place: DocumentPlace): string | undefined => {
        const bytes = row?.[place] ?? undefined;
        if (bytes === undefined) return undefined;
        return row?.sealed === 1
          ? vault.open(bytes, sealContext(key, place))
          : Buffer.from(bytes).toString('utf8');
      };
      const [before, sent] = [text('before'), text('sent')];
      const after = row?.known === 1 ? (text('after') ?? sent) : undefined;
      return defined({ before, sent, after });
    },
  };
}

function toDevice(row: DeviceRow, sections: readonly StoredSection[]): StoredDevice {
  return {
    position: row.position,
    deviceId: row.device_id,
    name: row.name,
    url: row.url,
    state: row.state,
    sections,
    values: JSON.parse(row.given) as StoredDevice['values'],
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as ErrorShape }),
    ...(row.connection === null ? {} : { connection: JSON.parse(row.connection) as ConnectionRecord }),
    ...(row.source_position === null ? {} : { sourcePosition: row.source_position }),
  };
}

function toSection(row: SectionRow, jobId: string): StoredSection {
  const planned = JSON.parse(row.planned) as readonly Change[];
  return {
    key: { jobId, position: row.position, index: row.idx },
    set: row.set_name,
    label: row.label,
    params: JSON.parse(row.params) as Params,
    planned,
    ...(row.confirmed === null ? {} : { confirmed: JSON.parse(row.confirmed) as Confirmed }),
    outcome: row.outcome,
    attempts: row.attempts,
    changes: row.changes === null ? planned : (JSON.parse(row.changes) as readonly Change[]),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as ErrorShape }),
    sealed: row.before_sealed === 1,
    hasBefore: row.has_before === 1,
    hasSent: row.has_sent === 1,
    afterKnown: row.after_known === 1,
  };
}
