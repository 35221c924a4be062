/** From a device of a stored job to one that can be talked to now. */
import { say } from '../../shared/details.ts';
import { FieldwrightError, toErrorShape, type ErrorShape } from '../../shared/errors.ts';
import type { Device, JobTarget } from '../../shared/model.ts';
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
 * By its id: a device that got another address is the same device, and another one may stand at its old
 * address. By the address where the id is not of this list of devices. Throws `unknown-device`.
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

/** A device of one run is named again as the journal has it; without a sign-in, which is nowhere kept. */
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

/** What is kept of a device to reach it again, were it named for one run alone. */
export function connectionOf({ profile, trust }: Pick<Device, 'profile' | 'trust'>): ConnectionRecord {
  // Only a pin that was named for this run: any other is kept with its address, where a person may change it meanwhile.
  return { profile, ...(trust?.how === 'given' ? { certificate: trust.fingerprint } : {}) };
}

/** How to reach it, for a face that has to ask for its sign-in. */
export function targetOf(device: StoredPlace, devices: Finder): JobTarget {
  const { deviceId, name, connection } = device;
  const found = known(device, devices);
  return {
    deviceId,
    name,
    url: found?.url ?? device.url,
    known: found !== undefined,
    transient: isTransient(device),
    ...connection,
  };
}

function known(device: StoredPlace, devices: Finder): Device | undefined {
  try {
    return findKnown(device, devices.find);
  } catch {
    return undefined;
  }
}

export function isKnown(device: StoredPlace, devices: Finder): boolean {
  return known(device, devices) !== undefined;
}

/** The job's devices that are meant by these ids; all without. Throws `unknown-device`. */
export function chosenDevices<Target extends Pick<StoredDevice, 'deviceId' | 'url'>>(
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
        throw new FieldwrightError({
          code: 'unknown-device',
          source: 'user',
          ...say('job-without-device', { id }),
          device: id,
        });
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
