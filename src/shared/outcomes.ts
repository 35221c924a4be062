/**
 * Meaning of each outcome, in one table: the engine, the command line and the screens ask it, so that a job,
 * the list of jobs, a device and a script cannot disagree. The messages of a face have the words under the
 * same names.
 */
import {
  getJobKindFacts,
  type DeviceOutcome,
  type DeviceResult,
  type JobState,
  type JobSummary,
  type StepDeed,
  type UnitOutcome,
  type UnitResult,
} from './model/jobs.ts';

/**
 * Outcome as it is shown: missing on the device differs from failed, which the data tells by its error, and
 * a step is called by what it did.
 */
export type ShownOutcome = UnitOutcome | 'unsupported' | StepDeed;
export type OutcomeTone = 'good' | 'info' | 'warn' | 'special' | 'bad' | 'quiet';

interface OutcomeMeaning {
  /** The device is, or after a restart will be, as asked. `accepted` cannot be read back. */
  readonly good: boolean;
  /** The device may hold something of ours, which an undo can take back. */
  readonly written: boolean;
  /** The device accepted it, or gave no answer, and the value was not seen in force. */
  readonly unseen: boolean;
  /** Outcome of the device with such a unit. */
  readonly device: DeviceOutcome;
  readonly tone: OutcomeTone;
}

function meaning(
  device: DeviceOutcome,
  tone: OutcomeTone,
  is: readonly ('good' | 'written' | 'unseen')[] = [],
): OutcomeMeaning {
  return {
    device,
    tone,
    good: is.includes('good'),
    written: is.includes('written'),
    unseen: is.includes('unseen'),
  };
}

/** Meaning of each outcome; those that most need a person come first. */
export const OUTCOMES: Readonly<Record<ShownOutcome, OutcomeMeaning>> = {
  refused: meaning('attention', 'bad'),
  failed: meaning('attention', 'bad'),
  unknown: meaning('attention', 'warn', ['written', 'unseen']),
  reverted: meaning('attention', 'warn'),
  blocked: meaning('attention', 'bad'),
  ignored: meaning('attention', 'warn', ['written', 'unseen']),
  'needs-reboot': meaning('needs-reboot', 'special', ['good', 'written', 'unseen']),
  pending: meaning('pending', 'quiet'),
  accepted: meaning('done', 'info', ['good', 'written', 'unseen']),
  effective: meaning('done', 'good', ['good', 'written']),
  unsupported: meaning('unsupported', 'quiet'),
  skipped: meaning('unsupported', 'quiet', ['good']),
  unchanged: meaning('done', 'quiet', ['good']),
  'not-checked': meaning('done', 'quiet', ['good']),
  done: meaning('done', 'good', ['good']),
  checked: meaning('done', 'good', ['good']),
  answered: meaning('done', 'good', ['good']),
  'signed-off': meaning('done', 'good', ['good']),
  'nothing-to-do': meaning('done', 'quiet', ['good']),
};
/** Outcomes in the order in which a person reads them. */
export const ATTENTION = Object.keys(OUTCOMES) as readonly ShownOutcome[];

/** Parts of a unit's result that decide its outcome: stored and shown ones alike. */
type Unit = Pick<UnitResult, 'outcome' | 'did'> & { readonly error?: { readonly code: string } };

/** Returns the name of the word for a unit, for every face: a step that went well is called by what it did. */
export function getShownOutcome({ outcome, did, error }: Unit): ShownOutcome {
  if (outcome === 'failed' && error?.code === 'not-supported') return 'unsupported';
  return did !== undefined && (outcome === 'unchanged' || outcome === 'effective') ? did : outcome;
}

/** Returns the outcome of a device; every chosen device has one. */
export function getDeviceOutcome({
  state,
  error,
  units,
}: {
  readonly state: DeviceResult['state'];
  readonly error?: unknown;
  readonly units: readonly Unit[];
}): DeviceOutcome {
  if (state === 'pending' || state === 'running') return 'pending';
  const parts = new Set(units.map((unit) => OUTCOMES[getShownOutcome(unit)].device));
  if (error !== undefined || parts.has('attention') || parts.has('pending')) return 'attention';
  if (parts.size === 1 && parts.has('unsupported')) return 'unsupported';
  // It has some of what was asked for, and lacks what is not optional.
  if (state === 'failed') return 'attention';
  return parts.has('needs-reboot') ? 'needs-reboot' : 'done';
}

/**
 * Returns true if a retry plans it anew: the result is not, or not surely, as asked, and a person can change
 * that.
 */
export function needsSomebody(outcome: DeviceOutcome): boolean {
  return outcome === 'attention' || outcome === 'pending';
}

/** Returns the device counts of a job without those that a later job is done with, or that a person dropped. */
export function getCurrentCounts({
  deviceCounts,
  finishedLater = 0,
  dropped = 0,
}: Pick<JobSummary, 'deviceCounts' | 'finishedLater' | 'dropped'>): JobSummary['deviceCounts'] {
  const { attention = 0, pending = 0 } = deviceCounts;
  const over = finishedLater + dropped;
  const ofAttention = Math.min(attention, over);
  return {
    ...deviceCounts,
    attention: attention - ofAttention,
    pending: Math.max(0, pending - (over - ofAttention)),
  };
}

/** Returns true while the job is worked on, or waits for its turn. */
export function isAtWork(state: JobState): boolean {
  return state === 'running' || state === 'waiting';
}

/**
 * Returns true if a person still has to do something about an ended job: it was left for later or cut off, devices wait
 * for a restart, or need a person and no later job is done with them. One that a person called off is none.
 */
export function isLeftOpen(job: JobSummary): boolean {
  if (isAtWork(job.state)) return false;
  const state = getShownJobState(job);
  if (state === 'stopped' || state === 'interrupted' || (job.rebootPending ?? 0) > 0) return true;
  if (state === 'cancelled') return false;
  const { attention = 0, pending = 0 } = getCurrentCounts(job);
  return attention + pending > 0;
}

/**
 * State of a job in one word: it is not done while it waits for a restart, or while rows of its file go
 * nowhere.
 */
export type JobStanding = JobState | 'needs-reboot' | 'paused' | 'stopped';

export function getShownJobState({
  kind,
  about,
  state,
  resumable,
  rebootPending = 0,
  paused = false,
}: Pick<JobSummary, 'kind' | 'state' | 'resumable' | 'rebootPending' | 'paused'> &
  Partial<Pick<JobSummary, 'about'>>): JobStanding {
  if (state === 'running' && paused) return 'paused';
  if (state === 'cancelled' && resumable && getJobKindFacts(kind).isLeftForLater === true) return 'stopped';
  if (state !== 'done') return state;
  if (rebootPending > 0) return 'needs-reboot';
  return (about?.people?.bad ?? 0) > 0 ? 'partial' : state;
}
