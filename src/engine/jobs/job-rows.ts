/** Jobs as the journal holds them. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { type ErrorShape, userError } from '#shared/errors.ts';
import type {
  JobRun,
  DeviceOutcome,
  DeviceResult,
  Job,
  JobAbout,
  JobState,
  JobSummary,
  UnitOutcome,
} from '#shared/model.ts';
import { getDeviceOutcome, isAtWork } from '#shared/outcomes.ts';
import type { SqlValue, Store } from '../store/index.ts';
import { UNIT_COLUMNS, toUnitResult, type DeviceColumns, type UnitColumns } from './job-columns.ts';
import type { JobKinds } from './job-kind.ts';
import { IS_UNFINISHED, IS_WAITING, isResumable, computeTotals, type JobTotals } from './job-state.ts';
import { findBlocker } from './busy-devices.ts';
import { findReverting, markReverted } from './confirm/confirm-rows.ts';
import { addFinishedLater } from './finished-later.ts';
import type { Owner } from './owner.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** `list` shows this many, newest first. */
const LISTED = 500;

interface JobRow {
  readonly row: number;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly about: string;
  readonly state: JobState;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly by_user: string;
  readonly owner_process: number;
  readonly owner_engine: string;
  readonly owner_started: string | null;
  readonly undo_of: string | null;
  readonly follow_up: string | null;
  readonly totals: string | null;
  readonly confirm_until: string | null;
}

/** A summary and its place in the order of `createdAt`. */
interface PlacedSummary {
  readonly row: number;
  readonly summary: JobSummary;
}

export interface JobRows {
  list(): readonly JobSummary[];
  /** Selects those that match `where` (over `jobs`), newest first. */
  select(where: string, values: readonly SqlValue[], limit: number): readonly PlacedSummary[];
  /** Ids of those that run or wait, oldest first. */
  atWork(): readonly string[];
  /** Throws `not-found`. */
  summary(id: string): JobSummary;
  /** Throws `not-found`. */
  show(id: string): Job;
  /** Returns an ended job as it is now, with what later jobs have finished. */
  withLater<Summary extends JobSummary>(job: Summary): Summary;
  /** Returns the id that begins with this text. @throws `not-found` if none or several do */
  fullId(prefix: string): string;
  /** Returns true if no other engine has continued it since this one did. */
  isOwnedBy(id: string, engine: string): boolean;
  /** Marks jobs without a running process as `interrupted`: what was being sent is `unknown`. */
  markInterrupted(isWorkedOn: (owner: Owner, id: string) => boolean): void;
}

const COLUMNS =
  'rowid AS row, id, kind, title, about, state, created_at, ended_at, by_user, owner_process, owner_engine, owner_started, undo_of, follow_up, totals, (SELECT max(until) FROM confirmations WHERE job_id = jobs.id) AS confirm_until';
const ENDED_BADLY: ErrorShape = {
  code: 'cancelled',
  source: 'app',
  ...say('ended-meanwhile'),
};

/** Makes open work of the rest of a job whose process ended, if it waits for devices or for a window of time. */
const LEFT_OPEN = `UPDATE job_devices AS d SET open_reason = 'interrupted', open_since = (SELECT created_at FROM jobs WHERE id = d.job_id)
  WHERE job_id = ? AND open_reason IS NULL AND ${IS_UNFINISHED}
    AND EXISTS (SELECT 1 FROM jobs WHERE id = d.job_id AND (options ->> '$.whenBack' IS NOT NULL OR options ->> '$.between' IS NOT NULL))`;

