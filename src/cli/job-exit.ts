/** Exit code of an apply job, for scripts. */
import { isOwnTrouble } from '#shared/error-meaning.ts';
import type { DeviceResult, Job } from '#shared/model.ts';
import { EXIT, isNotReached, type ExitCode } from './exit-codes.ts';

/** Returns true if no unit of the device got as far as sending. */
function wasNotReached(device: DeviceResult): boolean {
  const errors = [device.error, ...device.units.map(({ error }) => error)];
  const untouched = device.units.every(
    ({ outcome }) => outcome === 'failed' || outcome === 'pending' || outcome === 'skipped',
  );
  return untouched && errors.some(isNotReached);
}

/** Work that a later resume can finish: devices whose turn never came, writes whose fate is open. */
function isUnfinished(device: DeviceResult): boolean {
  return (
    device.state === 'pending' ||
    device.state === 'running' ||
    device.units.some(({ outcome }) => outcome === 'unknown')
  );
}

/** Returns whether this computer ended the device's turn, for example because its disk is full. */
function wasStoppedHere({ error, units }: DeviceResult): boolean {
  return [error, ...units.map((unit) => unit.error)].some((each) => each !== undefined && isOwnTrouble(each));
}

interface ExitFacts {
  /** Undo that puts back what the job changed. */
  readonly reverting?: Job | undefined;
  /** False for a job that waits for devices without being asked to: a script learns that none was there. */
  readonly waits?: boolean | undefined;
}

export function getJobExitCode(
  job: Job,
  interrupted: boolean,
  { reverting, waits = true }: ExitFacts = {},
): ExitCode {
  if (interrupted && job.state !== 'done') return EXIT.interrupted;
  if (!waits && job.results.every(({ open }) => open === 'away')) return EXIT.unreachable;
  if (job.state === 'interrupted' && job.resumable) return EXIT.resumable;
  if ((job.open ?? 0) + (reverting?.open ?? 0) > 0) return EXIT.resumable;
  if (job.results.length > 0 && job.results.every(wasNotReached)) return EXIT.unreachable;
  if (job.results.some(isUnfinished)) return EXIT.resumable;
  if (job.resumable && job.results.some(wasStoppedHere)) return EXIT.resumable;
  // A package that waits for a restart is not in use; a setting that does was taken.
  if (job.kind === 'model' && (job.rebootPending ?? 0) > 0) return EXIT.resumable;
  return job.results.some(({ state, error }) => state === 'failed' || error !== undefined)
    ? EXIT.failed
    : EXIT.done;
}

/** Returns the exit code of a command that ended with an error after it had started a job; `ended`: the job, if it ended first. */
export function exitCodeAfterStart(ended: Job | undefined): ExitCode {
  if (ended === undefined) return EXIT.resumable;
  const code = getJobExitCode(ended, false);
  return code === EXIT.done ? EXIT.failed : code;
}
