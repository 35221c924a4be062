/**
 * Runs one device's turn in a job: its results go to the watchers and the journal. An error here never
 * reaches another device.
 */
import { say } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { DeviceResult } from '#shared/model.ts';
import { redactError } from '../device/redact-result.ts';
import type { JobContext } from './job-kind.ts';
import { haveAllSucceeded } from './job-state.ts';
import { findPassingError } from './open/open-reason.ts';

export interface TurnTask {
  /** Place in the job's results. */
  readonly position: number;
  /** Empty: the site as a whole. */
  readonly deviceId: string;
  readonly url: string;
  /** Secrets in use, never to be seen in what comes back. */
  readonly secrets: readonly string[];
  /** The work itself says what is put off for later. */
  readonly putsOffItself?: boolean;
}

/** A device that could not be worked on now and keeps its place, with the reason; others go on. */
export interface Later {
  readonly later: ErrorShape;
}

/**
 * Runs the turn. `work` returns the error that ends the turn early. Never throws; returns false if the device
 * is not as asked although it had its turn, and if a canary has to wait.
 */
export async function runTurn(
  task: TurnTask,
  context: JobContext,
  work: () => Promise<ErrorShape | Later | undefined>,
): Promise<boolean> {
  const { job, options } = context;
  const { position, url } = task;
  const shapeOf = (error: ErrorShape): ErrorShape =>
    redactError({ ...(url === '' ? {} : { device: url }), ...error }, task.secrets);

  const finish = (error?: ErrorShape): boolean => {
    if (error?.code === 'cancelled' && job.cancelled) {
      // The job was stopped between two units: the rest keeps its place for a later run.
      tell(position, 'pending', undefined, context);
      return true;
    }
    const units = job.results[position]?.units ?? [];
    const passing =
      options.whenBack === undefined || task.putsOffItself === true
        ? undefined
        : findPassingError(error, units);
    if (passing !== undefined) return postpone(passing);
    const good = error === undefined && haveAllSucceeded(units);
    tell(position, good ? 'done' : 'failed', error && shapeOf(error), context);
    return good;
  };

  const postpone = (error: ErrorShape): boolean => {
    tell(position, 'pending', shapeOf(error), context);
    return (options.canary ?? 0) === 0;
  };

  tell(position, 'running', undefined, context);
  try {
    const ended = await work();
    return ended !== undefined && 'later' in ended ? postpone(ended.later) : finish(ended);
  } catch (thrown) {
    return finish(toErrorShape(thrown));
  }
}

/** Ends the turn of a device that cannot be worked on at all. */
export function refuseTurn(position: number, error: ErrorShape, context: JobContext): Promise<boolean> {
  tell(position, 'failed', error, context);
  return Promise.resolve(false);
}

/** Notifies the watchers at once, and writes the journal soon. */
function tell(
  position: number,
  state: DeviceResult['state'],
  error: ErrorShape | undefined,
  { job, journal, clock }: JobContext,
): void {
  journal.device(job.id, position, job.device(position, state, error), clock.now().toISOString());
}

/** Creates the error of a job that a person stopped. */
export function createJobCancelledError(): ErrorShape {
  return { code: 'cancelled', source: 'user', ...say('stopped-early') };
}
