/** Decides whether the work of a job on a device is open, and why; pure. */
import { answerKind, isGone, isShutOut, isPassing } from '#shared/error-meaning.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { DeviceResult, OpenReason } from '#shared/model.ts';
import { isWaiting } from '../job-state.ts';

/** Reasons that pass by themselves; for the others a person has to decide. */
const PASSING: ReadonlySet<OpenReason> = new Set<OpenReason>([
  'away',
  'busy',
  'restart',
  'window',
  'interrupted',
]);

export function isPassingReason(reason: OpenReason): boolean {
  return PASSING.has(reason);
}

/**
 * Returns why the work on a device is open after a change of its state; undefined if it is not. Work that was open
 * stays so until it is done or has failed for good.
 */
export function findOpenReason(
  { state, error, units, open: before }: DeviceResult,
  waitsForDevices: boolean,
): OpenReason | undefined {
  if (state === 'running') return before;
  if (!isWaiting({ state, error, units }))
    return waitsForDevices && units.some(({ outcome }) => outcome === 'needs-reboot') ? 'restart' : undefined;
  if (error === undefined) return before;
  if (isPassing(error)) return waitsForDevices ? toPassingReason(error) : undefined;
  return before === undefined ? undefined : toAskedReason(error);
}

function toPassingReason(error: ErrorShape): OpenReason {
  return isGone(error) ? 'away' : answerKind(error) === 'busy' ? 'busy' : 'restart';
}

/** Returns the reason for which a person has to decide. */
export function toAskedReason(error: ErrorShape): OpenReason {
  if (error.code === 'plan-outdated' || error.code === 'changed-meanwhile') return 'changed';
  return isShutOut(error) ? 'sign-in' : 'error';
}

/**
 * Returns the error for which the turn of a device is put off: that of the device, or of a unit that could not be sent.
 * Undefined if nothing is left to do, or the error does not pass by itself.
 */
export function findPassingError(
  error: ErrorShape | undefined,
  units: DeviceResult['units'],
): ErrorShape | undefined {
  if (error !== undefined)
    return isPassing(error) && isWaiting({ state: 'failed', error, units }) ? error : undefined;
  return units.find((unit) => unit.outcome === 'failed' && unit.error !== undefined && isPassing(unit.error))
    ?.error;
}

/** Returns a device of a new job that cannot be worked on now as open work, if the job waits for such devices. */
export function putOffAbsent<Device extends Pick<DeviceResult, 'state' | 'error' | 'open'> & UnitsOfEntry>(
  device: Device,
  waitsForDevices: boolean,
): Device {
  const { error } = device;
  if (!waitsForDevices || device.state !== 'failed' || error === undefined) return device;
  if (
    findPassingError(
      error,
      device.units.map(({ result }) => result),
    ) === undefined
  )
    return device;
  return { ...device, state: 'pending', open: toPassingReason(error) };
}

interface UnitsOfEntry {
  readonly units: readonly { readonly result: DeviceResult['units'][number] }[];
}
