/** Changes of settings as the journal has them, one setting at a time: who changed what, where and when. */
import type { ChangeQuery } from '#shared/contract/inputs.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { ChangeEntry, ChangePage, LastChange } from '#shared/history.ts';
import type { Change, JobRun, NoUndo, Params } from '#shared/model.ts';
import { OUTCOMES, type ShownOutcome } from '#shared/outcomes.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SqlValue, Store } from '#engine/store/index.ts';
import { getSettingPath, isWithin } from '#protocol/index.ts';
import { UNIT_COLUMNS, toUnitResult, type UnitColumns } from '../job-columns.ts';
import type { JobKinds } from '../job-kind.ts';

interface WriteRow {
  readonly row: number;
  readonly job_id: string;
  readonly kind: string;
  readonly created_at: string;
  readonly by_user: string;
  readonly title: string;
  readonly position: number;
  readonly idx: number;
  readonly device_id: string;
  readonly name: string;
  readonly url: string;
  readonly at: string | null;
  readonly has_before: number;
}

interface WrittenDetail {
  readonly set?: string;
  readonly params?: Params;
  readonly changes?: readonly Change[];
  readonly noUndo?: NoUndo;
}

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 200;
/** Largest number of values that one setting shows. */
const MOST_VALUES = 200;

const WRITTEN = Object.entries(OUTCOMES)
  .filter(([, { written }]) => written)
  .map(([outcome]) => outcome as ShownOutcome);

const IS_WRITTEN = `attempts > 0 AND outcome IN (${WRITTEN.map((outcome) => `'${outcome}'`).join(', ')})`;
const OF_DEVICES =
  'job_devices.target IN (SELECT id FROM journal_targets WHERE device_id IN (SELECT value FROM json_each(?)))';

/** Returns for each of the devices the last work that wrote something to it; devices that none changed are left out. */
export function listLastChanges(store: Store, deviceIds: readonly string[]): readonly LastChange[] {
  return deviceIds.flatMap((deviceId): readonly LastChange[] => {
    const row = store.get<
      Pick<WriteRow, 'kind' | 'title' | 'created_at' | 'at'> & { readonly about: string }
    >(
      `SELECT kind, title, about, created_at, coalesce(result_at, intent_at) AS at
       FROM jobs JOIN job_devices ON job_devices.job_id = jobs.id
         JOIN job_units ON job_units.job_id = jobs.id AND job_units.position = job_devices.position
       WHERE ${IS_WRITTEN} AND ${OF_DEVICES} ORDER BY created_at DESC, jobs.rowid DESC, idx DESC LIMIT 1`,
      JSON.stringify([deviceId]),
    );
    if (row === undefined) return [];
    const { kind, title, about, at, created_at: begun } = row;
    return [{ deviceId, at: at ?? begun, kind, title, about: readOwnJson(about) as LastChange['about'] }];
  });
}

/** Lists a page of changes, newest first; within a job from its last write back. @throws `usage` if `after` is no place of a page */
export function listChanges(store: Store, kinds: Pick<JobKinds, 'find'>, query: ChangeQuery): ChangePage {
  const limit = Math.min(Math.max(query.limit ?? DEFAULT_LIMIT, 1), LARGEST_LIMIT);
  const { sql, values } = buildClause(query);
  const found = store.all<WriteRow>(
    `SELECT jobs.rowid AS row, jobs.id AS job_id, jobs.kind AS kind, jobs.created_at AS created_at, jobs.by_user AS by_user,
       jobs.title AS title, job_units.position AS position, job_units.idx AS idx, device_id, job_devices.name AS name,
       job_devices.url AS url, coalesce(result_at, intent_at) AS at, before_document IS NOT NULL AS has_before
     FROM jobs JOIN job_devices ON job_devices.job_id = jobs.id
       JOIN job_units ON job_units.job_id = jobs.id AND job_units.position = job_devices.position
     WHERE ${IS_WRITTEN} AND ${sql}
     ORDER BY created_at DESC, row DESC, job_units.position DESC, idx DESC LIMIT ?`,
    ...values,
    limit + 1,
  );
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const undone = listUndone(store, shown);
  return {
    changes: shown.flatMap((row) => listEntries(store, { kinds, undone }, row)),
    ...(found.length > limit && last !== undefined
      ? { next: [last.created_at, last.row, last.position, last.idx].join('~') }
      : {}),
  };
}

