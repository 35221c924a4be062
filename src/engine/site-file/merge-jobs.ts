/** Merges the journal: jobs by id, and their units by the time of what was done last. */
import type { SiteFileConflict, WorkOwner } from '#shared/site-file.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { ensureJournalTarget } from '../jobs/history/search-text.ts';
import type { Store } from '../store/index.ts';
import { createRowError } from './stage.ts';
import { SITE_TABLES, stageName, type SiteTableName } from './tables.ts';

interface JobsOptions {
  readonly store: Store;
  /** Id of this data folder, and of the file. */
  readonly me: WorkOwner;
  readonly fileId: string;
}

/** Time, tries and result of a unit: the greater one is what was done last. */
const PROGRESS = (unit: string): string =>
  `(max(coalesce(${unit}.result_at, ''), coalesce(${unit}.intent_at, '')), ${unit}.attempts, ${unit}.phase = 'settled', ${unit}.outcome)`;

/** Returns the columns of a table as a list, those in `replaced` by other SQL. */
function listColumns(name: SiteTableName, replaced: Readonly<Record<string, string>> = {}): string {
  const columns = Object.keys(SITE_TABLES.find((table) => table.name === name)?.columns ?? {});
  return columns.map((column) => replaced[column] ?? column).join(', ');
}

/** Adds and merges the jobs. Returns how many are new, how many became different, and what was done twice. */
export function mergeJobs(options: JobsOptions): {
  readonly added: number;
  readonly merged: number;
  readonly conflicts: readonly SiteFileConflict[];
} {
  const { store } = options;
  requireOwnJobs(store);
  const both = store
    .all<{ readonly id: string }>(
      `SELECT id FROM ${stageName('jobs')} WHERE id IN (SELECT id FROM main.jobs) ORDER BY id`,
    )
    .map(({ id }) => id);
  const offset = Number(
    store.get<{ readonly most: number | null }>('SELECT max(id) AS most FROM main.job_contents')?.most ?? 0,
  );
  const { changes: added } = store.run(
    `INSERT INTO main.jobs (${listColumns('jobs')}, owner_process, owner_engine)
     SELECT ${listColumns('jobs')}, 0, 'site-file' FROM ${stageName('jobs')} AS s
     WHERE NOT EXISTS (SELECT 1 FROM main.jobs AS m WHERE m.id = s.id) ORDER BY created_at, id`,
  );
  const conflicts = [...findDoneTwice(store), ...takeOwners(options)];
  const merged = both.filter((id) => isAhead(store, id));
  const taken = JSON.stringify([
    ...store
      .all<{ readonly id: string }>(`SELECT id FROM ${stageName('jobs')}`)
      .map(({ id }) => id)
      .filter((id) => !both.includes(id)),
    ...merged,
  ]);
  insertRows(store, taken, offset);
  for (const id of merged) {
    mergeRuns(store, id);
    refreshJob(store, id);
  }
  if (added > 0) orderRows(store);
  return { added, merged: merged.length, conflicts };
}

/** @throws `unreadable-file` for a job that is here and has none of the devices of the file, and for units without their content */
function requireOwnJobs(store: Store): void {
  const foreign = store.get(
    `SELECT 1 FROM main.jobs AS m JOIN ${stageName('jobs')} AS s ON s.id = m.id
     WHERE NOT EXISTS (SELECT 1 FROM main.job_devices AS d JOIN ${stageName('job_devices')} AS t
       ON t.job_id = d.job_id AND t.position = d.position AND t.device_id = d.device_id WHERE d.job_id = m.id AND d.device_id <> '') LIMIT 1`,
  );
  if (foreign !== undefined) throw createRowError('jobs.id');
  const broken = store.get(
    `SELECT 1 FROM ${stageName('job_units')} AS u LEFT JOIN ${stageName('job_contents')} AS c ON c.id = u.detail AND c.job_id = u.job_id
     WHERE typeof(u.detail) = 'integer' AND NOT coalesce(json_valid(c.content), 0) LIMIT 1`,
  );
  if (broken !== undefined) throw createRowError('job_units.detail');
}

/** Lists units that were done on both sides, and differently. */
function findDoneTwice(store: Store): readonly SiteFileConflict[] {
  return store
    .all<Omit<SiteFileConflict, 'what' | 'kept'> & { readonly isTheirs: number }>(
      `SELECT j.title || ' · ' || d.name AS name, m.label AS field, m.outcome AS here, s.outcome AS file,
         coalesce(m.result_at, '') AS hereAt, coalesce(s.result_at, '') AS fileAt, ${PROGRESS('s')} > ${PROGRESS('m')} AS isTheirs
       FROM ${stageName('job_units')} AS s JOIN main.job_units AS m USING (job_id, position, idx)
         JOIN main.jobs AS j ON j.id = m.job_id JOIN main.job_devices AS d ON d.job_id = m.job_id AND d.position = m.position
       WHERE m.result_at IS NOT NULL AND s.result_at IS NOT NULL AND m.result_at <> s.result_at
         AND m.attempts = s.attempts AND 'needs-reboot' NOT IN (m.outcome, s.outcome) AND 'unknown' NOT IN (m.outcome, s.outcome)
       ORDER BY 1, 2 LIMIT 1000`,
    )
    .map(({ isTheirs, ...rest }) => ({ what: 'job', ...rest, kept: isTheirs === 1 ? 'file' : 'here' }));
}

