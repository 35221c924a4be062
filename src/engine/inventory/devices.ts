/** The devices of this data folder, and those named for one run only. */
import { createHash, randomBytes } from 'node:crypto';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import type { ConnectionProfile, Device, DeviceKind } from '#shared/model.ts';
import type { Clock, EngineOptions } from '../api/host.ts';
import type { AddDevice, DevicesApi, SignInPlaces } from '../api/routes.ts';
import { parseAddress } from '../device/transport/address.ts';
import type { DeviceDirectory } from '../device/directory.ts';
import { listSystemInterfaces } from '../discovery/network.ts';
import type { ListInterfaces } from '../discovery/types.ts';
import type { Store } from '../store/index.ts';
import { createArchive, type Archive } from './archive.ts';
import { createDeviceChanges, type DeviceChanges } from './change-devices.ts';
import { CredentialUse } from './access/credential-use.ts';
import { requireCredential, findUserName } from './access/credential-rows.ts';
import type { DeviceRecord } from './device-rows.ts';
import { checkIdentity, checkName, checkTags, createUnknownDeviceError } from './device-text.ts';
import { importDevices } from './import/import-devices.ts';
import { createDirectory } from './directory.ts';
import { createLinks, type Links } from './links.ts';
import { Overlays } from './overlays.ts';
import { mergeProfile } from './profile.ts';
import type { Profiles } from './profiles.ts';
import { DeviceRecords, toDevice } from './records.ts';
import { createScopes, type Scopes } from './access/scopes.ts';
import { createSignInPlaces } from './access/sign-in-places.ts';
import { requireSite } from './sites.ts';
import { createTrust, parsePin, type Trust } from './access/trust.ts';
import type { Vault } from './access/vault.ts';
import { createDeviceWatch } from './watch.ts';

/** Devices of a preview that are shown by name. */
const PREVIEWED = 5;

interface InventoryOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly profiles: Pick<Profiles, 'standard' | 'get' | 'named'>;
  /** Called when the sign-in of these devices is another one now. */
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
  readonly onRemoved: (deviceIds: readonly string[]) => void;
  readonly listInterfaces?: ListInterfaces;
  /** Same as in EngineOptions. */
  readonly certificates?: EngineOptions['certificates'];
  readonly onTrusted?: EngineOptions['onTrusted'];
}

/** All devices that this run knows, and what is done to them; the methods that faces call may be passed on alone. */
export class Inventory {
  readonly #options: InventoryOptions;
  readonly #watch = createDeviceWatch();
  readonly #overlays = new Overlays();
  readonly #scopes: Scopes;
  readonly #records: DeviceRecords;
  readonly #trust: Trust;
  readonly #changes: DeviceChanges;
  /** Credentials in force on the devices. */
  readonly use: CredentialUse;
  readonly places: SignInPlaces;
  /** Networks that led to devices and are gone. */
  readonly links: Links;
  /** Devices that were replaced. */
  readonly archive: Archive;
  /** How connections see the devices. */
  readonly directory: DeviceDirectory;

