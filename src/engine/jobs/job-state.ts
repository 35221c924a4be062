/** Derives the state of a device and of the whole job from the outcomes. */
import type {
  DeviceOutcome,
  DeviceResult,
  JobState,
  JobSummary,
  UnitOutcome,
  UnitProgress,
  UnitResult,
} from '#shared/model.ts';
import { getDeviceOutcome, isAtWork, OUTCOMES } from '#shared/outcomes.ts';

/** Returns true if every unit ended well. */
export function haveAllSucceeded(units: readonly Pick<UnitResult, 'outcome'>[]): boolean {
  return units.every(({ outcome }) => OUTCOMES[outcome].good);
}

/**
 * Returns the state at the end. `done`: every device as asked. `failed`: every device had its turn and at
 * least one is not as asked. `partial`: stopped before every device had its turn (a canary or too many others
 * failed). `cancelled`: a person stopped it. `interrupted`: the app ended.
 */
export function endState(
  devices: readonly DeviceResult[],
  ended: { readonly cancelled: boolean; readonly closing: boolean },
): JobState {
  const waiting = devices.some((device) => device.state === 'pending' || device.state === 'running');
  if (waiting) return ended.closing ? 'interrupted' : ended.cancelled ? 'cancelled' : 'partial';
  return devices.every((device) => device.state === 'done') ? 'done' : 'failed';
}

/**
 * Returns true if resuming could finish something: a turn that did not come, a write whose outcome is not
 * known, a device that could not be worked on for a reason that may pass, a follow-up that was cut off.
 */
export function isResumable(
  state: JobState,
  { counts, deviceWaits, rebootPending }: JobTotals,
  followedUp: boolean,
): boolean {
  if (isAtWork(state) || state === 'done') return false;
  return (
    (counts.pending ?? 0) > 0 || (counts.unknown ?? 0) > 0 || deviceWaits || (followedUp && rebootPending > 0)
  );
}

/**
 * Returns true for a device with work to do that had no turn, or whose turn ended early, for a reason that
 * may pass.
 */
export function isWaiting({ state, error, units }: Standing): boolean {
  if (state === 'pending' || state === 'running') return true;
  return error !== undefined && (units.length === 0 || units.some(({ outcome }) => LEFT.has(outcome)));
}

/** Numbers of a job that its summary tells. */
export interface JobTotals {
  readonly devices: number;
  readonly deviceCounts: JobSummary['deviceCounts'];
  readonly counts: JobSummary['counts'];
  /** Devices whose work is open. */
  readonly open?: number;
  /** A device waits for its turn, or had none for a reason that may pass. */
  readonly deviceWaits: boolean;
  /** Devices with a write that counts only after a restart. */
  readonly rebootPending: number;
  readonly progress?: UnitProgress;
}

export function computeTotals(devices: readonly DeviceResult[]): JobTotals {
  const progress = progressOf(devices);
  const open = devices.filter((device) => device.open !== undefined).length;
  return {
    progress,
    open: open || undefined,
    devices: devices.length,
    deviceCounts: countDevices(devices),
    counts: countOutcomes(devices),
    deviceWaits: devices.some(isWaiting),
    rebootPending: devices.filter(({ units }) => units.some(({ outcome }) => outcome === 'needs-reboot'))
      .length,
  };
}

/** Sums the progress of all units whose size is known; undefined if none has one. */
function progressOf(devices: readonly DeviceResult[]): UnitProgress | undefined {
  let [done, total] = [0, 0];
  for (const { units } of devices)
    for (const { progress } of units) {
      done += progress?.done ?? 0;
      total += progress?.total ?? 0;
    }
  return total === 0 ? undefined : { done, total };
}

function countDevices(devices: readonly DeviceResult[]): JobSummary['deviceCounts'] {
  const counts: Partial<Record<DeviceOutcome, number>> = {};
  for (const device of devices) {
    const outcome = getDeviceOutcome(device);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function countOutcomes(devices: readonly DeviceResult[]): JobSummary['counts'] {
  const counts: Partial<Record<UnitOutcome, number>> = {};
  for (const { units } of devices)
    for (const { outcome } of units) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Outcomes of units that are still to have their turn, or whose fate is open. */
const OPEN: ReadonlySet<UnitOutcome> = new Set<UnitOutcome>(['pending', 'unknown']);
/**
 * Outcomes that need another try where the turn of the device ended early: "failed" then means that nothing
 * was sent.
 */
const LEFT: ReadonlySet<UnitOutcome> = new Set<UnitOutcome>([...OPEN, 'failed']);

interface Standing extends Pick<DeviceResult, 'state' | 'error'> {
  /** A later job is done with the device, or a person dropped its work. */
  readonly finishedLater?: boolean;
  readonly units: readonly Pick<UnitResult, 'outcome'>[];
}

/** Returns true if a turn is still to come, or the fate of a unit is open. */
export function isUnfinished(device: Standing): boolean {
  if (device.finishedLater === true) return false;
  return isWaiting(device) || listRemainingUnits(device).length > 0;
}

/** Units that are to have their turn: what is finished, well or not, is never repeated. */
export function listRemainingUnits<Device extends Standing>(device: Device): Device['units'] {
  const left = isWaiting(device) ? LEFT : OPEN;
  return device.units.filter(({ outcome }) => left.has(outcome));
}

/** SQL of `isWaiting` for a device `d` of the journal. */
export const IS_WAITING = `(d.state IN ('pending', 'running') OR (d.error IS NOT NULL AND (
  NOT EXISTS (SELECT 1 FROM job_units AS u WHERE u.job_id = d.job_id AND u.position = d.position)
  OR ${hasUnitsIn(LEFT)})))`;

/** SQL of `isUnfinished` for a device `d` of the journal, whatever later jobs did. */
export const IS_UNFINISHED = `(${IS_WAITING} OR ${hasUnitsIn(OPEN)})`;

function hasUnitsIn(outcomes: ReadonlySet<UnitOutcome>): string {
  return `EXISTS (SELECT 1 FROM job_units AS u WHERE u.job_id = d.job_id AND u.position = d.position AND u.outcome IN (${quoteOutcomes(outcomes)}))`;
}

/** Returns outcomes for `IN (…)`; safe in SQL, because they come only from code. */
export function quoteOutcomes(outcomes: Iterable<UnitOutcome>): string {
  return [...outcomes].map((outcome) => `'${outcome}'`).join(', ');
}
