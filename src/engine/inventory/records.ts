/**
 * The devices as rows and in memory: those of the data folder, written when a person changes them
 * and soon after something was seen, and those named for one run, never written.
 */
import type { Device } from '../../shared/model.ts';
import type { Clock } from '../api.ts';
import type { Store } from '../store/index.ts';
import { insertDevice, readDevices, updateDevice, updateObserved } from './device-rows.ts';
import type { DeviceRecord } from './device-rows.ts';
import { unknownDevice } from './device-text.ts';
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
  insert(device: DeviceRecord): void;
  /** Written at once, and told to watchers. */
  save(device: DeviceRecord): void;
  /** Written soon; `tell` says whether watchers must hear of it now. */
  note(device: DeviceRecord, tell: boolean): void;
  addTransient(device: DeviceRecord): void;
  /** Gives the ids that were there. */
  remove(ids: readonly string[]): string[];
  /** All or nothing, in memory too. */
  atomically<T>(work: () => T): T;
  flush(): void;
}

/** States seen on the way are written together, at most this late; nothing is lost but freshness. */
const FLUSH_MS = 1_000;
/** A device that merely answered again is told of no more often than this. */
const QUIET_MS = 5_000;
const RECENT_MS = 1_000;

export function createRecords({ store, clock, watch }: { readonly store: Store; readonly clock: Clock; readonly watch: DeviceWatch }): DeviceRecords {
  const records = new Map<string, DeviceRecord>();
  const transients = new Map<string, DeviceRecord>();
  const dirty = new Set<string>();
  const told = new Map<string, number>();
  let version = -1;
  let checkedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  /** Another process may have written: then its rows count, with what we saw ourselves laid over. */
  function refresh(): void {
    checkedAt = performance.now();
    const now = store.foreignVersion();
    if (now === version) return;
    flush();
    version = now;
    records.clear();
    for (const record of readDevices(store)) records.set(record.id, record);
  }
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (dirty.size === 0) return;
    const ids = [...dirty];
    dirty.clear();
    store.transaction(() => {
      for (const id of ids) {
        const record = records.get(id);
        if (record !== undefined) updateObserved(store, record);
      }
    });
  }
  /** On the timer nobody could catch an error; the next write reports it. */
  function flushQuietly(): void {
    const ids = [...dirty];
    try {
      flush();
    } catch {
      for (const id of ids) dirty.add(id);
    }
  }
  function tell(device: DeviceRecord): void {
    told.set(device.id, clock.now().getTime());
    watch.changed(toDevice(device));
  }
  function get(id: string): DeviceRecord {
    refresh();
    const found = records.get(id) ?? transients.get(id);
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
    recent(id) {
      const found = performance.now() - checkedAt < RECENT_MS ? records.get(id) ?? transients.get(id) : undefined;
      return found ?? get(id);
    },
    peek: (id) => records.get(id) ?? transients.get(id),
    insert(device) {
      insertDevice(store, device);
      records.set(device.id, device);
      tell(device);
    },
    save(device) {
      if (transients.has(device.id)) {
        transients.set(device.id, device);
        return;
      }
      updateDevice(store, device);
      records.set(device.id, device);
      dirty.delete(device.id);
      tell(device);
    },
    note(device, now) {
      if (transients.has(device.id)) {
        transients.set(device.id, device);
        return;
      }
      records.set(device.id, device);
      dirty.add(device.id);
      timer ??= setTimeout(flushQuietly, FLUSH_MS).unref();
      if (now || clock.now().getTime() - (told.get(device.id) ?? 0) > QUIET_MS) tell(device);
    },
    addTransient(device) {
      transients.set(device.id, device);
    },
    remove(ids) {
      refresh();
      const known = [...new Set(ids)].filter((id) => records.has(id));
      store.transaction(() => {
        for (const id of known) store.run('DELETE FROM devices WHERE id = ?', id);
      });
      for (const id of known) {
        records.delete(id);
        dirty.delete(id);
        told.delete(id);
        watch.removed(id);
      }
      return known;
    },
    atomically(work) {
      try {
        return store.transaction(work);
      } catch (error) {
        version = -1;
        throw error;
      }
    },
    flush,
  };
}

/** As everybody may see it. */
export function toDevice({ digestSeen: _internal, ...device }: DeviceRecord): Device {
  return device;
}
