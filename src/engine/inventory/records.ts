/**
 * The devices as rows and in memory: those of the data folder, written when a person changes them
 * and soon after something was seen, and those named for one run, never written.
 */
import type { Device } from '../../shared/model.ts';
import type { Clock } from '../api.ts';
import type { Store } from '../store/index.ts';
import { deviceChanges, insertDevice, readDevices, updateDevice, updateObserved } from './device-rows.ts';
import type { DeviceRecord } from './device-rows.ts';
import { unknownDevice } from './device-text.ts';
import { sameSource } from './scopes.ts';
import type { Scopes, SignInInForce } from './scopes.ts';
import type { DeviceWatch } from './watch.ts';

export interface DeviceRecords {
  /** Those of the data folder. */
  kept(): DeviceRecord[];
  all(): DeviceRecord[];
  /** Throws `unknown-device`. */
  get(id: string): DeviceRecord;
  /** As `get`, but looks only now and then whether another process wrote: asked for many times a request. */
  recent(id: string): DeviceRecord;
  /** Without looking at all: for the many small observations. */
  peek(id: string): DeviceRecord | undefined;
  /** As `get`, but undefined where there is none. */
  known(id: string): DeviceRecord | undefined;
  byUrl(url: string): DeviceRecord | undefined;
  /** Ids of those of the data folder with this name, else of those named for one run. */
  named(name: string): readonly string[];
  /** Those of the data folder that have this saved sign-in as their own. */
  owning(credentialId: string): DeviceRecord[];
  insert(device: DeviceRecord): void;
  /** Written at once, and told to watchers. */
  save(device: DeviceRecord): void;
  /** `keep`: written soon, else with the next that is; `tell`: watchers must hear of it now. */
  note(device: DeviceRecord, how: { readonly tell: boolean; readonly keep: boolean }): void;
  /** In memory alone, and not told: its row is already written. */
  replace(device: DeviceRecord): void;
  /** Tells watchers of a device as it stands; within `atomically` not before all of it has happened. */
  tell(id: string): void;
  addTransient(device: DeviceRecord): void;
  /** Gives the ids that were there. */
  remove(ids: readonly string[]): string[];
  /** All or nothing, in memory too. */
  atomically<T>(work: () => T): T;
  /** At once; within `atomically` when all of it has happened, and not at all where it has not. */
  afterwards(run: () => void): void;
  flush(): void;
}

/** States seen on the way are written together, at most this late; nothing is lost but freshness. */
const FLUSH_MS = 1_000;
/** A device that merely answered again is told of no more often than this. */
const QUIET_MS = 5_000;
const RECENT_MS = 1_000;

export interface RecordsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly watch: DeviceWatch;
  readonly scopes: Scopes;
  /** Another process gave these devices another sign-in. */
  readonly onSignInChanged: (deviceIds: readonly string[]) => void;
}

