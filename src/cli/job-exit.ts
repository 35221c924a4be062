/** What an apply job means for a script. */
import type { DeviceResult, Job, SectionOutcome } from '../shared/model.ts';
import { EXIT, isNotReached, type ExitCode } from './exit-codes.ts';

const WENT_WRONG: ReadonlySet<SectionOutcome> = new Set<SectionOutcome>(['ignored', 'refused', 'blocked', 'failed']);

/** Nobody got as far as sending something to this device. */
function wasNotReached(device: DeviceResult): boolean {
  const errors = [device.error, ...device.sections.map(({ error }) => error)];
  const untouched = device.sections.every(({ outcome }) => outcome === 'failed' || outcome === 'pending' || outcome === 'skipped');
  return untouched && errors.some(isNotReached);
}

/** Work that a later resume can finish: devices whose turn never came, writes whose fate is open. */
function isUnfinished(device: DeviceResult): boolean {
  return device.state === 'pending' || device.state === 'running' || device.sections.some(({ outcome }) => outcome === 'unknown');
}

function hasFailed(device: DeviceResult): boolean {
  return device.state === 'failed' || device.error !== undefined || device.sections.some(({ outcome }) => WENT_WRONG.has(outcome));
}

export function jobExitCode(job: Job, interrupted: boolean): ExitCode {
  if (interrupted && job.state !== 'done') return EXIT.interrupted;
  if (job.results.length > 0 && job.results.every(wasNotReached)) return EXIT.unreachable;
  if (job.results.some(isUnfinished)) return EXIT.resumable;
  return job.results.some(hasFailed) ? EXIT.failed : EXIT.done;
}
