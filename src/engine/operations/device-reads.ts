/** Reads that a device is asked when everything it shows is wanted. */
import { isCapabilityDocument, isExpectedArea, operations, type Constraints } from '#protocol/index.ts';
import type { Device, DeviceCapabilities } from '#shared/model.ts';
import type { Readable } from '../template/capture/read-resource.ts';
import { isHarmlessRead } from './capabilities.ts';

/**
 * Lists every harmless read; of areas that such a device does not have, only what needs no channel or id. What it has many of
 * comes first: those are asked for one after the other, and what is there once fills the time.
 */
export function listDeviceReads({ kinds }: Device): readonly Readable[] {
  return operations
    .filter(
      (operation) =>
        isHarmlessRead(operation) &&
        !isCapabilityDocument(operation) &&
        (isExpectedArea(operation.area, kinds) ||
          operation.params.every(({ default: usual }) => usual !== undefined)),
    )
    .toSorted((a, b) => b.params.length - a.params.length)
    .map((get) => ({ name: get.id, get }));
}

/** Lists the reads of the documents that say what such a device can do. */
export function listCapabilityReads({ kinds }: Device): readonly Readable[] {
  return operations
    .filter(
      (operation) =>
        isCapabilityDocument(operation) &&
        operation.response !== undefined &&
        isExpectedArea(operation.area, kinds),
    )
    .map((get) => ({ name: get.id, get }));
}

/** Returns the channels of the device, which its system report names. */
export function findChannels({ limits }: DeviceCapabilities): Constraints {
  const listed = limits.filter(
    ({ operation, options }) => operation === 'system.capabilities.get' && options !== undefined,
  );
  return new Map(
    listed.map(({ path, options = [] }) => [path, { state: 'reported' as const, options }] as const),
  );
}
