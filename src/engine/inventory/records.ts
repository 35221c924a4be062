/**
 * The devices as rows and in memory: those of the data folder, written when a person changes them
 * and soon after something was seen, and those named for one run, never written.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Device } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Store } from '../store/index.ts';
import {
  countDeviceChanges,
  insertDevice,
  readDevices,
  updateDevice,
  updateObserved,
  type DeviceRecord,
} from './device-rows.ts';
import { createUnknownDeviceError } from './device-text.ts';
import { isSameSource, type Scopes, type SignInInForce } from './access/scopes.ts';
import { isSameSummary } from './observe.ts';
import type { DeviceWatch } from './watch.ts';

/** States seen on the way are written together, at most this late; nothing is lost but freshness. */
const FLUSH_MS = 1_000;
/** Least time in milliseconds between notices of a device that merely answered again. */
const QUIET_MS = 5_000;
const RECENT_MS = 1_000;

export interface RecordsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly watch: DeviceWatch;
  readonly scopes: Scopes;
  /** Called when another process gave these devices another sign-in. */
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
}

export class DeviceRecords {
  readonly #store: RecordsOptions['store'];
  readonly #clock: RecordsOptions['clock'];
  readonly #watch: RecordsOptions['watch'];
  readonly #scopes: RecordsOptions['scopes'];
  readonly #onSignInChanged: RecordsOptions['onSignInChanged'];
  readonly #records = new Map<string, DeviceRecord>();
  readonly #ids = new Map<string, string>();
  readonly #names = createIndex();
  readonly #transientNames = createIndex();
  /** Index by own saved sign-in. */
  readonly #owners = createIndex();
  readonly #transients = new Map<string, DeviceRecord>();
  readonly #dirty = new Set<string>();
  readonly #notifiedAt = new Map<string, number>();
  #version = -1;
  /** Number of writes to devices and sign-ins, by any process, when they were last read. */
  #changes = -1;
  #checkedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  /** Devices to report to watchers when the transaction under way has succeeded. */
  #held: Set<string> | undefined;
  /** Functions to call then. */
  #later: (() => void)[] = [];

  constructor({ store, clock, watch, scopes, onSignInChanged }: RecordsOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#watch = watch;
    this.#scopes = scopes;
    this.#onSignInChanged = onSignInChanged;
  }