/** Returns whether the file knows more of the job than this data folder. */
function isAhead(store: Store, id: string): boolean {
  return (
    store.get(
      `SELECT 1 FROM ${stageName('job_units')} AS s LEFT JOIN main.job_units AS m USING (job_id, position, idx)
       WHERE s.job_id = ?1 AND (m.job_id IS NULL OR ${PROGRESS('s')} > ${PROGRESS('m')})
       UNION ALL SELECT 1 FROM ${stageName('job_runs')} AS r WHERE r.job_id = ?1
         AND NOT EXISTS (SELECT 1 FROM main.job_runs AS n WHERE n.job_id = r.job_id AND n.at = r.at AND n.kind = r.kind)
       UNION ALL SELECT 1 FROM ${stageName('job_devices')} AS d JOIN main.job_devices AS e USING (job_id, position)
       WHERE d.job_id = ?1 AND (d.dropped IS NOT NULL AND e.dropped IS NULL OR d.work_owner IS NOT NULL AND d.work_owner IS NOT e.work_owner)
       LIMIT 1`,
      id,
    ) !== undefined
  );
}

/**
 * Decides who does the open work: the later decision counts, and of two who took it from one hand-over the first. What the
 * file hands over is done here. Returns work that two took.
 */
function takeOwners({ store, me, fileId }: JobsOptions): readonly SiteFileConflict[] {
  const taken: SiteFileConflict[] = [];
  const rows = store.all<{
    readonly job_id: string;
    readonly position: number;
    readonly theirs: string;
    readonly ours: string | null;
    readonly isHere: number;
    readonly name: string;
  }>(
    `SELECT s.job_id, s.position, s.name, s.work_owner AS theirs, m.work_owner AS ours, m.job_id IS NOT NULL AS isHere
     FROM ${stageName('job_devices')} AS s LEFT JOIN main.job_devices AS m USING (job_id, position) WHERE s.work_owner IS NOT NULL`,
  );
  for (const { job_id: job, position, theirs, ours, isHere, name } of rows) {
    const owner = readOwnJson(theirs) as WorkOwner;
    const before = ours === null ? undefined : (readOwnJson(ours) as WorkOwner);
    const isNewer = before === undefined ? isHere === 0 || owner.id === fileId : isStronger(owner, before);
    const claim = owner.id === fileId ? { ...me, handedAt: owner.at } : owner;
    const kept = isNewer ? JSON.stringify(claim) : ours;
    if (before?.handedAt !== undefined && before.handedAt === claim.handedAt && before.id !== claim.id)
      taken.push({
        what: 'work',
        name,
        field: 'owner',
        here: before.name,
        file: claim.name,
        hereAt: before.at,
        fileAt: claim.at,
        kept: isNewer ? 'file' : 'here',
      });
    store.update(stageName('job_devices'), { work_owner: kept }, { job_id: job, position });
  }
  return taken;
}

/** Compares two owners in one order for all computers, so that the order in which files are opened does not count. */
function isStronger(owner: WorkOwner, before: WorkOwner): boolean {
  const [decided, decidedBefore] = [owner.handedAt ?? owner.at, before.handedAt ?? before.at];
  if (decided !== decidedBefore) return decided > decidedBefore;
  if (owner.handedAt === undefined || before.handedAt === undefined)
    return owner.handedAt !== undefined && before.handedAt === undefined;
  return owner.at < before.at || (owner.at === before.at && owner.id < before.id);
}

