/** Devices between database rows and the model. */
import {
  DEVICE_KINDS,
  DEFAULT_PROFILE,
  type AgreementSummary,
  type ConnectionProfile,
  type Device,
  type DeviceKind,
} from '#shared/model.ts';
import { isErrorShape } from '#shared/errors.ts';
import type { Columns, Store } from '../store/index.ts';
import { readTrust, writeTrust } from './access/trust-rows.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** A device as kept: what everybody may see without what follows from other rows, and what its sign-in taught. */
export interface DeviceRecord extends Omit<Device, 'signInFrom'>, SignInLessons {}

/** State of the sign-in, only for the connections to the device. */
interface SignInLessons {
  /** Rank of the strongest sign-in that it has ever offered; see `rankDigest`. */
  readonly strength: number;
  /** Hash of the realm in which the device accepted the sign-in. */
  readonly realm?: string;
}

interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly kinds: string;
  readonly tags: string;
  readonly profile: string;
  readonly credential_id: string | null;
  readonly site_id: string | null;
  readonly certificate: string | null;
  readonly trust: string | null;
  readonly strength: number;
  readonly reach: string;
  readonly sign_in: string;
  readonly last_seen: string | null;
  readonly reach_since: string | null;
  readonly checked_at: string | null;
  readonly sign_in_at: string | null;
  readonly last_error: string | null;
  readonly identity: string | null;
  readonly added_at: string;
  readonly realm: string | null;
  readonly restart_due: string | null;
  readonly agreement: string | null;
}

export function readDevices(store: Store): DeviceRecord[] {
  return store.all<DeviceRow>('SELECT * FROM devices ORDER BY added_at, name, id').map(toRecord);
}

/** Grows with everything that is written of devices and sign-ins. */
export function countDeviceChanges(store: Store): number {
  return (
    store.get<{ readonly count: number }>("SELECT count FROM change_counts WHERE what = 'devices'")?.count ??
    0
  );
}

export function insertDevice(store: Store, device: DeviceRecord): void {
  store.insert('devices', { ...columns(device), added_at: device.addedAt, id: device.id });
}

export function updateDevice(store: Store, device: DeviceRecord): void {
  store.update('devices', columns(device), { id: device.id });
}

/**
 * Saves only what was observed on the device; a name or profile that another process changed meanwhile stays.
 */
export function updateObserved(store: Store, device: DeviceRecord): void {
  store.update('devices', observedColumns(device), { id: device.id });
}

function columns(device: DeviceRecord): Columns {
  return {
    name: device.name,
    url: device.url,
    kinds: JSON.stringify(device.kinds),
    tags: JSON.stringify(device.tags),
    profile: JSON.stringify(device.profile),
    credential_id: device.credentialId,
    site_id: device.siteId,
    certificate: device.certificate,
    trust: writeTrust(device.trust),
    ...observedColumns(device),
    identity: device.identity,
  };
}

function observedColumns(device: DeviceRecord): Columns {
  return {
    strength: device.strength,
    reach: device.reach,
    sign_in: device.signIn,
    last_seen: device.lastSeen,
    reach_since: device.reachSince,
    checked_at: device.checkedAt,
    sign_in_at: device.signInAt,
    last_error: JSON.stringify(device.lastError),
    realm: device.realm,
    restart_due: device.restartDue,
    agreement: JSON.stringify(device.agreement),
  };
}

function toRecord(row: DeviceRow): DeviceRecord {
  const lastError = parsed(row.last_error);
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    kinds: strings(parsed(row.kinds)).filter(isKind),
    tags: strings(parsed(row.tags)),
    profile: { ...DEFAULT_PROFILE, ...(parsed(row.profile) as Partial<ConnectionProfile> | undefined) },
    ...(row.credential_id === null ? {} : { credentialId: row.credential_id }),
    ...(row.site_id === null ? {} : { siteId: row.site_id }),
    ...pinOf(row),
    strength: row.strength,
    ...(row.realm === null ? {} : { realm: row.realm }),
    reach: row.reach as Device['reach'],
    signIn: row.sign_in as Device['signIn'],
    ...(row.last_seen === null ? {} : { lastSeen: row.last_seen }),
    ...(row.reach_since === null ? {} : { reachSince: row.reach_since }),
    ...(row.checked_at === null ? {} : { checkedAt: row.checked_at }),
    ...(row.sign_in_at === null ? {} : { signInAt: row.sign_in_at }),
    ...(isErrorShape(lastError) ? { lastError } : {}),
    ...(row.identity === null ? {} : { identity: row.identity }),
    ...(row.restart_due === null ? {} : { restartDue: row.restart_due }),
    ...(row.agreement === null ? {} : { agreement: readOwnJson(row.agreement) as AgreementSummary }),
    addedAt: row.added_at,
  };
}

/** Returns the pin. A fingerprint from before its origin was kept was named by a person or a file. */
function pinOf({
  certificate,
  trust,
  added_at: since,
}: DeviceRow): Pick<DeviceRecord, 'certificate' | 'trust'> {
  return certificate === null
    ? {}
    : {
        certificate,
        trust: readTrust(trust, certificate) ?? { fingerprint: certificate, how: 'given', since },
      };
}

function parsed(text: string | null): unknown {
  return text === null ? undefined : readOwnJson(text);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isKind(value: string): value is DeviceKind {
  return (DEVICE_KINDS as readonly string[]).includes(value);
}
