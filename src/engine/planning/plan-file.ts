/** A plan as a file, and whose devices one from elsewhere means. */
import { say, formatSomeNames } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, Plan, PlanDevice } from '#shared/model.ts';
import { toSafeFileName } from '#shared/text/file-name.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { Ungrouped } from './pure/plan-device.ts';

/** Writes the plan as a file for review: readable, the same every time, without secrets. */
export function planFile(plan: Plan): { readonly text: string; readonly fileName: string } {
  const name = plan.template.name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase();
  return {
    text: `${JSON.stringify(plan, null, 2)}\n`,
    fileName: toSafeFileName(`plan-${name === '' ? plan.id : name}-${plan.createdAt.slice(0, 10)}.json`),
  };
}

/**
 * Devices of a plan from elsewhere as they are known here: by id and address, else by address. One that
 * is not known gets nothing and says so, unless it may be named later. Throws `unknown-device` where
 * none is known.
 */
export function matchDevices(
  devices: readonly PlanDevice[],
  { find }: Pick<DevicesApi, 'find'>,
  { foreignDevices = false }: { readonly foreignDevices?: boolean } = {},
): readonly Ungrouped[] {
  const found = devices.map((planned) => {
    const device = findPlannedDevice(planned, find);
    return device === undefined
      ? { planned, known: foreignDevices }
      : { planned: { ...planned, deviceId: device.id, name: device.name }, known: true };
  });
  if (devices.length > 0 && !found.some(({ known }) => known)) {
    throw userError(
      'unknown-device',
      say('plan-devices-unlisted', { names: formatSomeNames(devices.map(({ url }) => url)) }),
    );
  }
  return found.map(({ planned, known }) =>
    known ? planned : { ...planned, state: 'failed', sections: [], error: notHere(planned) },
  );
}

function notHere({ url }: PlanDevice): ErrorShape {
  return {
    code: 'unknown-device',
    source: 'user',
    device: url,
    ...say('plan-device-unlisted'),
  };
}

export function findPlannedDevice(planned: PlanDevice, find: DevicesApi['find']): Device | undefined {
  for (const reference of [planned.deviceId, planned.url]) {
    try {
      const device = find(reference);
      if (device.url === planned.url) return device;
    } catch {
      // The id is of another computer, or the address is not in the inventory.
    }
  }
  return undefined;
}
