/**
 * One device's turn in a job: what becomes of it is told to the watchers and written to the journal. What
 * happens here never reaches another device.
 */
import { say } from '../../shared/details.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import { redact } from '../device/redact.ts';
import type { JobContext } from './job-kind.ts';
import { wentWell } from './job-state.ts';

/** What a turn works on. */
export interface TurnTask {
  /** Place in the job's results. */
  readonly position: number;
  /** Empty: the site as a whole. */
  readonly deviceId: string;
  readonly url: string;
  /** Secrets in use, never to be seen in what comes back. */
  readonly secrets: readonly string[];
}

/** A device that could not be worked on now and keeps its place, with the reason; others go on. */
export interface Later {
  readonly later: ErrorShape;
}

/**
 * `work` gives the error that ends the turn early. Never throws; false where the device is not as asked although it
 * had its turn, and where a canary has to wait.
 */
export async function takeTurn(
  task: TurnTask,
  { job, journal, options }: JobContext,
  work: () => Promise<ErrorShape | Later | undefined>,
): Promise<boolean> {
  const finish = (error?: ErrorShape): boolean => {
    if (error?.code === 'cancelled' && job.cancelled) return leave();
    const units = job.results[task.position]?.units ?? [];
    const good = error === undefined && wentWell(units);
    const place = task.url === '' ? {} : { device: task.url };
    const shape = error === undefined ? undefined : redact({ ...place, ...error }, task.secrets);
    job.device(task.position, good ? 'done' : 'failed', shape);
    journal.device(job.id, task.position, good ? 'done' : 'failed', shape);
    return good;
  };

  /** Stopped between two units: what is left keeps its place for a later run. */
  const leave = (): boolean => {
    job.device(task.position, 'pending');
    journal.device(job.id, task.position, 'pending', undefined);
    return true;
  };

  const postpone = (error: ErrorShape): boolean => {
    const shape = redact({ device: task.url, ...error }, task.secrets);
    job.device(task.position, 'pending', shape);
    journal.device(job.id, task.position, 'pending', shape);
    return (options.canary ?? 0) === 0;
  };

  job.device(task.position, 'running');
  journal.device(job.id, task.position, 'running', undefined);
  try {
    const ended = await work();
    return ended !== undefined && 'later' in ended ? postpone(ended.later) : finish(ended);
  } catch (thrown) {
    return finish(toErrorShape(thrown));
  }
}

/** A device that cannot be worked on at all. */
export function refuseTurn(
  position: number,
  error: ErrorShape,
  { job, journal }: JobContext,
): Promise<boolean> {
  job.device(position, 'failed', error);
  journal.device(job.id, position, 'failed', error);
  return Promise.resolve(false);
}

/** A person stopped the job. */
export function cancelled(): ErrorShape {
  return { code: 'cancelled', source: 'user', ...say('stopped-early') };
}