  /** Returns the devices of the data folder. */
  kept(): DeviceRecord[] {
    this.#refresh();
    return [...this.#records.values()];
  }

  all(): DeviceRecord[] {
    this.#refresh();
    return [...this.#records.values(), ...this.#transients.values()];
  }

  /** Throws `unknown-device`. */
  get(id: string): DeviceRecord {
    const found = this.known(id);
    if (found === undefined) throw createUnknownDeviceError(id, []);
    return found;
  }

  /** Returns undefined if there is no such device, else acts like `get`. */
  known(id: string): DeviceRecord | undefined {
    this.#refresh();
    return this.#records.get(id) ?? this.#transients.get(id);
  }

  /**
   * Returns the device like `get`, but checks only now and then whether another process wrote: called many
   * times a request.
   */
  recent(id: string): DeviceRecord {
    const found =
      performance.now() - this.#checkedAt < RECENT_MS
        ? (this.#records.get(id) ?? this.#transients.get(id))
        : undefined;
    return found ?? this.get(id);
  }

  /** Returns a record without checking for other writes: for the many small observations. */
  peek(id: string): DeviceRecord | undefined {
    return this.#records.get(id) ?? this.#transients.get(id);
  }

  byUrl(url: string): DeviceRecord | undefined {
    this.#refresh();
    return this.#records.get(this.#ids.get(url) ?? '');
  }

  /** Ids of those of the data folder with this name, else of those named for one run. */
  named(name: string): readonly string[] {
    this.#refresh();
    const kept = this.#names.of(name);
    return kept.length > 0 ? kept : this.#transientNames.of(name);
  }

  /** Returns the devices of the data folder that have this saved sign-in as their own. */
  owning(credentialId: string): DeviceRecord[] {
    this.#refresh();
    return this.#owners.of(credentialId).flatMap((id) => this.#records.get(id) ?? []);
  }

  insert(device: DeviceRecord): void {
    insertDevice(this.#store, device);
    this.#put(device);
    this.#tell(device);
  }

  /** Writes the device at once and notifies watchers. */
  save(device: DeviceRecord): void {
    if (this.#transients.has(device.id)) {
      this.#transients.set(device.id, device);
      return;
    }
    updateDevice(this.#store, device);
    this.#put(device);
    this.#dirty.delete(device.id);
    this.#tell(device);
  }

  /** Replaces the device in memory only, without notice: its row is already written. */
  replace(device: DeviceRecord): void {
    if (this.#transients.has(device.id)) this.#transients.set(device.id, device);
    else this.#put(device);
  }

  /** Notifies watchers of the present state of a device; within `atomically` after all of it has happened. */
  tell(id: string): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.#tell(record);
  }

  /**
   * Notes a change. `keep`: written soon, else with the next that is; `tell`: watchers must be notified now.
   */
  note(device: DeviceRecord, { tell: now, keep }: { readonly tell: boolean; readonly keep: boolean }): void {
    if (this.#transients.has(device.id)) {
      this.#transients.set(device.id, device);
      return;
    }
    this.#records.set(device.id, device);
    this.#dirty.add(device.id);
    if (keep) this.#timer ??= setTimeout(() => this.#flushQuietly(), FLUSH_MS).unref();
    if (now || this.#clock.now().getTime() - (this.#notifiedAt.get(device.id) ?? 0) > QUIET_MS)
      this.#tell(device);
  }

  addTransient(device: DeviceRecord): void {
    this.#transientNames.move(device.id, this.#transients.get(device.id)?.name, device.name);
    this.#transients.set(device.id, device);
  }

  /** Gives the ids that were there. */
  remove(wanted: readonly string[]): string[] {
    this.#refresh();
    const known = [...new Set(wanted)].filter((id) => this.#records.has(id));
    this.#store.transaction(() => {
      for (const id of known) this.#store.remove('devices', { id });
    });
    for (const id of known) {
      const record = this.#records.get(id);
      this.#ids.delete(record?.url ?? '');
      this.#names.move(id, record?.name, undefined);
      this.#owners.move(id, record?.credentialId, undefined);
      this.#records.delete(id);
      this.#dirty.delete(id);
      this.#notifiedAt.delete(id);
      this.#watch.removed(id);
    }
    return known;
  }

  /** Does all or nothing, in memory too. */
  atomically<T>(work: () => T): T {
    if (this.#held !== undefined) return work();
    // Results seen so far stay, also if the work fails and memory is read again.
    this.flush();
    const telling = (this.#held = new Set<string>());
    try {
      const result = this.#store.transaction(work);
      this.#held = undefined;
      for (const id of telling) this.tell(id);
      for (const run of this.#later.splice(0)) run();
      return result;
    } catch (error) {
      this.#held = undefined;
      this.#later = [];
      this.#version = -1;
      throw error;
    }
  }

  /** Reads the rows again that work within `atomically` has written itself, and notifies watchers of those that differ. */
  reread(): readonly string[] {
    const before = new Map(this.#records);
    // No version that any write of another process has.
    this.#version = Number.MAX_SAFE_INTEGER;
    this.#refresh();
    for (const [id, record] of this.#records)
      if (!isDeepStrictEqual(record, before.get(id))) this.#tell(record);
    const removed = [...before.keys()].filter((id) => !this.#records.has(id));
    this.afterwards(() => removed.forEach((id) => this.#watch.removed(id)));
    return removed;
  }

  /** Calls at once; within `atomically` when all of it has happened, and not at all if it failed. */
  afterwards(run: () => void): void {
    if (this.#held === undefined) run();
    else this.#later.push(run);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#dirty.size === 0) return;
    const seen = [...this.#dirty];
    this.#dirty.clear();
    this.#store.transaction(() => {
      const isCurrent = countDeviceChanges(this.#store) === this.#changes;
      for (const id of seen) {
        const record = this.#records.get(id);
        if (record !== undefined) updateObserved(this.#store, record);
      }
      // Our own writes need not be read again.
      if (isCurrent) this.#changes = countDeviceChanges(this.#store);
    });
  }

  /**
   * Reads the rows if another process may have written: then they count, overlaid with what we saw ourselves.
   */
  #refresh(): void {
    this.#checkedAt = performance.now();
    const now = this.#store.foreignVersion();
    if (now === this.#version) return;
    this.flush();
    const changesNow = countDeviceChanges(this.#store);
    if (this.#version >= 0 && changesNow === this.#changes) {
      this.#version = now;
      return;
    }
    this.#changes = changesNow;
    // After a failure of our own (-1) memory is merely put right.
    const before =
      this.#version < 0
        ? []
        : [...this.#records.values()].map((record) => ({ record, was: this.#scopes.inForce(record) }));
    this.#version = now;
    this.#records.clear();
    this.#ids.clear();
    this.#names.clear();
    this.#owners.clear();
    for (const record of readDevices(this.#store)) this.#put(record);
    this.#scopes.reload();
    this.#heed(before);
  }

  /**
   * Reports sign-ins that another process changed, for what failed with the old one says nothing any more, and what it
   * found to differ.
   */
  #heed(before: readonly { readonly record: DeviceRecord; readonly was: SignInInForce }[]): void {
    const changed = before.flatMap(({ record: old, was }) => {
      const record = this.#records.get(old.id);
      if (record === undefined) return [];
      const now = this.#scopes.inForce(record);
      return isSameSource(was, now) && isSameSummary(old.agreement, record.agreement)
        ? []
        : [{ record, afresh: was.key !== now.key }];
    });
    for (const { record } of changed) this.#tell(record);
    const afresh = changed.filter((each) => each.afresh).map(({ record }) => record.id);
    if (afresh.length > 0) this.#onSignInChanged(afresh);
  }

  #put(record: DeviceRecord): void {
    const before = this.#records.get(record.id);
    if (before !== undefined && before.url !== record.url && this.#ids.get(before.url) === record.id)
      this.#ids.delete(before.url);
    this.#names.move(record.id, before?.name, record.name);
    this.#owners.move(record.id, before?.credentialId, record.credentialId);
    this.#records.set(record.id, record);
    this.#ids.set(record.url, record.id);
  }

  /** Flushes on the timer, where an error could not be caught; the next write reports it. */
  #flushQuietly(): void {
    const seen = [...this.#dirty];
    try {
      this.flush();
    } catch {
      for (const id of seen) this.#dirty.add(id);
    }
  }

  #tell(device: DeviceRecord): void {
    if (this.#held !== undefined) {
      this.#held.add(device.id);
      return;
    }
    this.#notifiedAt.set(device.id, this.#clock.now().getTime());
    this.#watch.changed(toDevice(device, this.#scopes.inForce(device)));
  }
}

/** Ids by something that several records may share, in the order in which they got it. */
function createIndex() {
  const sets = new Map<string, Set<string>>();
  return {
    of: (key: string): readonly string[] => [...(sets.get(key) ?? [])],
    move(id: string, before: string | undefined, now: string | undefined): void {
      if (before === now) return;
      if (before !== undefined) sets.get(before)?.delete(id);
      if (now === undefined) return;
      const known = sets.get(now);
      if (known === undefined) sets.set(now, new Set([id]));
      else known.add(id);
    },
    clear: () => sets.clear(),
  };
}

/**
 * Returns the public part of a record; tags that contradict each other need a person, as long as the device
 * did not accept requests without a sign-in.
 */
export function toDevice(
  { strength: _offered, realm: _realm, ...device }: DeviceRecord,
  { from }: Pick<SignInInForce, 'from'>,
): Device {
  if (from === undefined) return device;
  return {
    ...device,
    signInFrom: from,
    ...(from.kind === 'conflict' && device.signIn === 'unknown' ? { signIn: 'needed' } : {}),
  };
}
