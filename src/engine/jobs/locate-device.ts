/** Finds the present device for a device of a stored job. */
import { say } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, type ErrorShape, userError } from '#shared/errors.ts';
import type { Device, JobTarget } from '#shared/model.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { ConnectionRecord, StoredDevice, StoredPlace } from './types.ts';

export type Finder = Pick<DevicesApi, 'find' | 'addTransient'>;

type Located =
  { readonly ok: true; readonly device: Device } | { readonly ok: false; readonly error: ErrorShape };

/** Devices that were named for one run have ids of this form, made of their address. */
function isTransient({ deviceId }: StoredPlace): boolean {
  return deviceId.startsWith('t-');
}

/**
 * Finds the device by its id: a device that got another address is the same device, and another one may have
 * its old address. Uses the address if the id is not of this list of devices. @throws `unknown-device`
 */
export function findKnown(
  { deviceId, url }: Pick<StoredDevice, 'deviceId' | 'url'>,
  find: Finder['find'],
): Device {
  try {
    return find(deviceId);
  } catch {
    return find(url);
  }
}

/** Finds a device of a job; one named for one run only is added again from the journal, without its sign-in (not stored). */
export function locate(device: StoredPlace, devices: Finder): Located {
  try {
    return { ok: true, device: findKnown(device, devices.find) };
  } catch (thrown) {
    if (isTransient(device))
      return {
        ok: true,
        device: devices.addTransient({ url: device.url, name: device.name, ...device.connection }),
      };
    return {
      ok: false,
      error: new FieldwrightError({
        ...toErrorShape(thrown),
        ...say('device-gone'),
        device: device.url,
      }).shape,
    };
  }
}

/** Returns the connection to store, so that a device that was named for one run only can be reached again. */
export function toConnectionRecord({ profile, trust }: Pick<Device, 'profile' | 'trust'>): ConnectionRecord {
  // Store only a pin given for this run: other pins are stored with the address, where a person may change them.
  return { profile, ...(trust?.how === 'given' ? { certificate: trust.fingerprint } : {}) };
}

/** Returns how to reach a device, for a user interface that must ask for its sign-in. */
export function buildJobTarget(device: StoredPlace, devices: Finder): JobTarget {
  const { deviceId, name, connection } = device;
  const found = lookUp(device, devices);
  return {
    deviceId,
    name,
    url: found?.url ?? device.url,
    known: found !== undefined,
    transient: isTransient(device),
    ...connection,
  };
}

/** Finds the device like `findKnown`; undefined if it is unknown. */
export function lookUp(device: Pick<StoredDevice, 'deviceId' | 'url'>, devices: Finder): Device | undefined {
  try {
    return findKnown(device, devices.find);
  } catch {
    return undefined;
  }
}

export function isKnown(device: StoredPlace, devices: Finder): boolean {
  return lookUp(device, devices) !== undefined;
}

/** Returns the job's devices with these ids, or all if none are given. @throws `unknown-device` */
export function pickDevices<Target extends Pick<StoredDevice, 'deviceId' | 'url'>>(
  all: readonly Target[],
  deviceIds: readonly string[] | undefined,
  devices: Finder,
): readonly Target[] {
  if (deviceIds === undefined) return all;
  const wanted = new Set(
    deviceIds.map((id) => {
      const direct =
        all.find((device) => device.deviceId === id) ??
        all.find((device) => device.url === addressOf(id, devices));
      if (direct === undefined)
        throw userError('unknown-device', say('job-without-device', { id }), { device: id });
      return direct;
    }),
  );
  return all.filter((device) => wanted.has(device));
}

function addressOf(id: string, { find }: Finder): string | undefined {
  try {
    return find(id).url;
  } catch {
    return undefined;
  }
}
