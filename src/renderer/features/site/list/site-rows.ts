import type { Sighting } from '#shared/discovery.ts';
import type { Device } from '#shared/model.ts';
import { needsAttention, getDeviceStatus } from '#renderer/common/devices/standing.ts';

/** One line of the Site list. A row that did not change stays the same object, so it is not drawn again. */
interface DeviceRow {
  readonly kind: 'device';
  /** The device's id. */
  readonly key: string;
  /** Order of first sight: equal rows keep it. */
  readonly seq: number;
  readonly device: Device;
  /** Current sighting by the search. */
  readonly sighting: Sighting | undefined;
}
interface FoundRow {
  readonly kind: 'found';
  readonly key: string;
  readonly seq: number;
  readonly sighting: Sighting;
}
export interface HeadingRow {
  readonly kind: 'heading';
  readonly key: string;
  readonly group: RowGroup;
  readonly count: number;
}
export type RowGroup =
  | { readonly of: 'found' }
  | { readonly of: 'devices' }
  | { readonly of: 'site'; readonly siteId: string }
  | { readonly of: 'no-site' };
export type ListRow = DeviceRow | FoundRow;
export type SiteRow = ListRow | HeadingRow;

const FOUND = 'found:';

export function buildFoundKey(identity: string): string {
  return FOUND + identity;
}
/** The identity in the key of a found row; undefined for a device's id. */
export function readKeyIdentity(key: string): string | undefined {
  return key.startsWith(FOUND) ? key.slice(FOUND.length) : undefined;
}

/** Returns whether a row is a printer, a router or the like, which was not added. */
export function isOther(row: ListRow): boolean {
  return row.kind === 'found' && row.sighting.recognised === 'web';
}

export function getRowName(row: SiteRow): string {
  if (row.kind === 'heading') return '';
  return row.kind === 'device' ? row.device.name : row.sighting.name;
}
export function getRowUrl(row: ListRow): string {
  return row.kind === 'device' ? row.device.url : row.sighting.url;
}

/**
 * Finds the address at which the search sees a device of the inventory, if it differs. Undefined if both
 * agree on the host, if the identity is unclear, or if only an unprotected address is seen of a protected
 * one.
 */
export function findOtherUrl({ url }: Device, sighting: Sighting | undefined): string | undefined {
  if (sighting?.state !== 'present' || sighting.conflicts.length > 0) return undefined;
  const seen = [sighting.url, ...sighting.alternatives];
  if (seen.some((other) => hostOf(other) === hostOf(url))) return undefined;
  return url.startsWith('https:') ? seen.find((other) => other.startsWith('https:')) : sighting.url;
}
/** Not by the URL parser, which refuses the zone of an IPv6 address. */
function hostOf(url: string): string {
  return /^https?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(url)?.[1] ?? url;
}

/**
 * Returns the search state to show beside the reach, so that the two never contradict each other. `seen`: the
 * device does not answer although the search saw it. Undefined: no search saw it, or it answers although its
 * announcement is over.
 */
export function findPresence(row: ListRow, now: number): Sighting['state'] | 'seen' | undefined {
  const { sighting } = row;
  if (sighting === undefined || row.kind === 'found') return sighting?.state;
  const { reach } = getDeviceStatus(row.device, now);
  if (sighting.state === 'present')
    return reach === 'unreachable' || reach === 'was-unreachable' ? 'seen' : 'present';
  return reach === 'reachable' || reach === 'answers' ? undefined : sighting.state;
}

/** States the list can be narrowed to. */
export const ROW_STATES = [
  'attention',
  'new',
  'present',
  'vanished',
  'moved',
  'conflict',
  'unreachable',
  'not-signed-in',
  'restart',
] as const;
export type RowState = (typeof ROW_STATES)[number];

export function isInState(row: ListRow, state: RowState): boolean {
  const { sighting } = row;
  switch (state) {
    case 'new':
      return row.kind === 'found';
    case 'present':
      return sighting?.state === 'present';
    case 'vanished':
      return sighting?.state === 'vanished';
    case 'moved':
      return (
        sighting?.previousUrl !== undefined ||
        (row.kind === 'device' && findOtherUrl(row.device, sighting) !== undefined)
      );
    case 'conflict':
      return (sighting?.conflicts.length ?? 0) > 0;
    case 'attention':
      return (
        (row.kind === 'device' && needsAttention(row.device)) ||
        (sighting?.conflicts.length ?? 0) > 0 ||
        (row.kind === 'device' && findOtherUrl(row.device, sighting) !== undefined)
      );
    case 'unreachable':
      return row.kind === 'device' && row.device.reach === 'unreachable';
    case 'restart':
      return row.kind === 'device' && row.device.restartDue !== undefined;
    case 'not-signed-in':
      return row.kind === 'device' && row.device.signIn !== 'ok';
  }
}
