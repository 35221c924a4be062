/** The devices of this data folder, and those named for one run only. */
import { createHash, randomBytes } from 'node:crypto';
import { defined } from '../../shared/defined.ts';
import type { CredentialScope } from '../../shared/access.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '../../shared/errors.ts';
import type { ConnectionProfile, Device, DeviceKind } from '../../shared/model.ts';
import type { AddDevice, Clock, DevicesApi, EngineOptions, SignInPlaces, TransientDevice } from '../api.ts';
import { parseAddress } from '../device/transport/address.ts';
import type { DeviceDirectory } from '../device/directory.ts';
import type { Store } from '../store/index.ts';
import { createDeviceChanges } from './change-devices.ts';
import { createRefusedSignIns } from './access/refused-sign-ins.ts';
import { requireCredential, revealCredential, userNameOf } from './access/credential-rows.ts';
import type { DeviceRecord } from './device-rows.ts';
import { checkIdentity, checkName, checkTags, unknownDevice } from './device-text.ts';
import { importDevices } from './import/import-devices.ts';
import { notable, observed } from './observe.ts';
import { mergeProfile } from './profile.ts';
import type { Profiles } from './profiles.ts';
import { DeviceRecords, toDevice } from './records.ts';
import { createScopes } from './access/scopes.ts';
import { createSignInPlaces } from './access/sign-in-places.ts';
import { createSignInChanges, type SignInChanges } from './access/sign-ins.ts';
import { requireSite } from './sites.ts';
import { createTrust, givenPin, type Pin } from './access/trust.ts';
import type { Vault } from './access/vault.ts';
import { createDeviceWatch } from './watch.ts';

type SignInValues = { readonly userName: string; readonly password: string };
/** What the command line lays over a device for one run. */
interface Overlay {
  readonly signIn?: SignInValues;
  readonly profile?: AddDevice['profile'];
  readonly pin?: Pin;
}

export interface Inventory extends Omit<
  DevicesApi,
  'add' | 'test' | 'testEach' | 'probe' | 'signIn' | 'keepChecked' | 'removal'
> {
  add(device: AddDevice): Device;
  /** All of what is done in it, or nothing. */
  readonly atomically: DeviceRecords['atomically'];
  /** How connections see the devices. */
  readonly directory: DeviceDirectory;
  /** A person tests again a device that seems to be another one: from now on it is this one. */
  acceptOther(deviceIds: readonly string[]): void;
  learnKinds(deviceId: string, kinds: readonly DeviceKind[]): void;
  /** As in SignInChanges: around whatever may give devices another sign-in. */
  readonly signInsDuring: SignInChanges['during'];
  /** Gives the devices this sign-in as their own, or with null takes theirs away; only within `signInsDuring`. Gives on how many that is a change. */
  assign(credentialId: string | null, deviceIds: readonly string[]): number;
  /** A saved sign-in goes: nobody has it as their own any more; only within `signInsDuring`. */
  loseCredential(credentialId: string): void;
  /** On how many devices each saved sign-in is in force, and what it was given to; with an id, of that one alone. */
  signInUse(credentialId?: string): {
    readonly devices: ReadonlyMap<string, number>;
    readonly scopes: ReadonlyMap<string, readonly CredentialScope[]>;
  };
  /** Devices on which this saved sign-in is in force. */
  usersOf(credentialId: string): readonly Device[];
  readonly places: SignInPlaces;
  /** Does what removes a site; its devices stay without one. Gives what it gave. */
  leaveSite(siteId: string, remove: () => boolean): boolean;
  /** Writes what was only kept in memory. */
  close(): void;
}

interface InventoryOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly profiles: Pick<Profiles, 'standard' | 'get' | 'named'>;
  /** The sign-in of these devices is another one now. */
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
  readonly onRemoved: (deviceIds: readonly string[]) => void;
  /** As in EngineOptions. */
  readonly certificates?: EngineOptions['certificates'];
  readonly onTrusted?: EngineOptions['onTrusted'];
}

