/** Names of the devices of a building site. */
import type { DeviceKind } from '#shared/model.ts';
import { KINDS } from './kinds/index.ts';
import { createRandom, deriveSeed, pickPassword } from './random.ts';

/** Returns `Gate 01 Main lobby`; numbers run over the whole site. */
export function makeDeviceName(kind: DeviceKind, index: number): string {
  const { title, places } = KINDS[kind].facts;
  return `${title} ${String(index + 1).padStart(2, '0')} ${places[Math.floor(index / 2) % places.length] ?? ''}`.trim();
}

export function makeDevicePassword(seed: number, index: number): string {
  return pickPassword(createRandom(deriveSeed(seed, 'password', index)));
}
