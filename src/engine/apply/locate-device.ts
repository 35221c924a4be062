/** From a device of a stored job to one that can be talked to now. */
import { FieldwrightError, toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { Device, JobTarget } from '../../shared/model.ts';
import type { DevicesApi } from '../api.ts';
import type { StoredDevice } from './stored-job.ts';

export type Finder = Pick<DevicesApi, 'find' | 'addTransient'>;

export type Located =
  | { readonly ok: true; readonly device: Device }
  | { readonly ok: false; readonly error: ErrorShape };

/** Devices that were named for one run have ids of this form, made of their address. */
function isTransient({ deviceId }: StoredDevice): boolean {
  return deviceId.startsWith('t-');
}

/** By its id while the address is the same, else by its address. */
function known(device: Pick<StoredDevice, 'deviceId' | 'url'>, find: Finder['find']): Device {
  try {
    const found = find(device.deviceId);
    if (found.url === device.url) return found;
  } catch {
    // Looked up by address below, which also words the error.
  }
  return find(device.url);
}

/** A device of one run is named again as the journal has it; without a sign-in, which is nowhere kept. */
export function locate(device: StoredDevice, devices: Finder): Located {
  try {
    return { ok: true, device: known(device, devices.find) };
  } catch (thrown) {
    if (isTransient(device)) return { ok: true, device: devices.addTransient({ url: device.url, name: device.name, ...device.connection }) };
    return { ok: false, error: new FieldwrightError({ ...toErrorShape(thrown), device: device.url, hint: 'It is no longer in the list of devices. Add it again, or name it by its address.' }).shape };
  }
}

/** How to reach it, for a face that has to ask for its sign-in. */
export function targetOf(device: StoredDevice, devices: Finder): JobTarget {
  const { deviceId, name, url, connection } = device;
  return { deviceId, name, url, known: isKnown(device, devices), transient: isTransient(device), ...connection };
}

export function isKnown(device: StoredDevice, devices: Finder): boolean {
  try {
    known(device, devices.find);
    return true;
  } catch {
    return false;
  }
}

/** The job's devices that are meant by these ids; all without. Throws `unknown-device`. */
export function chosenDevices<Target extends StoredDevice>(all: readonly Target[], deviceIds: readonly string[] | undefined, devices: Finder): readonly Target[] {
  if (deviceIds === undefined) return all;
  const wanted = new Set(deviceIds.map((id) => {
    const direct = all.find((device) => device.deviceId === id) ?? all.find((device) => device.url === addressOf(id, devices));
    if (direct === undefined) throw new FieldwrightError({ code: 'unknown-device', source: 'user', message: `The job has no device "${id}".`, device: id });
    return direct;
  }));
  return all.filter((device) => wanted.has(device));
}

function addressOf(id: string, { find }: Finder): string | undefined {
  try {
    return find(id).url;
  } catch {
    return undefined;
  }
}
