/** Every change of the jobs that match, one at a time: bounded memory however long the journal is. */
import { defined } from '../../../shared/defined.ts';
import type { JobRun } from '../../../shared/history.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { Change, JobSummary, Params, SectionNote } from '../../../shared/model.ts';
import type { SqlValue, Store } from '../../store/index.ts';
import type { DeviceColumns, SectionColumns } from '../rows.ts';

/** A change, or a section or device without one and what became of it. Secrets are masked in the journal already. */
export interface HistoryRow {
  /** ISO 8601: of the result, else of the job. */
  readonly time: string;
  readonly job: string;
  readonly kind: JobSummary['kind'];
  /** Who worked on the job at that time. */
  readonly by: string;
  readonly template: string;
  readonly version?: number;
  readonly device: string;
  readonly url: string;
  readonly section?: string;
  readonly params?: Params;
  readonly path?: string;
  readonly label?: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly outcome: string;
  readonly note?: SectionNote;
  readonly error?: string;
}

interface JobRow {
  readonly row: number;
  readonly id: string;
  readonly kind: JobSummary['kind'];
  readonly created_at: string;
  readonly by_user: string;
  readonly template_name: string;
  readonly template_version: number | null;
}
interface SectionRow extends Omit<SectionColumns, 'idx'> {
  readonly note: SectionNote | null;
  readonly at: string | null;
}

const JOBS_AT_ONCE = 200;
const DEVICES_AT_ONCE = 50;

/** Which jobs (`where` is over `jobs`), and of them one device alone where it is named. */
export interface HistoryChoice {
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly deviceId?: string;
}

/** Newest job first; within a job by device and section. */
export function* historyRows(store: Store, choice: HistoryChoice): Generator<HistoryRow> {
  const { where, values } = choice;
  let after: JobRow | undefined;
  for (;;) {
    const jobs: readonly JobRow[] = store.all<JobRow>(
      `SELECT rowid AS row, id, kind, created_at, by_user, template_name, template_version FROM jobs WHERE ${where}${after === undefined ? '' : ' AND (created_at, rowid) < (?, ?)'}
       ORDER BY created_at DESC, rowid DESC LIMIT ${JOBS_AT_ONCE}`,
      ...values,
      ...(after === undefined ? [] : [after.created_at, after.row]),
    );
    for (const job of jobs) yield* rowsOfJob(store, job, choice);
    after = jobs.at(-1);
    if (jobs.length < JOBS_AT_ONCE) return;
  }
}

function* rowsOfJob(store: Store, job: JobRow, choice: HistoryChoice): Generator<HistoryRow> {
  const runs = store.all<JobRun & object>(
    'SELECT kind, at, by_user AS "by" FROM job_runs WHERE job_id = ? ORDER BY number DESC',
    job.id,
  );
  const head = {
    job: job.id,
    kind: job.kind,
    template: job.template_name,
    ...(job.template_version === null ? {} : { version: job.template_version }),
  };
  for (const [first, end] of rangesOf(store, job, choice)) {
    const range = [job.id, first, end] as const;
    const devices = store.all<Omit<DeviceColumns, 'device_id' | 'idle'>>(
      'SELECT position, name, url, state, error FROM job_devices WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position',
      ...range,
    );
    const sections = Map.groupBy(
      store.all<SectionRow>(
        `SELECT position, set_name, label, params, planned, changes, outcome, note, error, coalesce(result_at, intent_at) AS at
       FROM job_sections WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position, idx`,
        ...range,
      ),
      ({ position }) => position,
    );
    for (const device of devices) {
      const place = { ...head, device: device.name, url: device.url };
      const own = sections.get(device.position) ?? [];
      for (const section of own)
        yield* rowsOfSection(section, place, (at) => ({
          time: at ?? job.created_at,
          by: runs.find((run) => at !== null && run.at <= at)?.by ?? job.by_user,
        }));
      if (own.length === 0 || device.error !== null)
        yield {
          time: job.created_at,
          by: job.by_user,
          ...place,
          outcome: device.state,
          ...errorOf(device.error),
        };
    }
  }
}

/** Places of devices, from and up to: some at a time, or those of the one that is asked for. */
function* rangesOf(
  store: Store,
  job: JobRow,
  { deviceId }: HistoryChoice,
): Generator<readonly [number, number]> {
  if (deviceId !== undefined) {
    const places = store.all<{ readonly position: number }>(
      'SELECT position FROM job_devices WHERE job_id = ? AND device_id = ? ORDER BY position',
      job.id,
      deviceId,
    );
    for (const { position } of places) yield [position, position + 1];
    return;
  }
  const end =
    store.get<{ readonly count: number }>(
      'SELECT count(*) AS count FROM job_devices WHERE job_id = ?',
      job.id,
    )?.count ?? 0;
  for (let first = 0; first < end; first += DEVICES_AT_ONCE) yield [first, first + DEVICES_AT_ONCE];
}

function* rowsOfSection(
  section: SectionRow,
  place: Pick<HistoryRow, 'job' | 'kind' | 'template' | 'version' | 'device' | 'url'>,
  moment: (at: string | null) => Pick<HistoryRow, 'time' | 'by'>,
): Generator<HistoryRow> {
  const row: HistoryRow = {
    ...moment(section.at),
    ...place,
    section: section.set_name,
    params: JSON.parse(section.params) as Params,
    label: section.label,
    outcome: section.outcome,
    ...(section.note === null ? {} : { note: section.note }),
    ...errorOf(section.error),
  };
  const changes = JSON.parse(section.changes ?? section.planned) as readonly Change[];
  if (changes.length === 0) yield row;
  for (const { path, label, from, to } of changes)
    yield {
      ...row,
      path,
      label: `${section.label} › ${label}`,
      ...defined({ from, to }),
    };
}

function errorOf(json: string | null): { readonly error?: string } {
  return json === null ? {} : { error: (JSON.parse(json) as ErrorShape).message };
}