function insertRows(store: Store, jobs: string, offset: number): void {
  const within = 'job_id IN (SELECT value FROM json_each(?))';
  store.run(
    `INSERT INTO main.job_contents (id, job_id, content) SELECT id + ${offset}, job_id, content FROM ${stageName('job_contents')} WHERE ${within}`,
    jobs,
  );
  for (const { device_id: deviceId, name, url } of store.all<{
    readonly device_id: string;
    readonly name: string;
    readonly url: string;
  }>(`SELECT DISTINCT device_id, name, url FROM ${stageName('job_devices')} WHERE ${within}`, jobs))
    ensureJournalTarget(store, { deviceId, name, url });
  // A device has the state of the side that worked on it last.
  const latest = (units: string): string =>
    `(SELECT max(max(coalesce(result_at, ''), coalesce(intent_at, ''))) FROM ${units} AS u WHERE u.job_id = s.job_id AND u.position = s.position)`;
  const device = ['state', 'error', 'idle', 'open_reason', 'open_since'];
  store.run(
    `UPDATE main.job_devices AS m SET ${device.map((column) => `${column} = s.${column}`).join(', ')}
     FROM ${stageName('job_devices')} AS s WHERE s.job_id = m.job_id AND s.position = m.position AND m.dropped IS NULL
       AND s.${within} AND coalesce(${latest(stageName('job_units'))}, '') > coalesce(${latest('main.job_units')}, '')`,
    jobs,
  );
  store.run(
    `UPDATE main.job_devices AS m SET dropped = s.dropped, error = s.error, open_reason = NULL, open_since = NULL,
       state = iif(m.state = 'pending', 'failed', m.state)
     FROM ${stageName('job_devices')} AS s WHERE s.job_id = m.job_id AND s.position = m.position
       AND s.${within} AND s.dropped IS NOT NULL AND m.dropped IS NULL AND m.open_reason IS NOT NULL`,
    jobs,
  );
  store.run(
    `UPDATE main.job_devices AS m SET work_owner = s.work_owner FROM ${stageName('job_devices')} AS s
     WHERE s.job_id = m.job_id AND s.position = m.position AND s.${within} AND s.work_owner IS NOT NULL`,
    jobs,
  );
  store.run(
    `INSERT OR IGNORE INTO main.job_devices (${listColumns('job_devices')}, target)
     SELECT ${listColumns('job_devices')}, (SELECT id FROM main.journal_targets AS t WHERE t.device_id = s.device_id AND t.name = s.name AND t.url = s.url)
     FROM ${stageName('job_devices')} AS s WHERE ${within}`,
    jobs,
  );
  store.run(
    `DELETE FROM main.job_units AS m WHERE ${within} AND EXISTS (SELECT 1 FROM ${stageName('job_units')} AS s
       WHERE s.job_id = m.job_id AND s.position = m.position AND s.idx = m.idx AND ${PROGRESS('s')} > ${PROGRESS('m')})`,
    jobs,
  );
  const shifted = Object.fromEntries(
    ['detail', 'document', 'before_document', 'sent_document', 'after_document'].map((column) => [
      column,
      `iif(typeof(${column}) = 'integer', ${column} + ${offset}, ${column})`,
    ]),
  );
  store.run(
    `INSERT OR IGNORE INTO main.job_units (${listColumns('job_units')})
     SELECT ${listColumns('job_units', shifted)} FROM ${stageName('job_units')} WHERE ${within}`,
    jobs,
  );
  store.run(
    `INSERT INTO main.job_runs (${listColumns('job_runs')}) SELECT ${listColumns('job_runs')} FROM ${stageName('job_runs')}
     WHERE ${within} AND job_id NOT IN (SELECT job_id FROM main.job_runs)`,
    jobs,
  );
}

/** Makes the runs of a job those of both sides, in the order of their times. */
function mergeRuns(store: Store, id: string): void {
  const runs = store.all<{ readonly kind: string; readonly at: string; readonly by_user: string }>(
    `SELECT kind, at, by_user FROM main.job_runs WHERE job_id = ?1
     UNION SELECT kind, at, by_user FROM ${stageName('job_runs')} WHERE job_id = ?1 ORDER BY at, kind, by_user`,
    id,
  );
  store.remove('job_runs', { job_id: id });
  for (const [nth, run] of runs.entries()) store.insert('job_runs', { job_id: id, number: nth + 1, ...run });
}

/** Brings the row of a merged job up to date; its numbers are counted again when it is shown. */
function refreshJob(store: Store, id: string): void {
  store.run(
    `UPDATE main.jobs AS m SET state = s.state, ended_at = s.ended_at, options = s.options
     FROM ${stageName('jobs')} AS s WHERE s.id = m.id AND m.id = ? AND coalesce(s.ended_at, '') > coalesce(m.ended_at, '')`,
    id,
  );
  store.run(
    `UPDATE main.jobs SET totals = NULL, follow_up = NULL, owner_engine = 'site-file', state = CASE
       WHEN state IN ('cancelled', 'interrupted') THEN state
       WHEN EXISTS (SELECT 1 FROM main.job_devices AS d WHERE d.job_id = jobs.id AND d.state = 'pending') THEN 'partial'
       WHEN EXISTS (SELECT 1 FROM main.job_devices AS d WHERE d.job_id = jobs.id AND d.state = 'failed') THEN 'failed'
       ELSE 'done' END
     WHERE id = ?`,
    id,
  );
}

/** Puts the jobs in the order of their times: numbers of rows say which of two jobs came later. */
function orderRows(store: Store): void {
  store.run('UPDATE main.jobs SET rowid = -rowid');
  store.run(
    `UPDATE main.jobs SET rowid = o.nth FROM (SELECT id, row_number() OVER (ORDER BY created_at, -rowid) AS nth FROM main.jobs) AS o WHERE o.id = jobs.id`,
  );
}