export function createRecords({
  store,
  clock,
  watch,
  scopes,
  onSignInChanged,
}: RecordsOptions): DeviceRecords {
  const records = new Map<string, DeviceRecord>();
  const ids = new Map<string, string>();
  const names = createIndex();
  const transientNames = createIndex();
  /** By own saved sign-in. */
  const owners = createIndex();
  const transients = new Map<string, DeviceRecord>();
  const dirty = new Set<string>();
  const told = new Map<string, number>();
  let version = -1;
  /** What had been written of devices and sign-ins, by anybody, when they were last read. */
  let changes = -1;
  let checkedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  /** Whom watchers have to hear of when the transaction under way has succeeded. */
  let held: Set<string> | undefined;
  /** What is to be done then. */
  let later: (() => void)[] = [];

  /** Another process may have written: then its rows count, with what we saw ourselves laid over. */
  function refresh(): void {
    checkedAt = performance.now();
    const now = store.foreignVersion();
    if (now === version) return;
    flush();
    const changesNow = deviceChanges(store);
    if (version >= 0 && changesNow === changes) {
      version = now;
      return;
    }
    changes = changesNow;
    // After a failure of our own (-1) memory is merely put right.
    const before =
      version < 0
        ? []
        : [...records.values()].map((record) => ({ id: record.id, was: scopes.inForce(record) }));
    version = now;
    records.clear();
    ids.clear();
    names.clear();
    owners.clear();
    for (const record of readDevices(store)) put(record);
    scopes.reload();
    heed(before);
  }
  /** A sign-in that another process changed counts here too: what failed with the old one says nothing any more. */
  function heed(before: readonly { readonly id: string; readonly was: SignInInForce }[]): void {
    const changed = before.flatMap(({ id, was }) => {
      const record = records.get(id);
      const now = record === undefined ? was : scopes.inForce(record);
      return record === undefined || sameSource(was, now) ? [] : [{ record, afresh: was.key !== now.key }];
    });
    for (const { record } of changed) tell(record);
    const afresh = changed.filter((each) => each.afresh).map(({ record }) => record.id);
    if (afresh.length > 0) onSignInChanged(afresh);
  }
  function put(record: DeviceRecord): void {
    const before = records.get(record.id);
    if (before !== undefined && before.url !== record.url && ids.get(before.url) === record.id)
      ids.delete(before.url);
    names.move(record.id, before?.name, record.name);
    owners.move(record.id, before?.credentialId, record.credentialId);
    records.set(record.id, record);
    ids.set(record.url, record.id);
  }
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (dirty.size === 0) return;
    const seen = [...dirty];
    dirty.clear();
    store.transaction(() => {
      const isCurrent = deviceChanges(store) === changes;
      for (const id of seen) {
        const record = records.get(id);
        if (record !== undefined) updateObserved(store, record);
      }
      // What we wrote ourselves need not be read again.
      if (isCurrent) changes = deviceChanges(store);
    });
  }
  /** On the timer nobody could catch an error; the next write reports it. */
  function flushQuietly(): void {
    const seen = [...dirty];
    try {
      flush();
    } catch {
      for (const id of seen) dirty.add(id);
    }
  }
  function tell(device: DeviceRecord): void {
    if (held !== undefined) {
      held.add(device.id);
      return;
    }
    told.set(device.id, clock.now().getTime());
    watch.changed(toDevice(device, scopes.inForce(device)));
  }
  function tellOf(id: string): void {
    const record = records.get(id);
    if (record !== undefined) tell(record);
  }
  function known(id: string): DeviceRecord | undefined {
    refresh();
    return records.get(id) ?? transients.get(id);
  }
  function get(id: string): DeviceRecord {
    const found = known(id);
    if (found === undefined) throw unknownDevice(id, []);
    return found;
  }

  return {
    kept() {
      refresh();
      return [...records.values()];
    },
    all() {
      refresh();
      return [...records.values(), ...transients.values()];
    },
    get,
    known,
    recent(id) {
      const found =
        performance.now() - checkedAt < RECENT_MS ? (records.get(id) ?? transients.get(id)) : undefined;
      return found ?? get(id);
    },
    peek: (id) => records.get(id) ?? transients.get(id),
    byUrl(url) {
      refresh();
      return records.get(ids.get(url) ?? '');
    },
    named(name) {
      refresh();
      const kept = names.of(name);
      return kept.length > 0 ? kept : transientNames.of(name);
    },
    owning(credentialId) {
      refresh();
      return owners.of(credentialId).flatMap((id) => records.get(id) ?? []);
    },
    insert(device) {
      insertDevice(store, device);
      put(device);
      tell(device);
    },
    save(device) {
      if (transients.has(device.id)) {
        transients.set(device.id, device);
        return;
      }
      updateDevice(store, device);
      put(device);
      dirty.delete(device.id);
      tell(device);
    },
    replace(device) {
      if (transients.has(device.id)) transients.set(device.id, device);
      else put(device);
    },
    tell: tellOf,
    note(device, { tell: now, keep }) {
      if (transients.has(device.id)) {
        transients.set(device.id, device);
        return;
      }
      records.set(device.id, device);
      dirty.add(device.id);
      if (keep) timer ??= setTimeout(flushQuietly, FLUSH_MS).unref();
      if (now || clock.now().getTime() - (told.get(device.id) ?? 0) > QUIET_MS) tell(device);
    },
    addTransient(device) {
      transientNames.move(device.id, transients.get(device.id)?.name, device.name);
      transients.set(device.id, device);
    },
    remove(wanted) {
      refresh();
      const known = [...new Set(wanted)].filter((id) => records.has(id));
      store.transaction(() => {
        for (const id of known) store.run('DELETE FROM devices WHERE id = ?', id);
      });
      for (const id of known) {
        const record = records.get(id);
        ids.delete(record?.url ?? '');
        names.move(id, record?.name, undefined);
        owners.move(id, record?.credentialId, undefined);
        records.delete(id);
        dirty.delete(id);
        told.delete(id);
        watch.removed(id);
      }
      return known;
    },
    atomically(work) {
      if (held !== undefined) return work();
      const telling = (held = new Set<string>());
      try {
        const result = store.transaction(work);
        held = undefined;
        for (const id of telling) tellOf(id);
        for (const run of later.splice(0)) run();
        return result;
      } catch (error) {
        held = undefined;
        later = [];
        version = -1;
        throw error;
      }
    },
    afterwards(run) {
      if (held === undefined) run();
      else later.push(run);
    },
    flush,
  };
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

/** As everybody may see it; tags that contradict each other need a person, as long as the device did not let us in without any sign-in. */
export function toDevice(
  { strength: _offered, realm: _realm, accountLock: _lock, ...device }: DeviceRecord,
  { from }: Pick<SignInInForce, 'from'>,
): Device {
  if (from === undefined) return device;
  return {
    ...device,
    signInFrom: from,
    ...(from.kind === 'conflict' && device.signIn === 'unknown' ? { signIn: 'needed' } : {}),
  };
}
