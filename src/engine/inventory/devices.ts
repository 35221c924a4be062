/** The devices of this data folder, and those named for one run only. */
import { createHash, randomBytes } from 'node:crypto';
import { FieldwrightError } from '../../shared/errors.ts';
import { DEFAULT_PROFILE } from '../../shared/model.ts';
import type { Device, DeviceKind } from '../../shared/model.ts';
import type { AddDevice, Clock, DevicesApi, TransientDevice } from '../api.ts';
import { parseAddress } from '../device/address.ts';
import type { DeviceDirectory } from '../device/directory.ts';
import { normalizeFingerprint } from '../device/tls.ts';
import type { Store } from '../store/index.ts';
import { credentialExists, revealCredential, userNameOf } from './credential-rows.ts';
import { importDevices } from './csv.ts';
import type { DeviceRecord } from './device-rows.ts';
import { checkIdentity, checkName, checkTags, unknownDevice } from './device-text.ts';
import { notable, observed } from './observe.ts';
import { mergeProfile } from './profile.ts';
import { createRecords, toDevice } from './records.ts';
import type { Vault } from './vault.ts';
import { createDeviceWatch } from './watch.ts';

type SignInValues = { readonly userName: string; readonly password: string };
/** What the command line lays over a device for one run. */
interface Overlay { readonly signIn?: SignInValues; readonly profile?: AddDevice['profile']; readonly certificate?: string }

export interface Inventory extends Omit<DevicesApi, 'test'> {
  /** How connections see the devices. */
  readonly directory: DeviceDirectory;
  learnKinds(deviceId: string, kinds: readonly DeviceKind[]): void;
  /** Assigns (or with null takes away) a saved sign-in. */
  assign(credentialId: string | null, deviceIds: readonly string[]): number;
  /** A saved sign-in changed or went: its devices start afresh. */
  credentialChanged(credentialId: string, removed: boolean): void;
  /** Writes what was only kept in memory. */
  close(): void;
}

export interface InventoryOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** The sign-in of these devices is another one now. */
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
  readonly onRemoved: (deviceIds: readonly string[]) => void;
}

