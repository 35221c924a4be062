/** Every piece of work of the jobs that match, one at a time: bounded memory however long the journal is. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { JobAbout, JobRun, UnitResult } from '#shared/model.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { SqlValue, Store } from '#engine/store/index.ts';
import {
  getUnitDetail,
  UNIT_COLUMNS,
  toUnitResult,
  type DeviceColumns,
  type UnitColumns,
} from '../job-columns.ts';
import type { HistoryKinds, HistoryRow, UnitHistory } from '../types.ts';
import { readOwnJson } from '#shared/read-json.ts';

interface JobRow {
  readonly row: number;
  readonly id: string;
  readonly kind: string;
  readonly created_at: string;
  readonly by_user: string;
  readonly title: string;
  readonly about: string;
}
interface UnitRow extends UnitColumns {
  readonly at: string | null;
}

const JOBS_AT_ONCE = 200;
const DEVICES_AT_ONCE = 50;

/** Selection of jobs (`where` is over `jobs`), and of one device alone if it is named. */
interface HistoryChoice {
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly deviceId?: string;
  /** Weeks by their days, regions by their outlines. */
  readonly byItem?: boolean;
}

/** Reads the rows, newest job first; within a job by device and section. */
export function* readHistoryRows(
  store: Store,
  kinds: HistoryKinds,
  choice: HistoryChoice,
): Generator<HistoryRow> {
  const { where, values } = choice;
  let after: JobRow | undefined;
  for (;;) {
    const jobs: readonly JobRow[] = store.all<JobRow>(
      `SELECT rowid AS row, id, kind, created_at, by_user, title, about FROM jobs WHERE ${where}${after === undefined ? '' : ' AND (created_at, rowid) < (?, ?)'}
       ORDER BY created_at DESC, rowid DESC LIMIT ${JOBS_AT_ONCE}`,
      ...values,
      ...(after === undefined ? [] : [after.created_at, after.row]),
    );
    for (const job of jobs) yield* rowsOfJob(store, job, choice, kinds.find(job.kind)?.history);
    after = jobs.at(-1);
    if (jobs.length < JOBS_AT_ONCE) return;
  }
}

function* rowsOfJob(
  store: Store,
  job: JobRow,
  choice: HistoryChoice,
  history: UnitHistory | undefined,
): Generator<HistoryRow> {
  const { template } = readOwnJson(job.about) as JobAbout;
  const runs = store.all<JobRun & object>(
    'SELECT kind, at, by_user AS "by" FROM job_runs WHERE job_id = ? ORDER BY number DESC',
    job.id,
  );
  const head = {
    job: job.id,
    kind: job.kind,
    title: job.title,
    ...removeUndefined({
      template: template?.name,
      version: template?.version === undefined ? undefined : template.version,
    }),
  };
  for (const [first, end] of rangesOf(store, job, choice)) {
    const range = [job.id, first, end] as const;
    const devices = store.all<Omit<DeviceColumns, 'device_id' | 'idle'>>(
      'SELECT position, name, url, state, error FROM job_devices WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position',
      ...range,
    );
    const units = Map.groupBy(
      store.all<UnitRow>(
        `SELECT ${UNIT_COLUMNS}, coalesce(result_at, intent_at) AS at FROM job_units
         WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position, idx`,
        ...range,
      ),
      ({ position }) => position,
    );
    for (const device of devices) {
      const place = { ...head, device: device.name, url: device.url };
      const own = units.get(device.position) ?? [];
      for (const unit of own) {
        const { at } = unit;
        const moment = {
          time: at ?? job.created_at,
          by: runs.find((run) => at !== null && run.at <= at)?.by ?? job.by_user,
        };
        yield* rowsOfUnit(
          toUnitResult(unit),
          { ...moment, ...place },
          { history, byItem: choice.byItem === true },
        );
      }
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

function* rowsOfUnit(
  unit: UnitResult,
  head: Omit<HistoryRow, 'outcome'>,
  { history, byItem }: { readonly history: UnitHistory | undefined; readonly byItem: boolean },
): Generator<HistoryRow> {
  const { label, outcome, did, note, error, progress } = unit;
  const row: HistoryRow = {
    ...head,
    label,
    outcome,
    ...removeUndefined({ did, note, error: error?.message }),
    ...progress,
  };
  const rows = history?.rows(getUnitDetail(unit), label, byItem) ?? [];
  if (rows.length === 0) yield row;
  for (const fields of rows) yield { ...row, ...fields };
}

function errorOf(json: string | null): { readonly error?: string } {
  return json === null ? {} : { error: (readOwnJson(json) as ErrorShape).message };
}