export function createInventory(options: InventoryOptions): Inventory {
  const { store, clock, profiles } = options;
  const watch = createDeviceWatch();
  const overlays = new Map<string, Overlay>();
  const scopes = createScopes(store, (id) => overlays.get(id)?.signIn !== undefined);
  const records = new DeviceRecords({
    store,
    clock,
    watch,
    scopes,
    onSignInChanged: options.onSignInChanged,
  });
  const onSignInChanged = (ids: readonly string[]) => records.afterwards(() => options.onSignInChanged(ids));
  const { during: signInsDuring } = createSignInChanges({ store, records, scopes, onSignInChanged });
  const { judge, adopt, leave, trust, distrust } = createTrust({
    store,
    clock,
    records,
    mode: options.certificates ?? 'ask',
    ...defined({ onTrusted: options.onTrusted }),
    given: (id) => overlays.get(id)?.pin?.trust,
    onChanged: onSignInChanged,
  });
  const changes = createDeviceChanges({
    store,
    clock,
    records,
    scopes,
    baseProfile,
    requireFree,
    adopt,
    onSignInChanged,
  });

  const list = () => records.kept().map((record) => toDevice(record, scopes.inForce(record)));

  /** As this run sees it. */
  function shown(id: string): Device {
    const record = records.get(id);
    return toDevice(effective(id, record), scopes.inForce(record));
  }

  /** The device with what this run lays over it. */
  function effective(id: string, record: DeviceRecord = records.get(id)): DeviceRecord {
    const overlay = overlays.get(id);
    if (overlay === undefined) return record;
    return { ...record, profile: mergeProfile(record.profile, overlay.profile), ...overlay.pin };
  }

  /** `siteOf` is asked last, when nothing else can be wrong: it may make a site. */
  function add(device: AddDevice, siteOf: () => string | undefined = () => device.siteId): Device {
    const { url, host } = parseAddress(device.address);
    requireFree(url);
    if (device.credentialId !== undefined) requireCredential(store, device.credentialId);
    const record: DeviceRecord = {
      ...blank(`d-${randomBytes(8).toString('hex')}`, checkName(device.name) ?? host, url),
      tags: checkTags(device.tags ?? []),
      profile: mergeProfile(baseProfile(device.profileId), device.profile),
      ...defined({ credentialId: device.credentialId }),
      ...(device.certificate === undefined ? {} : givenPin(device.certificate, clock)),
      ...defined({ identity: device.identity === undefined ? undefined : checkIdentity(device.identity) }),
    };
    const siteId = siteOf();
    if (siteId !== undefined) requireSite(store, siteId);
    records.atomically(() => records.insert(adopt(siteId === undefined ? record : { ...record, siteId })));
    return shown(record.id);
  }

  function baseProfile(id: string | undefined): ConnectionProfile {
    return (id === undefined ? profiles.standard() : profiles.get(id)).profile;
  }

  function requireFree(url: string): void {
    const twin = records.byUrl(url);
    if (twin !== undefined)
      throw userError('duplicate-device', say('address-taken', { name: twin.name }), {
        path: 'address',
        device: url,
      });
  }

  function blank(id: string, name: string, url: string): DeviceRecord {
    return {
      id,
      name,
      url,
      kinds: [],
      tags: [],
      profile: profiles.standard().profile,
      strength: 0,
      reach: 'unknown',
      signIn: 'unknown',
      addedAt: clock.now().toISOString(),
    };
  }

  function find(reference: string): Device {
    const direct = records.known(reference);
    if (direct !== undefined) return shown(direct.id);
    const named = records.named(reference);
    if (named.length > 1)
      throw userError('unknown-device', say('name-of-several', { count: named.length, reference }), {
        device: reference,
      });
    const url = urlOf(reference);
    const found =
      named[0] ??
      (url === undefined ? undefined : (records.byUrl(url) ?? records.known(transientId(url)))?.id);
    // No name is near an address, and comparing thousands takes its time.
    if (found === undefined)
      throw unknownDevice(
        reference,
        /^https?:/i.test(reference) ? [] : records.all().map((candidate) => candidate.name),
      );
    return shown(found);
  }

  function addTransient(device: TransientDevice): Device {
    const { url, host } = parseAddress(device.url);
    const kept = records.byUrl(url);
    const id = kept?.id ?? transientId(url);
    const overlay: Overlay = {
      ...overlays.get(id),
      ...defined({
        profile: device.profile,
        pin: device.certificate === undefined ? undefined : givenPin(device.certificate, clock),
        signIn:
          device.password === undefined
            ? undefined
            : { userName: userNameFor(kept, device.userName), password: device.password },
      }),
    };
    mergeProfile(profiles.standard().profile, overlay.profile);
    if (records.peek(id) === undefined)
      records.addTransient(adopt(blank(id, checkName(device.name) ?? host, url)));
    overlays.set(id, overlay);
    onSignInChanged([id]);
    return shown(id);
  }

  /** A password without a name goes with the saved name, else with the account every device is delivered with. */
  function userNameFor(kept: DeviceRecord | undefined, userName: string | undefined): string {
    const saved = kept === undefined ? undefined : scopes.saved(kept).credentialId;
    return userName ?? (saved === undefined ? undefined : userNameOf(store, saved)) ?? 'admin';
  }

  const update: DevicesApi['update'] = ({ id, ...change }) => {
    changes.update(id, change);
    return shown(id);
  };

  /** Whatever is not the caller's fault undoes all. */
  const addMany: DevicesApi['addMany'] = ({ devices: wanted }) =>
    records.atomically(() => {
      const added: Device[] = [];
      const failed: { index: number; error: ErrorShape }[] = [];
      for (const [index, device] of wanted.entries()) {
        try {
          added.push(add(device));
        } catch (error) {
          if (!(error instanceof FieldwrightError) || error.shape.source === 'app') throw error;
          failed.push({ index, error: toErrorShape(error) });
        }
      }
      return { added, failed };
    });

  function assign(credentialId: string | null, deviceIds: readonly string[]): number {
    if (credentialId !== null) requireCredential(store, credentialId);
    const others = [...new Set(deviceIds)]
      .map((id) => records.get(id))
      .filter((device) => (device.credentialId ?? null) !== credentialId);
    store.run(
      'UPDATE devices SET credential_id = ? WHERE id IN (SELECT value FROM json_each(?))',
      credentialId,
      JSON.stringify(others.map(({ id }) => id)),
    );
    for (const { credentialId: _before, ...rest } of others)
      records.replace(credentialId === null ? rest : { ...rest, credentialId });
    return others.length;
  }

  /** Only of one that is shared do the others have to be looked through. */
  function using(credentialId: string): readonly DeviceRecord[] {
    return scopes.isShared(credentialId)
      ? records.kept().filter((record) => scopes.saved(record).credentialId === credentialId)
      : records.owning(credentialId);
  }

  return {
    list,
    find,
    atomically: (work) => records.atomically(work),
    add,
    addMany,
    addTransient,
    update,
    updateMany: changes.updateMany,
    trust,
    distrust,
    watch: (signal) => watch.events(list, signal),
    remove({ ids }) {
      const removed = records.atomically(() => {
        leave(ids.flatMap((id) => records.peek(id) ?? []));
        return records.remove(ids);
      });
      for (const id of removed) overlays.delete(id);
      options.onRemoved(removed);
      return { removed: removed.length };
    },
    importCsv: (wanted) =>
      importDevices(wanted, { add, store, clock, profiles, transaction: (work) => records.atomically(work) }),
    signInsDuring,
    assign,
    places: createSignInPlaces({ store, records, scopes }),
    loseCredential(credentialId) {
      for (const { credentialId: _lost, ...rest } of records.owning(credentialId)) records.replace(rest);
    },
    usersOf: (credentialId) =>
      using(credentialId).flatMap((record) => {
        const inForce = scopes.inForce(record);
        return inForce.credentialId === credentialId ? [toDevice(record, inForce)] : [];
      }),
    signInUse(only) {
      if (only !== undefined) return { devices: new Map([[only, using(only).length]]), scopes: scopes.all() };
      const devices = new Map<string, number>();
      for (const record of records.kept()) {
        const { credentialId } = scopes.saved(record);
        if (credentialId !== undefined) devices.set(credentialId, (devices.get(credentialId) ?? 0) + 1);
      }
      return { devices, scopes: scopes.all() };
    },
    leaveSite: (siteId, remove) =>
      signInsDuring(() => {
        for (const { siteId: own, ...rest } of records.kept()) if (own === siteId) records.replace(rest);
        return remove();
      }).result,
    acceptOther(deviceIds) {
      for (const id of deviceIds) {
        const { realm: _before, ...rest } = records.get(id);
        if (rest.lastError?.reason === 'other-device') records.save(rest);
      }
    },
    learnKinds(deviceId, kinds) {
      const before = records.get(deviceId);
      if (before.kinds.join() !== kinds.join()) records.save({ ...before, kinds });
    },
    directory: {
      settings: (deviceId) => effective(deviceId, records.recent(deviceId)),
      signIn(deviceId) {
        const given = overlays.get(deviceId)?.signIn;
        if (given !== undefined) return given;
        const { credentialId, from } = scopes.saved(records.get(deviceId));
        if (from?.kind === 'conflict') throw contradiction(from.tags);
        return credentialId === undefined ? undefined : revealCredential(store, options.vault, credentialId);
      },
      signInWorked(deviceId) {
        if (overlays.get(deviceId)?.signIn !== undefined) return false;
        const { credentialId } = scopes.saved(records.get(deviceId));
        return credentialId !== undefined && using(credentialId).some(({ signIn }) => signIn === 'ok');
      },
      judge,
      refused: createRefusedSignIns(options),
      observe(deviceId, observation) {
        const before = records.peek(deviceId);
        if (before === undefined) return;
        const next = observed(before, observation, clock.now().toISOString());
        const isNotable = notable(before, next);
        if (next !== before)
          records.note(next, { tell: isNotable, keep: isNotable || observation.type !== 'checked' });
      },
    },
    close() {
      watch.close();
      records.flush();
    },
  };
}

/** Trying one sign-in after the other would lock the account. */
function contradiction(tags: readonly string[]): FieldwrightError {
  return userError(
    'sign-in-required',
    say('device.tags-differ', { tags: tags.map((tag) => `"${tag}"`).join(' and ') }),
    { reason: 'tags-differ' },
  );
}

function transientId(url: string): string {
  return `t-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
}

function urlOf(reference: string): string | undefined {
  try {
    return parseAddress(reference).url;
  } catch {
    return undefined;
  }
}