function buildClause({ deviceIds, jobId, from, to, after }: ChangeQuery): {
  readonly sql: string;
  readonly values: readonly SqlValue[];
} {
  const clauses: { readonly sql: string; readonly values: readonly SqlValue[] }[] = [
    { sql: '1', values: [] },
  ];
  if (deviceIds !== undefined)
    clauses.push({
      sql: `${OF_DEVICES}`,
      values: [JSON.stringify(deviceIds)],
    });
  if (jobId !== undefined) clauses.push({ sql: 'jobs.id = ?', values: [jobId] });
  if (from !== undefined)
    clauses.push({ sql: 'jobs.created_at >= ?', values: [new Date(from).toISOString()] });
  if (to !== undefined) clauses.push({ sql: 'jobs.created_at <= ?', values: [new Date(to).toISOString()] });
  if (after !== undefined)
    clauses.push({
      sql: '(jobs.created_at, jobs.rowid, job_units.position, job_units.idx) < (?, ?, ?, ?)',
      values: readCursor(after),
    });
  return {
    sql: clauses.map((clause) => clause.sql).join(' AND '),
    values: clauses.flatMap((clause) => clause.values),
  };
}

function readCursor(text: string): readonly SqlValue[] {
  const [, at, ...numbers] = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z)~(\d{1,15})~(\d{1,9})~(\d{1,9})$/.exec(text) ?? [];
  if (at === undefined)
    throw new FieldwrightError({ code: 'usage', source: 'user', path: 'after', ...say('no-page') });
  return [at, ...numbers.map(Number)];
}

/** Lists the settings that one write changed. */
function listEntries(
  store: Store,
  { kinds, undone }: { readonly kinds: Pick<JobKinds, 'find'>; readonly undone: readonly Undone[] },
  row: WriteRow,
): readonly ChangeEntry[] {
  const key = [row.job_id, row.position, row.idx] as const;
  const unit = store.get<UnitColumns>(
    `SELECT ${UNIT_COLUMNS} FROM job_units WHERE job_id = ? AND position = ? AND idx = ?`,
    ...key,
  );
  if (unit === undefined) return [];
  const result = toUnitResult(unit) as ReturnType<typeof toUnitResult> & WrittenDetail;
  const { set, label, params = {}, changes = [], outcome, noUndo } = result;
  const by = store.get<Pick<JobRun, 'by'> & object>(
    'SELECT by_user AS "by" FROM job_runs WHERE job_id = ? AND at <= ? ORDER BY number DESC LIMIT 1',
    row.job_id,
    row.at ?? row.created_at,
  )?.by;
  const canUndo = kinds.find(row.kind)?.undo !== undefined && row.has_before === 1;
  if (set === undefined) return [];
  return [...Map.groupBy(changes, ({ path }) => getSettingPath(path))].map(([path, values]): ChangeEntry => {
    const undoneBy = findUndo(undone, row, path);
    return {
      id: [...key, path].join(':'),
      at: row.at ?? row.created_at,
      by: by ?? row.by_user,
      jobId: row.job_id,
      kind: row.kind,
      title: row.title,
      deviceId: row.device_id,
      device: row.name,
      url: row.url,
      index: row.idx,
      set,
      label,
      params,
      path,
      changes: values.slice(0, MOST_VALUES),
      outcome,
      canUndo,
      ...removeUndefined({ noUndo, undoneBy }),
    };
  });
}

interface Undone {
  readonly id: string;
  readonly undo_of: string;
  readonly device_id: string;
  readonly idx: number;
  readonly body: string;
}

/** Lists the undos that took these writes back, in one reading of the journal. */
function listUndone(store: Store, rows: readonly WriteRow[]): readonly Undone[] {
  return store.all<Undone>(
    `SELECT jobs.id AS id, undo_of, device_id, idx, jobs.body AS body FROM jobs
       JOIN job_devices ON job_devices.job_id = jobs.id
       JOIN job_units ON job_units.job_id = jobs.id AND job_units.position = job_devices.position
     WHERE undo_of IN (SELECT value FROM json_each(?))
       AND outcome IN ('effective', 'accepted', 'needs-reboot', 'unchanged')`,
    JSON.stringify([...new Set(rows.map(({ job_id: id }) => id))]),
  );
}

/** Returns the job that took this setting back. */
function findUndo(
  undone: readonly Undone[],
  { job_id: jobId, device_id: deviceId, idx }: WriteRow,
  path: string,
): string | undefined {
  return undone.find((undo) => {
    const { only } = readOwnJson(undo.body) as { readonly only?: { readonly path: string } };
    return (
      undo.undo_of === jobId &&
      undo.device_id === deviceId &&
      undo.idx === idx &&
      (only === undefined || isWithin(path, only.path))
    );
  })?.id;
}