export function createInventory(options: InventoryOptions): Inventory {
  const { store, clock } = options;
  const watch = createDeviceWatch();
  const records = createRecords({ store, clock, watch });
  const overlays = new Map<string, Overlay>();

  const list = () => records.kept().map(toDevice);
  const byUrl = (url: string | undefined) => records.kept().find((candidate) => candidate.url === url);

  /** The device with what this run lays over it. */
  function effective(id: string, record: DeviceRecord = records.get(id)): DeviceRecord {
    const overlay = overlays.get(id);
    if (overlay === undefined) return record;
    return { ...record, profile: mergeProfile(record.profile, overlay.profile), ...(overlay.certificate === undefined ? {} : { certificate: overlay.certificate }) };
  }

  function add(device: AddDevice): Device {
    const { url, host } = parseAddress(device.address);
    requireFree(url);
    if (device.credentialId !== undefined) requireCredential(device.credentialId);
    const record: DeviceRecord = {
      ...blank(`d-${randomBytes(8).toString('hex')}`, checkName(device.name) ?? host, url),
      tags: checkTags(device.tags ?? []), profile: mergeProfile(DEFAULT_PROFILE, device.profile),
      ...(device.credentialId === undefined ? {} : { credentialId: device.credentialId }),
      ...(device.certificate === undefined ? {} : { certificate: normalizeFingerprint(device.certificate) }),
      ...(device.identity === undefined ? {} : { identity: checkIdentity(device.identity) }),
    };
    records.insert(record);
    return toDevice(record);
  }

  function requireFree(url: string): void {
    const twin = byUrl(url);
    if (twin !== undefined) throw new FieldwrightError({ code: 'duplicate-device', source: 'user', path: 'address', device: url, message: `This address is already in the list, as "${twin.name}".` });
  }

  function blank(id: string, name: string, url: string): DeviceRecord {
    return { id, name, url, kinds: [], tags: [], profile: DEFAULT_PROFILE, digestSeen: false, reach: 'unknown', signIn: 'unknown', addedAt: clock.now().toISOString() };
  }

  function requireCredential(id: string): void {
    if (!credentialExists(store, id)) throw new FieldwrightError({ code: 'not-found', source: 'user', path: 'credentialId', message: 'There is no saved sign-in with this id.' });
  }

  function find(reference: string): Device {
    const all = records.all();
    const named = all.filter((candidate) => candidate.name === reference);
    const url = urlOf(reference);
    const direct = all.find((candidate) => candidate.id === reference);
    if (direct === undefined && named.length > 1) throw new FieldwrightError({ code: 'unknown-device', source: 'user', device: reference, message: `${named.length} devices have the name "${reference}".`, hint: 'Use the address or the id.' });
    const found = direct ?? named[0] ?? all.find((candidate) => candidate.url === url);
    if (found === undefined) throw unknownDevice(reference, all.map((candidate) => candidate.name));
    return toDevice(effective(found.id));
  }

  function addTransient(device: TransientDevice): Device {
    const { url, host } = parseAddress(device.url);
    const kept = byUrl(url);
    const id = kept?.id ?? `t-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
    const overlay: Overlay = {
      ...overlays.get(id),
      ...(device.profile === undefined ? {} : { profile: device.profile }),
      ...(device.certificate === undefined ? {} : { certificate: normalizeFingerprint(device.certificate) }),
      ...(device.password === undefined ? {} : { signIn: { userName: userNameFor(kept, device.userName), password: device.password } }),
    };
    mergeProfile(DEFAULT_PROFILE, overlay.profile);
    if (records.peek(id) === undefined) records.addTransient(blank(id, checkName(device.name) ?? host, url));
    overlays.set(id, overlay);
    options.onSignInChanged([id]);
    return toDevice(effective(id));
  }

  /** A password without a name goes with the saved name, else with the account every device is delivered with. */
  function userNameFor(kept: DeviceRecord | undefined, userName: string | undefined): string {
    return userName ?? (kept?.credentialId === undefined ? undefined : userNameOf(store, kept.credentialId)) ?? 'admin';
  }

  const update: DevicesApi['update'] = (id, change) => {
    const before = records.get(id);
    if (change.credentialId !== undefined && change.credentialId !== null) requireCredential(change.credentialId);
    const credentialId = change.credentialId === undefined ? before.credentialId : change.credentialId ?? undefined;
    const { credentialId: _credential, ...rest } = before;
    const url = change.address === undefined ? before.url : parseAddress(change.address).url;
    if (url !== before.url) requireFree(url);
    const next: DeviceRecord = {
      ...rest, url, name: checkName(change.name) ?? before.name, tags: change.tags === undefined ? before.tags : checkTags(change.tags),
      profile: mergeProfile(before.profile, change.profile),
      ...(credentialId === undefined ? {} : { credentialId }),
      ...(change.certificate === undefined ? {} : { certificate: normalizeFingerprint(change.certificate) }),
      ...(change.identity === undefined ? {} : { identity: checkIdentity(change.identity) }),
      ...(url === before.url ? {} : { reach: 'unknown' }),
    };
    const afresh = url !== before.url || credentialId !== before.credentialId || next.profile.auth !== before.profile.auth || next.certificate !== before.certificate;
    records.save(afresh ? unsettled(next) : next);
    if (afresh) options.onSignInChanged([id]);
    return toDevice(effective(id));
  };

  return {
    list, find, add, addTransient, update,
    watch: (signal) => watch.events(list, signal),
    remove(ids) {
      const removed = records.remove(ids);
      for (const id of removed) overlays.delete(id);
      options.onRemoved(removed);
      return removed.length;
    },
    importCsv: (text) => importDevices(text, { add, store, transaction: records.atomically }),
    assign(credentialId, deviceIds) {
      if (credentialId !== null) requireCredential(credentialId);
      const changed = [...new Set(deviceIds)].map(records.get).filter((device) => (device.credentialId ?? null) !== credentialId);
      records.atomically(() => {
        for (const device of changed) update(device.id, { credentialId });
      });
      return changed.length;
    },
    credentialChanged(credentialId, removed) {
      const users = records.kept().filter((device) => device.credentialId === credentialId);
      for (const device of users) {
        const { credentialId: _gone, ...rest } = device;
        records.save(unsettled(removed ? rest : device));
      }
      options.onSignInChanged(users.map((device) => device.id));
    },
    learnKinds(deviceId, kinds) {
      const before = records.get(deviceId);
      if (before.kinds.join() !== kinds.join()) records.save({ ...before, kinds });
    },
    directory: {
      settings: (deviceId) => effective(deviceId, records.recent(deviceId)),
      signIn(deviceId) {
        const { credentialId } = records.get(deviceId);
        return overlays.get(deviceId)?.signIn ?? (credentialId === undefined ? undefined : revealCredential(store, options.vault, credentialId));
      },
      observe(deviceId, observation) {
        const before = records.peek(deviceId);
        if (before === undefined) return;
        const next = observed(before, observation, clock.now().toISOString());
        if (next !== before) records.note(next, notable(before, next));
      },
    },
    close() {
      watch.close();
      records.flush();
    },
  };
}

/** Without what belonged to the sign-in before. */
function unsettled(device: DeviceRecord): DeviceRecord {
  const { lastError: _settled, ...rest } = device;
  return { ...rest, signIn: 'unknown' };
}

function urlOf(reference: string): string | undefined {
  try {
    return parseAddress(reference).url;
  } catch {
    return undefined;
  }
}