  constructor(options: InventoryOptions) {
    const { store, vault, clock } = options;
    this.#options = options;
    const overlays = this.#overlays;
    const scopes = createScopes(store, (id) => overlays.get(id).signIn !== undefined);
    const records = new DeviceRecords({
      store,
      clock,
      watch: this.#watch,
      scopes,
      onSignInChanged: options.onSignInChanged,
    });
    this.#scopes = scopes;
    this.#records = records;
    const onSignInChanged = (ids: readonly string[]): void => this.#signInChanged(ids);
    this.use = new CredentialUse({ store, records, scopes, onSignInChanged });
    this.#trust = createTrust({
      store,
      clock,
      records,
      mode: options.certificates ?? 'ask',
      ...removeUndefined({ onTrusted: options.onTrusted }),
      given: (id) => overlays.get(id).pin?.trust,
      onChanged: onSignInChanged,
    });
    const { adopt, judge } = this.#trust;
    this.#changes = createDeviceChanges({
      store,
      clock,
      records,
      scopes,
      baseProfile: (id) => this.#baseProfile(id),
      requireFree: (url) => this.#requireFree(url),
      adopt,
      onSignInChanged,
    });
    this.archive = createArchive({
      store,
      clock,
      records,
      update: (id, change) => this.#changes.update(id, change),
      remove: (ids) => void this.remove({ ids }),
      requireFree: (url) => this.#requireFree(url),
    });
    this.places = createSignInPlaces({ store, records, scopes });
    this.links = createLinks({
      list: () => this.list(),
      clock,
      listInterfaces: options.listInterfaces ?? listSystemInterfaces,
    });
    this.directory = createDirectory({
      store,
      vault,
      clock,
      records,
      overlays,
      scopes,
      use: this.use,
      judge,
      isCut: (url) => this.links.isCut(url),
    });
  }

  /** Does all of the work, or nothing. */
  readonly atomically: DeviceRecords['atomically'] = (work) => this.#records.atomically(work);

  readonly list: DevicesApi['list'] = () =>
    this.#records.kept().map((record) => toDevice(record, this.#scopes.inForce(record)));

  readonly watch: DevicesApi['watch'] = (signal) => this.#watch.events(this.list, signal);

  readonly find: DevicesApi['find'] = (reference) => {
    const found = this.known(reference);
    if (found !== undefined) return found;
    requireAddressForm(reference);
    // No name is near an address, and comparing thousands takes its time.
    const names = /^https?:/i.test(reference) ? [] : this.#records.all().map(({ name }) => name);
    throw createUnknownDeviceError(reference, names);
  };

  readonly known: DevicesApi['known'] = (reference) => {
    const records = this.#records;
    const direct = records.known(reference);
    if (direct !== undefined) return this.#shown(direct.id);
    const named = records.named(reference);
    if (named.length > 1)
      throw userError('unknown-device', say('name-of-several', { count: named.length, reference }), {
        device: reference,
      });
    const url = urlOf(reference);
    const found =
      named[0] ??
      (url === undefined ? undefined : (records.byUrl(url) ?? records.known(transientId(url)))?.id);
    return found === undefined ? undefined : this.#shown(found);
  };

  /** Adds a device. `siteOf` is called last, when nothing else can be wrong: it may make a site. */
  add(device: AddDevice, siteOf: () => string | undefined = () => device.siteId): Device {
    const { store, clock } = this.#options;
    const { url, host } = parseAddress(device.address);
    this.#requireFree(url);
    if (device.credentialId !== undefined) requireCredential(store, device.credentialId);
    const record: DeviceRecord = {
      ...this.#blank(`d-${randomBytes(8).toString('hex')}`, checkName(device.name) ?? host, url),
      tags: checkTags(device.tags ?? []),
      profile: mergeProfile(this.#baseProfile(device.profileId), device.profile),
      ...removeUndefined({ credentialId: device.credentialId }),
      ...(device.certificate === undefined ? {} : parsePin(device.certificate, clock)),
      ...removeUndefined({
        identity: device.identity === undefined ? undefined : checkIdentity(device.identity),
      }),
    };
    const siteId = siteOf();
    if (siteId !== undefined) requireSite(store, siteId);
    this.atomically(() =>
      this.#records.insert(this.#trust.adopt(siteId === undefined ? record : { ...record, siteId })),
    );
    return this.#shown(record.id);
  }

  /** Adds the devices; an error that is not the caller's fault undoes all. */
  readonly addMany: DevicesApi['addMany'] = ({ devices: wanted }) =>
    this.atomically(() => {
      const added: Device[] = [];
      const failed: { index: number; error: ErrorShape }[] = [];
      for (const [index, device] of wanted.entries()) {
        try {
          added.push(this.add(device));
        } catch (error) {
          if (!(error instanceof FieldwrightError) || error.shape.source === 'app') throw error;
          failed.push({ index, error: toErrorShape(error) });
        }
      }
      return { added, failed };
    });

  readonly importCsv: DevicesApi['importCsv'] = (wanted) =>
    importDevices(wanted, {
      ...this.#options,
      add: (device, siteOf) => this.add(device, siteOf),
      transaction: this.atomically,
    });

  readonly previewCsv: DevicesApi['previewCsv'] = (wanted) => {
    let preview: ReturnType<DevicesApi['previewCsv']> | undefined;
    const undone = new Error('undone');
    try {
      this.atomically(() => {
        const { added, failed, leftOut, failedFile } = this.importCsv(wanted);
        const first = added.slice(0, PREVIEWED).map(({ name, url, tags }) => ({ name, url, tags }));
        preview = { count: added.length, first, failed, leftOut, ...removeUndefined({ failedFile }) };
        throw undone;
      });
    } catch (thrown) {
      if (thrown !== undone) throw thrown;
    }
    return preview ?? { count: 0, first: [], failed: [], leftOut: [] };
  };

  readonly addTransient: DevicesApi['addTransient'] = (device) => {
    const { clock, profiles } = this.#options;
    const { url, host } = parseAddress(device.url);
    const kept = this.#records.byUrl(url);
    const id = kept?.id ?? transientId(url);
    mergeProfile(profiles.standard().profile, device.profile ?? this.#overlays.get(id).profile);
    const overlay = removeUndefined({
      profile: device.profile,
      pin: device.certificate === undefined ? undefined : parsePin(device.certificate, clock),
      signIn:
        device.password === undefined
          ? undefined
          : { userName: this.#userNameFor(kept, device.userName), password: device.password },
    });
    if (this.#records.peek(id) === undefined)
      this.#records.addTransient(this.#trust.adopt(this.#blank(id, checkName(device.name) ?? host, url)));
    this.#overlays.lay(id, overlay);
    this.#signInChanged([id]);
    return this.#shown(id);
  };

  readonly update: DevicesApi['update'] = ({ id, ...change }) => {
    this.#changes.update(id, change);
    return this.#shown(id);
  };

  readonly updateMany: DevicesApi['updateMany'] = (change) => this.#changes.updateMany(change);

  readonly trust: DevicesApi['trust'] = (request) => this.#trust.trust(request);

  readonly distrust: DevicesApi['distrust'] = (request) => this.#trust.distrust(request);

  readonly remove: DevicesApi['remove'] = ({ ids }) => {
    const removed = this.atomically(() => {
      this.#trust.leave(ids.flatMap((id) => this.#records.peek(id) ?? []));
      return this.#records.remove(ids);
    });
    this.#overlays.lift(removed);
    this.#records.afterwards(() => this.#options.onRemoved(removed));
    return { removed: removed.length };
  };

  /** Does work that writes rows of devices, sites and sign-ins by itself, all or nothing. */
  readonly rewrite = <T>(work: () => T): T =>
    this.atomically(() => {
      const done = work();
      const removed = this.#records.reread();
      this.#records.afterwards(() => {
        this.#overlays.lift(removed);
        this.#options.onRemoved(removed);
      });
      return done;
    });

  /** Does what removes a site; its devices stay without one. Gives what it gave. */
  leaveSite(siteId: string, remove: () => boolean): boolean {
    return this.use.during(() => {
      for (const { siteId: own, ...rest } of this.#records.kept())
        if (own === siteId) this.#records.replace(rest);
      return remove();
    }).result;
  }

  /**
   * Accepts a device that seems to be another one, because a person tests it again: from now on it is this
   * one.
   */
  acceptOther(deviceIds: readonly string[]): void {
    for (const id of deviceIds) {
      const { realm: _before, ...rest } = this.#records.get(id);
      if (rest.lastError?.reason === 'other-device') this.#records.save(rest);
    }
  }

  learnKinds(deviceId: string, kinds: readonly DeviceKind[]): void {
    const before = this.#records.get(deviceId);
    if (before.kinds.join() !== kinds.join()) this.#records.save({ ...before, kinds });
  }

  /** Writes what was only kept in memory. */
  close(): void {
    this.#watch.close();
    this.#records.flush();
  }

  /** Returns the device with the overlay of this run. */
  #shown(id: string): Device {
    const record = this.#records.get(id);
    return toDevice(this.#overlays.over(record), this.#scopes.inForce(record));
  }

  /** Reports changed sign-ins once the transaction under way has succeeded. */
  #signInChanged(ids: readonly string[]): void {
    this.#records.afterwards(() => this.#options.onSignInChanged(ids));
  }

  /** Returns the settings of a named profile, or of the standard one. */
  #baseProfile(id: string | undefined): ConnectionProfile {
    const { profiles } = this.#options;
    return (id === undefined ? profiles.standard() : profiles.get(id)).profile;
  }

  #requireFree(url: string): void {
    const twin = this.#records.byUrl(url);
    if (twin !== undefined)
      throw userError('duplicate-device', say('address-taken', { name: twin.name }), {
        path: 'address',
        device: url,
      });
  }

  #blank(id: string, name: string, url: string): DeviceRecord {
    return {
      id,
      name,
      url,
      kinds: [],
      tags: [],
      profile: this.#baseProfile(undefined),
      strength: 0,
      reach: 'unknown',
      signIn: 'unknown',
      addedAt: this.#options.clock.now().toISOString(),
    };
  }

  /**
   * Returns the user name for a password without one: the saved name, else the account every device is
   * delivered with.
   */
  #userNameFor(kept: DeviceRecord | undefined, userName: string | undefined): string {
    const saved = kept === undefined ? undefined : this.#scopes.saved(kept).credentialId;
    return (
      userName ?? (saved === undefined ? undefined : findUserName(this.#options.store, saved)) ?? 'admin'
    );
  }
}

function transientId(url: string): string {
  return `t-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
}

/** Throws `usage` where the reference is an address spelled with other numbers: no name is near it, the address meant is. */
function requireAddressForm(reference: string): void {
  try {
    parseAddress(reference);
  } catch (error) {
    if (error instanceof FieldwrightError && error.shape.nearest !== undefined)
      throw error.with({ device: reference });
  }
}

function urlOf(reference: string): string | undefined {
  try {
    return parseAddress(reference).url;
  } catch {
    return undefined;
  }
}
