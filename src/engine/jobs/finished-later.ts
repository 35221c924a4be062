/** Devices of a job that a later job got through with: derived from the journal, so that it holds for every old job. */
import type { JobSummary } from '../../shared/model.ts';
import { isAtWork } from '../../shared/outcomes.ts';
import type { Store } from '../store/index.ts';

/**
 * Returns the positions of devices on which the job is not as asked, and a later job with the same template is, unless
 * that was undone since.
 */
export function finishedLater(store: Pick<Store, 'all'>, jobId: string): ReadonlySet<number> {
  const rows = store.all<{ readonly position: number }>(
    `SELECT d.position FROM jobs AS j JOIN job_devices AS d ON d.job_id = j.id
     WHERE j.id = ? AND j.kind = 'apply' AND d.state <> 'done' AND EXISTS (
       SELECT 1 FROM jobs AS later JOIN job_devices AS e ON e.job_id = later.id
       WHERE later.rowid > j.rowid AND later.kind = 'apply' AND e.state = 'done'
         AND (e.device_id = d.device_id OR e.url = d.url)
         AND json_extract(later.about, '$.template.hash') = json_extract(j.about, '$.template.hash')
         AND NOT EXISTS (
           SELECT 1 FROM jobs AS undo JOIN job_devices AS u ON u.job_id = undo.id
           WHERE undo.undo_of = later.id AND u.device_id = e.device_id AND u.state = 'done'))`,
    jobId,
  );
  return new Set(rows.map(({ position }) => position));
}

/** Returns the summary of an ended job with what later jobs have finished: those devices need no work any more. */
export function withFinishedLater<Summary extends JobSummary>(
  store: Pick<Store, 'all' | 'get'>,
  job: Summary,
): Summary {
  const { attention = 0, pending = 0 } = job.deviceCounts;
  if (job.kind !== 'apply' || isAtWork(job.state) || attention + pending === 0) return job;
  const positions = finishedLater(store, job.id);
  if (positions.size === 0) return job;
  const isLeft = store.get(
    `SELECT 1 FROM job_devices AS d WHERE d.job_id = ? AND d.position NOT IN (SELECT value FROM json_each(?))
       AND (${IS_WAITING} OR EXISTS (${unitsIn("'pending', 'unknown'")})) LIMIT 1`,
    job.id,
    JSON.stringify([...positions]),
  );
  return {
    ...job,
    finishedLater: positions.size,
    resumable: job.resumable && (isLeft !== undefined || (job.rebootPending ?? 0) > 0),
  };
}

function unitsIn(outcomes: string): string {
  return `SELECT 1 FROM job_units AS u WHERE u.job_id = d.job_id AND u.position = d.position AND u.outcome IN (${outcomes})`;
}

/** SQL of `isWaiting` for a device `d`. */
export const IS_WAITING = `(d.state IN ('pending', 'running') OR (d.error IS NOT NULL AND (
  NOT EXISTS (SELECT 1 FROM job_units AS u WHERE u.job_id = d.job_id AND u.position = d.position)
  OR EXISTS (${unitsIn("'pending', 'unknown', 'failed'")}))))`;
