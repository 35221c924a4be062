/** Changes that people make on devices, one at a time or thousands together. */
import { isDeepStrictEqual } from 'node:util';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceChange, DevicesApi } from '../api/routes.ts';
import { parseAddress } from '../device/transport/address.ts';
import type { Store } from '../store/index.ts';
import { requireCredential } from './access/credential-rows.ts';
import type { DeviceRecord } from './device-rows.ts';
import { checkIdentity, checkName, checkTags } from './device-text.ts';
import { clearRestartNeeded } from './observe.ts';
import { mergeProfile } from './profile.ts';
import type { DeviceRecords } from './records.ts';
import type { Scopes } from './access/scopes.ts';
import { clearSignInState } from './access/credential-use.ts';
import { requireSite } from './sites.ts';
import { parsePin } from './access/trust.ts';

interface ChangeHost {
  readonly store: Store;
  readonly clock: Clock;
  readonly records: Pick<DeviceRecords, 'get' | 'save' | 'atomically'>;
  readonly scopes: Pick<Scopes, 'inForce'>;
  /** Settings of a named profile, or of the default one. */
  readonly baseProfile: (id: string) => ConnectionProfile;
  /** Throws `duplicate-device` where another device has the address. */
  readonly requireFree: (url: string) => void;
  readonly adopt: (device: DeviceRecord) => DeviceRecord;
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
}

export interface DeviceChanges {
  /** Updates a device as in DevicesApi, but returns nothing. */
  update(id: string, change: DeviceChange): void;
  updateMany: DevicesApi['updateMany'];
}

export function createDeviceChanges(host: ChangeHost): DeviceChanges {
  const { store, clock, records, scopes, adopt } = host;

  function requireNamed({ credentialId, siteId }: Pick<DeviceChange, 'credentialId' | 'siteId'>): void {
    if (typeof credentialId === 'string') requireCredential(store, credentialId);
    if (typeof siteId === 'string') requireSite(store, siteId);
  }

  function changedRecord(before: DeviceRecord, change: DeviceChange): DeviceRecord {
    const { credentialId, siteId, ...rest } = change.restarted === true ? clearRestartNeeded(before) : before;
    const url = change.address === undefined ? before.url : parseAddress(change.address).url;
    if (url !== before.url) host.requireFree(url);
    const profile = mergeProfile(
      change.profileId === undefined ? before.profile : host.baseProfile(change.profileId),
      change.profile,
    );
    const moved: DeviceRecord = {
      ...rest,
      url,
      name: checkName(change.name) ?? before.name,
      tags: change.tags === undefined ? before.tags : checkTags(change.tags),
      profile,
      // A person who agrees to a weaker sign-in, or to Basic, knew what was offered before: only later offers count.
      ...(change.acceptWeaker === true ||
      change.profile?.auth === 'basic' ||
      (profile.auth === 'basic' && before.profile.auth !== 'basic')
        ? { strength: 0 }
        : {}),
      ...reference('credentialId', change.credentialId, credentialId),
      ...reference('siteId', change.siteId, siteId),
      ...(change.certificate === undefined ? {} : parsePin(change.certificate, clock)),
      ...removeUndefined({
        identity: change.identity === undefined ? undefined : checkIdentity(change.identity),
      }),
      ...(url === before.url ? {} : { reach: 'unknown' }),
    };
    return url === before.url ? keepWorking(before, moved, change) : adopt(moved);
  }

  /**
   * Returns the device with the saved sign-in that works today as its own, if its new site or tags would replace it with
   * one that was never tried on this device.
   */
  function keepWorking(
    before: DeviceRecord,
    next: DeviceRecord,
    { credentialId }: DeviceChange,
  ): DeviceRecord {
    if (before.signIn !== 'ok' || credentialId !== undefined) return next;
    const [works, follows] = [before, next].map((record) => scopes.inForce(record).credentialId);
    const isReplaced = works !== undefined && follows !== undefined && works !== follows;
    return isReplaced ? { ...next, credentialId: works } : next;
  }

  /** Gives whether the next request has to start afresh. */
  function save(before: DeviceRecord, next: DeviceRecord): boolean {
    const afresh =
      next.url !== before.url ||
      next.profile.auth !== before.profile.auth ||
      next.strength !== before.strength ||
      next.certificate !== before.certificate ||
      scopes.inForce(next).key !== scopes.inForce(before).key;
    records.save(afresh ? clearSignInState(next) : next);
    return afresh;
  }

  return {
    update(id, change) {
      const before = records.get(id);
      requireNamed(change);
      if (save(before, changedRecord(before, change))) host.onSignInChanged([id]);
    },
    updateMany({ ids, addTags = [], removeTags = [], ...change }) {
      requireNamed(change);
      const removed = new Set(removeTags);
      const retag = addTags.length + removed.size > 0;
      const afresh: string[] = [];
      const changed = records.atomically(
        () =>
          [...new Set(ids)].filter((id) => {
            const before = records.get(id);
            const tags = retag
              ? { tags: [...before.tags.filter((tag) => !removed.has(tag)), ...addTags] }
              : {};
            const next = saidOf(before, () => changedRecord(before, { ...change, ...tags }));
            if (isDeepStrictEqual(before, next)) return false;
            if (save(before, next)) afresh.push(id);
            return true;
          }).length,
      );
      if (afresh.length > 0) host.onSignInChanged(afresh);
      return { changed };
    },
  };
}

/** Runs `work` for one of many devices and names the device in its error. */
function saidOf<T>({ name }: Pick<DeviceRecord, 'name'>, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof FieldwrightError ? new FieldwrightError({ ...error.shape, device: name }) : error;
  }
}

/** Resolves `wanted` of an optional reference: null takes it away, undefined leaves what was. */
function reference<K extends 'credentialId' | 'siteId'>(
  key: K,
  wanted: string | null | undefined,
  before: string | undefined,
): { [P in K]?: string } {
  const made: { [P in K]?: string } = {};
  const next = wanted === undefined ? before : (wanted ?? undefined);
  if (next !== undefined) made[key] = next;
  return made;
}
