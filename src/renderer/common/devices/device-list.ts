import { reveal } from '../labels/format.ts';
import type { Device, DeviceEvent } from '#shared/model.ts';

/** The list after some events, as a new map; the order of first sight is kept. */
export function applyDeviceEvents(
  before: ReadonlyMap<string, Device>,
  events: readonly DeviceEvent[],
): ReadonlyMap<string, Device> {
  let after = new Map(before);
  for (const event of events) {
    if (event.type === 'all') after = new Map(event.devices.map((device) => [device.id, device]));
    else if (event.type === 'changed') after.set(event.device.id, event.device);
    else after.delete(event.id);
  }
  return after;
}

export function searchWords(search: string): readonly string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

export function searchText(device: Device): string {
  return [device.name, device.url, ...device.tags, ...device.kinds].join(' ').toLowerCase();
}

/** Words of a search, each of which must be found somewhere in the device. */
export function matchesSearch(device: Device, search: string): boolean {
  const words = searchWords(search);
  if (words.length === 0) return true;
  const text = searchText(device);
  return words.every((word) => text.includes(word));
}

export type SortKey = 'name' | 'address' | 'kinds' | 'state' | 'lastSeen';
interface Sort {
  readonly key: SortKey;
  readonly descending: boolean;
}

const REACH_ORDER = { unreachable: 0, unknown: 1, reachable: 2 } as const;
const SIGN_IN_ORDER = { locked: 0, failed: 1, needed: 2, unknown: 3, ok: 4 } as const;

/** One collator for the session: `Intl.Collator` is far faster than `localeCompare` on thousands of rows. */
export const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export function compareDevices(a: Device, b: Device, key: SortKey): number {
  switch (key) {
    case 'name':
      return collator.compare(a.name, b.name);
    case 'address':
      return collator.compare(a.url, b.url);
    case 'kinds':
      return collator.compare(a.kinds.join(' '), b.kinds.join(' '));
    case 'state':
      return REACH_ORDER[a.reach] - REACH_ORDER[b.reach] || SIGN_IN_ORDER[a.signIn] - SIGN_IN_ORDER[b.signIn];
    case 'lastSeen':
      return (a.lastSeen ?? '').localeCompare(b.lastSeen ?? '');
  }
}

/** Sorted copy; equal devices keep their order in both directions, so rows do not jump. */
export function sortDevices(devices: readonly Device[], sort: Sort): readonly Device[] {
  const direction = sort.descending ? -1 : 1;
  return [...devices].sort((a, b) => direction * compareDevices(a, b, sort.key));
}

/**
 * Returns the word typed to confirm: the device's name, or its address if the name is long or hard to type.
 */
export function confirmWord(device: { readonly name: string; readonly url: string }): string {
  const name = device.name.trim();
  return name !== '' && name.length <= 28 && reveal(name) === name
    ? name
    : device.url.replace(/^https?:\/\//, '');
}
