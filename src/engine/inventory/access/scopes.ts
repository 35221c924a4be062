/**
 * Resolves the saved sign-in in force on a device: its own, else that of its tags, else that of its site. It
 * is kept in memory beside the devices, so that thousands of them are resolved without a query.
 */
import type { CredentialScope, SignInSource } from '#shared/access.ts';
import type { Store } from '#engine/store/index.ts';
import type { DeviceRecord } from '../device-rows.ts';

/** No `credentialId`: none is used, and `from` says why where tags contradict each other. */
export interface SignInInForce {
  readonly credentialId?: string;
  readonly from?: SignInSource;
  /** Differs wherever user name or password would be others. */
  readonly key: string;
}

export interface Scopes {
  /** Reads everything again: after a write of ours, or of another process. */
  reload(): void;
  /** Reads one saved sign-in that is new. */
  learn(credentialId: string): void;
  /** Returns true if it was given to a tag or site. */
  isShared(credentialId: string): boolean;
  /** Resolves the sign-in; one given for this run goes before all that is saved. */
  inForce(device: SignInOwner): SignInInForce;
  /** Resolves the sign-in from what is saved alone. */
  saved(device: SignInOwner): SignInInForce;
  /**
   * Returns what each saved sign-in was given to, tags first; one that was given to nothing is not in the
   * map.
   */
  all(): ReadonlyMap<string, readonly CredentialScope[]>;
}

type SignInOwner = Pick<DeviceRecord, 'id' | 'credentialId' | 'tags' | 'siteId'>;
interface ScopeRow {
  readonly tag: string | null;
  readonly site_id: string | null;
  readonly credential_id: string;
}
interface SealRow {
  readonly id: string;
  readonly user_name: string;
  readonly seal: string;
}

const NONE: SignInInForce = { key: '' };
const GIVEN: SignInInForce = { from: { kind: 'given' }, key: 'given' };

/** Creates the scopes. `isGiven`: a device has a sign-in for this run. */
export function createScopes(store: Store, isGiven: (deviceId: string) => boolean): Scopes {
  let byTag = new Map<string, string>();
  let bySite = new Map<string, string>();
  let keys = new Map<string, string>();

  function used(credentialId: string, from: SignInSource): SignInInForce {
    return { credentialId, from, key: keys.get(credentialId) ?? credentialId };
  }
  function ofTags(device: Pick<DeviceRecord, 'tags'>): SignInInForce | undefined {
    const giving = device.tags.filter((tag) => byTag.has(tag));
    const [tag] = giving;
    const credentialId = tag === undefined ? undefined : byTag.get(tag);
    if (tag === undefined || credentialId === undefined) return undefined;
    if (giving.some((other) => byTag.get(other) !== credentialId))
      return { from: { kind: 'conflict', tags: giving }, key: `conflict ${JSON.stringify(giving)}` };
    return used(credentialId, { kind: 'tag', tag });
  }
  function saved(device: SignInOwner): SignInInForce {
    if (device.credentialId !== undefined) return used(device.credentialId, { kind: 'device' });
    const tagged = byTag.size === 0 ? undefined : ofTags(device);
    if (tagged !== undefined) return tagged;
    const ofSite = device.siteId === undefined ? undefined : bySite.get(device.siteId);
    return device.siteId === undefined || ofSite === undefined
      ? NONE
      : used(ofSite, { kind: 'site', siteId: device.siteId });
  }

  // Query of the seals. Sealing the same password twice gives other bytes: the last 16 identify this one
  // sealing.
  const SEALS = 'SELECT id, user_name, hex(substr(secret, -16)) AS seal FROM credentials';
  const keyOf = ({ id, user_name: userName, seal }: SealRow): string => `${id} ${seal} ${userName}`;

  return {
    learn(credentialId) {
      const row = store.get<SealRow>(`${SEALS} WHERE id = ?`, credentialId);
      if (row !== undefined) keys.set(row.id, keyOf(row));
    },
    isShared: (credentialId) => [...byTag.values(), ...bySite.values()].includes(credentialId),
    reload() {
      const rows = store.all<ScopeRow>(
        'SELECT tag, site_id, credential_id FROM credential_scopes ORDER BY tag, site_id',
      );
      byTag = new Map(rows.flatMap((row) => (row.tag === null ? [] : [[row.tag, row.credential_id]])));
      bySite = new Map(
        rows.flatMap((row) => (row.site_id === null ? [] : [[row.site_id, row.credential_id]])),
      );
      keys = new Map(store.all<SealRow>(SEALS).map((row) => [row.id, keyOf(row)]));
    },
    inForce: (device) => (isGiven(device.id) ? GIVEN : saved(device)),
    saved,
    all() {
      const given = new Map<string, CredentialScope[]>();
      const add = (id: string, scope: CredentialScope) => {
        given.set(id, [...(given.get(id) ?? []), scope]);
      };
      for (const [tag, id] of byTag) add(id, { kind: 'tag', tag });
      for (const [siteId, id] of bySite) add(id, { kind: 'site', siteId });
      return given;
    },
  };
}

/** Returns true if people see no difference in where a sign-in comes from. */
export function isSameSource(one: SignInInForce, other: SignInInForce): boolean {
  return one.key === other.key && JSON.stringify(one.from) === JSON.stringify(other.from);
}
