/** Removes what belongs to devices that are taken out of the inventory. */
import type { Device, Removal } from '#shared/model.ts';
import type { DeviceSecret } from './access/device-secrets.ts';

/**
 * Builds the removal. `secrets`: all that the vault keeps of devices. The vault goes on keeping them, but a
 * device that is added again does not find them.
 */
export function buildRemoval(devices: readonly Device[], secrets: readonly DeviceSecret[]): Removal {
  const count = (isLost: (device: Device) => unknown): number => devices.filter(isLost).length;
  const keyed = new Set(secrets.map(({ deviceId }) => deviceId));
  return {
    credentials: count(({ credentialId }) => credentialId !== undefined),
    places: count(({ tags, siteId }) => tags.length > 0 || siteId !== undefined),
    restarts: count(({ restartDue }) => restartDue !== undefined),
    keys: count(({ id }) => keyed.has(id)),
  };
}
