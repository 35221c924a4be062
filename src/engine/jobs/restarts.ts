/** Lists the devices of a job that wait for a restart. */
import type { FollowUpDevice } from '#shared/history.ts';
import type { DeviceResult, UnitOutcome } from '#shared/model.ts';
import type { StoredDevice, StoredJob } from './types.ts';

/** Returns true for a unit that counts only after a restart. */
export function isRestartDue({ outcome }: { readonly outcome: UnitOutcome }): boolean {
  return outcome === 'needs-reboot';
}

export function isAwaitingRestart({ units }: StoredDevice): boolean {
  return units.some(isRestartDue);
}

export function followUpDevices(results: readonly DeviceResult[]): readonly FollowUpDevice[] {
  return results
    .filter(({ units }) => units.some(isRestartDue))
    .map(({ deviceId, name, url, units }) => ({
      deviceId,
      name,
      url,
      units: units.filter(isRestartDue).length,
    }));
}

/** Devices of a follow-up that was cut off and still wait. */
export function listFollowUpDevices({ followUp, devices }: StoredJob): readonly StoredDevice[] {
  const positions = new Set(followUp?.positions);
  return devices.filter((device) => positions.has(device.position) && isAwaitingRestart(device));
}
