/**
 * Changes that a person has to keep, as the journal holds them: a row for each device of a job that may be put back. The
 * row goes when the changes are kept, or with the undo that puts them back.
 */
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { JobState } from '#shared/model.ts';
import { OUTCOMES } from '#shared/outcomes.ts';
import { UNIT_OUTCOMES } from '#shared/model/jobs.ts';
import type { Store } from '#engine/store/index.ts';
import { IS_UNFINISHED, quoteOutcomes } from '../job-state.ts';

const GOOD = quoteOutcomes(UNIT_OUTCOMES.filter((outcome) => OUTCOMES[outcome].good));
const WRITTEN = quoteOutcomes(UNIT_OUTCOMES.filter((outcome) => OUTCOMES[outcome].written));
/** Devices of `confirmations AS c`, or another table, to which something was written. */
const isWrittenTo = (table: string): string => `EXISTS (SELECT 1 FROM job_units AS u
  WHERE u.job_id = ${table}.job_id AND u.position = ${table}.position AND u.attempts > 0 AND u.outcome IN (${WRITTEN}))`;

/** Adds devices, by their places in the job, to which it may write from now on. */
export function addUnconfirmed(store: Store, jobId: string, positions: readonly number[]): void {
  for (const position of positions) store.insert('confirmations', { job_id: jobId, position }, 'replace');
}

/** Sets the time until which the changes can be kept; devices to which nothing was written are left out. */
export function beginCountdown(store: Store, jobId: string, until: string): void {
  store.transaction(() => {
    store.run(`DELETE FROM confirmations AS c WHERE job_id = ? AND NOT ${isWrittenTo('c')}`, jobId);
    setCountdown(store, jobId, until);
  });
}

export function setCountdown(store: Store, jobId: string, until: string | undefined): void {
  store.update('confirmations', { until }, { job_id: jobId });
}

/** Returns the end of the countdown (ISO 8601); undefined if there is none. */
export function readCountdown(store: Store, jobId: string): string | undefined {
  const sql = 'SELECT max(until) AS until FROM confirmations WHERE job_id = ?';
  return store.get<{ readonly until: string | null }>(sql, jobId)?.until ?? undefined;
}

/** Lists the devices of a job whose changes are not kept yet, by their places. */
export function listUnconfirmed(store: Store, jobId: string): readonly number[] {
  const sql = 'SELECT position FROM confirmations WHERE job_id = ? ORDER BY position';
  return store.all<{ readonly position: number }>(sql, jobId).map(({ position }) => position);
}

/** Removes devices of a job, by default all; returns how many of them were still there. */
export function removeUnconfirmed(store: Store, jobId: string, positions?: readonly number[]): number {
  const { changes } = store.run(
    'DELETE FROM confirmations WHERE job_id = ? AND (? IS NULL OR position IN (SELECT value FROM json_each(?)))',
    jobId,
    ...[1, 2].map(() => (positions === undefined ? null : JSON.stringify(positions))),
  );
  return changes;
}

/** Lists the jobs at work no more whose changes were not kept: their time is over, or their process has ended. */
export function listUnkeptJobs(store: Store): readonly string[] {
  const sql = `SELECT DISTINCT job_id AS id FROM confirmations JOIN jobs ON jobs.id = job_id
    WHERE state NOT IN (${(['running', 'waiting'] satisfies JobState[]).map((state) => `'${state}'`).join()})`;
  return store.all<{ readonly id: string }>(sql).map(({ id }) => id);
}

/** Returns the undo that puts back what a job changed and was not kept, if there is one. */
export function findReverting(store: Store, jobId: string): string | undefined {
  const sql = "SELECT id FROM jobs WHERE undo_of = ? AND options ->> '$.reverts' ORDER BY rowid DESC LIMIT 1";
  return store.get<{ readonly id: string }>(sql, jobId)?.id;
}

/** Marks in the job that such an undo takes back what it has put back so far; does nothing for other jobs. */
export function markReverted(store: Store, undoId: string): void {
  const sql = "SELECT undo_of AS id FROM jobs WHERE id = ? AND options ->> '$.reverts'";
  const source = store.get<{ readonly id: string }>(sql, undoId)?.id;
  if (source === undefined) return;
  store.run(
    `UPDATE job_units AS u SET outcome = 'reverted', error = NULL, note = NULL WHERE job_id = ? AND outcome IN (${WRITTEN})
       AND EXISTS (SELECT 1 FROM job_devices AS d JOIN job_units AS n ON n.job_id = d.job_id AND n.position = d.position
         WHERE d.job_id = ? AND d.document ->> '$.sourcePosition' = u.position AND n.idx = u.idx AND n.outcome IN (${GOOD}))`,
    source,
    undoId,
  );
  const isReverted = `EXISTS (SELECT 1 FROM job_units AS u WHERE u.job_id = d.job_id AND u.position = d.position AND u.outcome = 'reverted')`;
  store.run(
    `UPDATE job_devices AS d SET state = 'failed' WHERE job_id = ? AND state = 'done' AND ${isReverted}`,
    source,
  );
  markFailed(store, source);
}

/** Ends devices that are not in the list of devices any more: the job says that they keep what it wrote. */
export function endGone(
  store: Store,
  jobId: string,
  gone: readonly { readonly position: number; readonly url: string }[],
): void {
  if (gone.length === 0) return;
  store.transaction(() => {
    for (const { position, url } of gone) {
      const error: ErrorShape = {
        code: 'unknown-device',
        source: 'user',
        device: url,
        ...say('not-put-back'),
      };
      store.run(
        `UPDATE job_devices AS d SET state = 'failed', error = ? WHERE job_id = ? AND position = ? AND ${isWrittenTo('d')}`,
        JSON.stringify(error),
        jobId,
        position,
      );
    }
    removeUnconfirmed(
      store,
      jobId,
      gone.map(({ position }) => position),
    );
    markFailed(store, jobId);
  });
}

/** Counts the results of an ended job again: it is done no more. */
function markFailed(store: Store, jobId: string): void {
  store.run(
    `UPDATE jobs SET totals = NULL, state = iif(state IN ('done', 'interrupted') AND NOT EXISTS (
       SELECT 1 FROM job_devices AS d WHERE d.job_id = jobs.id AND ${IS_UNFINISHED}), 'failed', state) WHERE id = ?`,
    jobId,
  );
}
