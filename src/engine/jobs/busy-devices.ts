/** Finds the job that has the devices that another one wants. */
import { say } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Store } from '../store/index.ts';

interface Blocker {
  readonly name: string;
  readonly count: number;
  readonly behind: string;
}

/**
 * Finds a job that works on the same device, in this process or in another one: the two would undo each
 * other's work unseen. A waiting job also lets those go first that wait longer.
 */
export function findBlocker(
  store: Store,
  jobId: string,
  behindWaiting: boolean,
  of: 'all-kinds' | 'other-kinds' = 'all-kinds',
): Blocker | undefined {
  return store.get<Blocker & object>(
    `SELECT theirs.name, count(*) AS count, other.id AS behind FROM jobs AS mine
     JOIN jobs AS other ON other.id <> mine.id AND (? OR other.kind <> mine.kind) AND (other.state = 'running' OR (? AND other.state = 'waiting' AND (other.created_at, other.rowid) < (mine.created_at, mine.rowid)))
     JOIN job_devices AS theirs ON theirs.job_id = other.id AND theirs.state IN ('pending', 'running') AND theirs.url <> ''
     JOIN job_devices AS own ON own.job_id = mine.id AND own.state = 'pending' AND own.url = theirs.url
     WHERE mine.id = ? GROUP BY other.id ORDER BY other.created_at, other.rowid LIMIT 1`,
    of === 'all-kinds' ? 1 : 0,
    behindWaiting ? 1 : 0,
    jobId,
  );
}

export function createBusyError({ name, count, behind }: Blocker): FieldwrightError {
  return new FieldwrightError({
    code: 'not-available',
    source: 'user',
    ...(count === 1
      ? say('device-busy-with-job', { name, job: behind })
      : say('devices-busy-with-job', { count, name, job: behind })),
  });
}
