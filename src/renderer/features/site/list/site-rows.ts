import { getAgreementShown } from '#shared/agreement.ts';
import type { Sighting } from '#shared/discovery.ts';
import {
  DEVICE_EXCEPTIONS,
  getDeviceStatus,
  listExceptions,
  type DeviceException,
} from '#shared/device-status.ts';
import type { Device, DeviceKind } from '#shared/model.ts';

/** One line of the Site list. A row that did not change stays the same object, so it is not drawn again. */
interface DeviceRow {
  readonly kind: 'device';
  /** The device's id. */
  readonly key: string;
  /** Order of first sight: equal rows keep it. */
  readonly seq: number;
  readonly device: Device;
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
  /** Its rows, also while they are folded away. */
  readonly members: readonly ListRow[];
  readonly folded: boolean;
}
export type RowGroup =
  | { readonly of: 'found' | 'devices' | 'no-site' | 'no-tag' | 'no-kind' }
  | { readonly of: 'site'; readonly siteId: string }
  | { readonly of: 'tag'; readonly tag: string }
  | { readonly of: 'kind'; readonly kinds: readonly DeviceKind[] };
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

/** Returns what is chosen with a row: a device may have several rows, one below each of its tags. */
export function getRowId(row: SiteRow): string {
  return row.kind === 'device' ? row.device.id : row.key;
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

/** Fault of a row: of the device itself, or one that the network tells. */
export type RowException = DeviceException | 'conflict' | 'moved' | 'outside';

const concluded = new WeakMap<ListRow, readonly RowException[]>();

/** Returns what is not as it should be, the worst first. */
export function listRowExceptions(row: ListRow): readonly RowException[] {
  const known = concluded.get(row);
  if (known !== undefined) return known;
  const list = findRowExceptions(row);
  concluded.set(row, list);
  return list;
}

function findRowExceptions(row: ListRow): readonly RowException[] {
  const { sighting } = row;
  const conflict: readonly RowException[] = (sighting?.conflicts.length ?? 0) > 0 ? ['conflict'] : [];
  if (row.kind === 'found') return sighting?.outside === true ? [...conflict, 'outside'] : conflict;
  const moved: readonly RowException[] = findOtherUrl(row.device, sighting) === undefined ? [] : ['moved'];
  return [...conflict, ...moved, ...listExceptions(row.device)];
}

/** States the list can be narrowed to. */
export const ROW_STATES = [
  'attention',
  'healthy',
  ...DEVICE_EXCEPTIONS,
  'as-agreed',
  'not-read',
  'nothing-agreed',
  'moved',
  'conflict',
  'new',
  'present',
  'vanished',
] as const;
export type RowState = (typeof ROW_STATES)[number];

export function isInState(row: ListRow, state: RowState): boolean {
  switch (state) {
    case 'new':
      return row.kind === 'found';
    case 'present':
    case 'vanished':
      return row.sighting?.state === state;
    case 'attention':
      return listRowExceptions(row).some((each) => each !== 'outside');
    case 'as-agreed':
    case 'nothing-agreed':
      return row.kind === 'device' && getAgreementShown(row.device.agreement, Date.now()) === state;
    case 'not-read':
      return (
        row.kind === 'device' &&
        ['not-read', 'unknown'].includes(getAgreementShown(row.device.agreement, Date.now()))
      );
    case 'healthy':
      return row.kind === 'device' && listRowExceptions(row).length === 0;
    default:
      return listRowExceptions(row).includes(state);
  }
}