export function createJobRows(store: Store, kinds: Pick<JobKinds, 'all'>): JobRows {
  const { all } = kinds;
  const redone = JSON.stringify(
    all.filter(({ interrupted }) => interrupted === 'pending').map(({ name }) => name),
  );

  function results(id: string): readonly DeviceResult[] {
    const units = Map.groupBy(
      store.all<UnitColumns>(
        `SELECT ${UNIT_COLUMNS} FROM job_units WHERE job_id = ? ORDER BY position, idx`,
        id,
      ),
      ({ position }) => position,
    );
    return store
      .all<DeviceColumns>(
        'SELECT position, device_id, name, url, state, error, idle, open_reason FROM job_devices WHERE job_id = ? ORDER BY position',
        id,
      )
      .map((device) => toDevice(device, units.get(device.position) ?? []));
  }

  function fullId(prefix: string): string {
    const found = store.all<{ readonly id: string }>(
      'SELECT id FROM jobs WHERE substr(id, 1, ?) = ? LIMIT 2',
      prefix.length,
      prefix,
    );
    const [only] = found;
    if (only !== undefined && found.length === 1) return only.id;
    throw userError('not-found', say(only === undefined ? 'no-job' : 'several-jobs', { id: prefix }));
  }

  function row(id: string): JobRow {
    const job = store.get<JobRow>(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`, id);
    if (job !== undefined) return job;
    throw userError('not-found', say('no-job', { id }));
  }

  /** Returns the totals: kept with a job that has ended; counted for one that runs or was cut off. */
  function totals(job: JobRow): JobTotals {
    if (job.totals !== null) return readOwnJson(job.totals) as JobTotals;
    const counted = countTotals(store, job.id);
    if (!isAtWork(job.state))
      store.run(
        'UPDATE jobs SET totals = ? WHERE id = ? AND state = ? AND totals IS NULL',
        JSON.stringify(counted),
        job.id,
        job.state,
      );
    return counted;
  }

  function summaryOf(job: JobRow, counted: JobTotals): JobSummary {
    const behind = job.state === 'waiting' ? findBlocker(store, job.id, true)?.behind : undefined;
    return addFinishedLater(store, { ...toSummary(job, counted), ...removeUndefined({ waitsFor: behind }) });
  }

  function select(where: string, values: readonly SqlValue[], limit: number): readonly PlacedSummary[] {
    return store
      .all<JobRow>(
        `SELECT ${COLUMNS} FROM jobs WHERE ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`,
        ...values,
        limit,
      )
      .map((job) => ({ row: job.row, summary: summaryOf(job, totals(job)) }));
  }

  return {
    list: () => select('1', [], LISTED).map(({ summary }) => summary),
    select,
    atWork: () =>
      store
        .all<{ readonly id: string }>(
          "SELECT id FROM jobs WHERE state IN ('running', 'waiting') ORDER BY created_at, rowid",
        )
        .map(({ id }) => id),
    summary(id) {
      const job = row(id);
      return summaryOf(job, totals(job));
    },
    show(id) {
      const job = row(id);
      const devices = results(id);
      const runs = store.all<JobRun & object>(
        'SELECT kind, at, by_user AS "by" FROM job_runs WHERE job_id = ? ORDER BY number',
        id,
      );
      const revertedBy = findReverting(store, id);
      return {
        ...summaryOf(job, computeTotals(devices)),
        runs,
        ...removeUndefined({ revertedBy }),
        results: devices,
      };
    },
    withLater: (job) => addFinishedLater(store, job),
    fullId,
    isOwnedBy: (id, engine) =>
      store.get('SELECT 1 FROM jobs WHERE id = ? AND owner_engine = ?', id, engine) !== undefined,
    markInterrupted(isWorkedOn) {
      const dead = store
        .all<JobRow>(`SELECT ${COLUMNS} FROM jobs WHERE state IN ('running', 'waiting')`)
        .filter((job) => !isWorkedOn(ownerOf(job), job.id));
      if (dead.length === 0) return;
      store.transaction(() => {
        for (const { id, owner_engine: owner } of dead) {
          // Another engine may also have found it dead, and work on it by now.
          const { changes } = store.run(
            "UPDATE jobs SET state = 'interrupted', totals = NULL WHERE id = ? AND state IN ('running', 'waiting') AND owner_engine = ?",
            id,
            owner,
          );
          if (changes === 0) continue;
          store.run(
            "UPDATE job_units SET outcome = iif(sent_document IS NULL AND (SELECT kind FROM jobs WHERE id = job_id) IN (SELECT value FROM json_each(?)), 'pending', 'unknown') WHERE job_id = ? AND phase = 'intent'",
            redone,
            id,
          );
          store.update(
            'job_devices',
            { state: 'failed', error: JSON.stringify(ENDED_BADLY) },
            { job_id: id, state: 'running' },
          );
          store.run(LEFT_OPEN, id);
          markReverted(store, id);
        }
      });
    },
  };
}

function countTotals(store: Store, id: string): JobTotals {
  const outcomes = store.all<{ readonly outcome: UnitOutcome; readonly count: number }>(
    'SELECT outcome, count(*) AS count FROM job_units WHERE job_id = ? GROUP BY outcome',
    id,
  );
  const shapes = store.all<DeviceShape>(
    `SELECT state, failed, seen, count(*) AS count FROM (
       SELECT state, error IS NOT NULL AS failed, (
         SELECT group_concat(DISTINCT outcome || iif(outcome = 'failed', ':' || coalesce(json_extract(job_units.error, '$.code'), ''), ''))
         FROM job_units WHERE job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
       ) AS seen FROM job_devices WHERE job_id = ?
     ) GROUP BY state, failed, seen`,
    id,
  );
  const deviceCounts: Partial<Record<DeviceOutcome, number>> = {};
  for (const shape of shapes) {
    const outcome = outcomeOfShape(shape);
    deviceCounts[outcome] = (deviceCounts[outcome] ?? 0) + shape.count;
  }
  const devices = store.get<{ readonly count: number; readonly waiting: number; readonly open: number }>(
    `SELECT count(*) AS count, coalesce(sum(${IS_WAITING}), 0) AS waiting, count(open_reason) AS open FROM job_devices AS d WHERE job_id = ?`,
    id,
  );
  const reboots = store.get<{ readonly count: number }>(
    "SELECT count(DISTINCT position) AS count FROM job_units WHERE job_id = ? AND outcome = 'needs-reboot'",
    id,
  );
  const progress = store.get<{ readonly done: number; readonly total: number | null }>(
    'SELECT coalesce(sum(done), 0) AS done, nullif(sum(total), 0) AS total FROM job_units WHERE job_id = ? AND done IS NOT NULL',
    id,
  );
  return {
    ...(progress === undefined || progress.total === null
      ? {}
      : { progress: { done: progress.done, total: progress.total } }),
    devices: devices?.count ?? 0,
    open: devices?.open || undefined,
    deviceCounts,
    counts: Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count])),
    deviceWaits: (devices?.waiting ?? 0) > 0,
    rebootPending: reboots?.count ?? 0,
  };
}

/** Devices that fared alike: whether they have an error, and the outcomes of their units, those that failed with the code of their error. */
interface DeviceShape {
  readonly state: DeviceResult['state'];
  readonly failed: number;
  readonly seen: string | null;
  readonly count: number;
}

function outcomeOfShape({ state, failed, seen }: DeviceShape): DeviceOutcome {
  const units = (seen ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [outcome, code = ''] = part.split(':');
      return { outcome: outcome as UnitOutcome, error: { code } };
    });
  return getDeviceOutcome({ state, units, ...(failed === 1 ? { error: true } : {}) });
}

function ownerOf(job: JobRow): Owner {
  return {
    process: job.owner_process,
    engine: job.owner_engine,
    ...(job.owner_started === null ? {} : { started: job.owner_started }),
  };
}

function toSummary(job: JobRow, totals: JobTotals): JobSummary {
  const { devices, deviceCounts, counts, open, rebootPending, progress } = totals;
  return {
    id: job.id,
    kind: job.kind,
    title: job.title,
    about: readOwnJson(job.about) as JobAbout,
    ...(job.undo_of === null ? {} : { undoOf: job.undo_of }),
    state: job.state,
    createdAt: job.created_at,
    ...(job.ended_at === null ? {} : { endedAt: job.ended_at }),
    ...(job.confirm_until === null || !isAtWork(job.state) ? {} : { confirmUntil: job.confirm_until }),
    by: job.by_user,
    devices,
    deviceCounts,
    counts,
    open,
    resumable: isResumable(job.state, totals, job.follow_up !== null),
    ...(rebootPending === 0 ? {} : { rebootPending }),
    progress,
  };
}

function toDevice(row: DeviceColumns, units: readonly UnitColumns[]): DeviceResult {
  return {
    deviceId: row.device_id,
    name: row.name,
    url: row.url,
    state: row.state,
    ...(row.error === null ? {} : { error: readOwnJson(row.error) as ErrorShape }),
    ...(row.open_reason === null ? {} : { open: row.open_reason }),
    ...(row.idle === 1 ? { idle: true } : {}),
    units: units.map(toUnitResult),
  };
}
