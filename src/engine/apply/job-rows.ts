/** Jobs as the journal holds them. */
import { FieldwrightError } from '../../shared/errors.ts';
import type { ErrorShape, StatusReport } from '../../shared/errors.ts';
import type { Change, DeviceResult, Job, JobState, JobSummary, Params, SectionNote, SectionOutcome, SectionResult } from '../../shared/model.ts';
import type { SqlValue, Store } from '../store/index.ts';
import { countOutcomes, isResumable, isWaiting } from './job-state.ts';
import type { Owner } from './owner.ts';
import type { DeviceColumns, SectionColumns } from './rows.ts';

/** `list` shows this many, newest first. */
const LISTED = 500;

interface JobRow {
  readonly id: string;
  readonly kind: 'apply' | 'undo';
  readonly state: JobState;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly by_user: string;
  readonly owner_process: number;
  readonly owner_engine: string;
  readonly owner_started: string | null;
  readonly undo_of: string | null;
  readonly template_name: string;
  readonly template_hash: string;
}
interface SectionRow extends SectionColumns {
  readonly status: string | null;
  readonly note: SectionNote | null;
}

export interface JobRows {
  list(): readonly JobSummary[];
  /** Throws `not-found`. */
  show(id: string): Job;
  /** The id that begins with this text; throws `not-found` where none or several do. */
  fullId(prefix: string): string;
  /** Jobs whose process is gone become `interrupted`: what was being sent is `unknown`. */
  markInterrupted(isAlive: (owner: Owner) => boolean): void;
}

const COLUMNS = 'id, kind, state, created_at, ended_at, by_user, owner_process, owner_engine, owner_started, undo_of, template_name, template_hash';
const LISTED_ONLY = 'job_id IN (SELECT id FROM jobs ORDER BY created_at DESC, rowid DESC LIMIT ?)';
const ENDED_BADLY: ErrorShape = { code: 'cancelled', source: 'app', message: 'Fieldwright ended while this device was being worked on.', hint: 'What had been sent is checked by reading when the job is resumed.' };

export function createJobRows(store: Store): JobRows {
  function results(where: string, ...values: SqlValue[]): ReadonlyMap<string, readonly DeviceResult[]> {
    const sections = Map.groupBy(
      store.all<SectionRow & { readonly job_id: string }>(`SELECT job_id, position, idx, set_name, label, params, planned, outcome, changes, status, error, note FROM job_sections WHERE ${where} ORDER BY job_id, position, idx`, ...values),
      (row) => `${row.job_id} ${row.position}`,
    );
    const devices = store.all<DeviceColumns & { readonly job_id: string }>(`SELECT job_id, position, device_id, name, url, state, error FROM job_devices WHERE ${where} ORDER BY job_id, position`, ...values);
    const grouped = Map.groupBy(devices, (row) => row.job_id);
    return new Map([...grouped].map(([jobId, rows]) => [jobId, rows.map((row) => toDevice(row, sections.get(`${jobId} ${row.position}`) ?? []))]));
  }

  function fullId(prefix: string): string {
    const found = store.all<{ readonly id: string }>('SELECT id FROM jobs WHERE substr(id, 1, ?) = ? LIMIT 2', prefix.length, prefix);
    const [only] = found;
    if (only !== undefined && (found.length === 1 || only.id === prefix)) return only.id;
    const message = only === undefined ? `There is no job "${prefix}".` : `Several jobs begin with "${prefix}"; give more of the id.`;
    throw new FieldwrightError({ code: 'not-found', source: 'user', message });
  }

  return {
    list() {
      const jobs = store.all<JobRow>(`SELECT ${COLUMNS} FROM jobs ORDER BY created_at DESC, rowid DESC LIMIT ?`, LISTED);
      const counts = Map.groupBy(
        store.all<{ readonly job_id: string; readonly outcome: SectionOutcome; readonly count: number }>(`SELECT job_id, outcome, count(*) AS count FROM job_sections WHERE ${LISTED_ONLY} GROUP BY job_id, outcome`, LISTED),
        (row) => row.job_id,
      );
      const devices = new Map(store.all<{ readonly job_id: string; readonly count: number; readonly waiting: number }>(
        `SELECT job_id, count(*) AS count, sum(error IS NOT NULL OR state IN ('pending', 'running')) AS waiting FROM job_devices WHERE ${LISTED_ONLY} GROUP BY job_id`, LISTED,
      ).map((row) => [row.job_id, row]));
      return jobs.map((job) => {
        const outcomes = Object.fromEntries((counts.get(job.id) ?? []).map((row) => [row.outcome, row.count]));
        const { count = 0, waiting = 0 } = devices.get(job.id) ?? {};
        return summary(job, { devices: count, counts: outcomes, deviceWaits: waiting > 0 });
      });
    },
    show(id) {
      const job = store.get<JobRow>(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`, id);
      if (job === undefined) throw new FieldwrightError({ code: 'not-found', source: 'user', message: `There is no job "${id}".` });
      const devices = results('job_id = ?', id).get(id) ?? [];
      return { ...summary(job, { devices: devices.length, counts: countOutcomes(devices), deviceWaits: devices.some(isWaiting) }), results: devices };
    },
    fullId,
    markInterrupted(isAlive) {
      const dead = store.all<JobRow>(`SELECT ${COLUMNS} FROM jobs WHERE state = 'running'`).filter((job) => !isAlive(ownerOf(job)));
      if (dead.length === 0) return;
      store.transaction(() => {
        for (const { id } of dead) {
          store.run("UPDATE job_sections SET outcome = 'unknown' WHERE job_id = ? AND phase = 'intent'", id);
          store.run("UPDATE job_devices SET state = 'failed', error = ? WHERE job_id = ? AND state = 'running'", JSON.stringify(ENDED_BADLY), id);
          store.run("UPDATE jobs SET state = 'interrupted' WHERE id = ? AND state = 'running'", id);
        }
      });
    },
  };
}

function ownerOf(job: JobRow): Owner {
  return { process: job.owner_process, engine: job.owner_engine, ...(job.owner_started === null ? {} : { started: job.owner_started }) };
}

function summary(job: JobRow, about: { readonly devices: number; readonly counts: JobSummary['counts']; readonly deviceWaits: boolean }): JobSummary {
  return {
    id: job.id, kind: job.kind, ...(job.undo_of === null ? {} : { undoOf: job.undo_of }), state: job.state, createdAt: job.created_at, ...(job.ended_at === null ? {} : { endedAt: job.ended_at }),
    by: job.by_user, template: { name: job.template_name, hash: job.template_hash },
    devices: about.devices, counts: about.counts, resumable: isResumable(job.state, about.counts, about.deviceWaits),
  };
}

function toDevice(row: DeviceColumns, sections: readonly SectionRow[]): DeviceResult {
  return {
    deviceId: row.device_id, name: row.name, url: row.url, state: row.state,
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as ErrorShape }), sections: sections.map(toSection),
  };
}

function toSection(row: SectionRow): SectionResult {
  return {
    index: row.idx, set: row.set_name, label: row.label, params: JSON.parse(row.params) as Params, outcome: row.outcome,
    changes: JSON.parse(row.changes ?? row.planned) as Change[],
    ...(row.status === null ? {} : { status: JSON.parse(row.status) as StatusReport }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as ErrorShape }),
    ...(row.note === null ? {} : { note: row.note }),
  };
}
