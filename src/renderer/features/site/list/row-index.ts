import type { Sighting } from '#shared/discovery.ts';
import type { Device } from '#shared/model.ts';
import { createOrderedList } from './ordered-list.ts';
import { buildFoundKey, isOther, type ListRow } from './site-rows.ts';

/** Inventory and sightings as one sorted list of rows, kept up to date by what changed. Not reactive. */
interface RowIndex {
  readonly rows: readonly ListRow[];
  /** Sightings that are no device of the inventory, and no other web service. */
  readonly found: number;
  /** Printers and other web services that are no device of the inventory. */
  readonly others: number;
  isFound(identity: string): boolean;
  sightingOf(deviceId: string): Sighting | undefined;
  devicesChanged(devices: ReadonlyMap<string, Device>): void;
  sightingsChanged(identities: ReadonlySet<string>): void;
  reorder(order: (a: ListRow, b: ListRow) => number): void;
}

export function createRowIndex(
  sightings: ReadonlyMap<string, Sighting>,
  order: (a: ListRow, b: ListRow) => number,
): RowIndex {
  const list = createOrderedList<ListRow>(order);
  let devices: ReadonlyMap<string, Device> = new Map();
  /** The device a sighting is, and back; two ways of seeing one device may be two sightings. */
  const deviceOf = new Map<string, string>();
  const identitiesOf = new Map<string, Set<string>>();
  const seqs = new Map<string, number>();
  const others = new Set<string>();
  let found = 0;

  function seqOf(key: string): number {
    const known = seqs.get(key) ?? seqs.size;
    seqs.set(key, known);
    return known;
  }

  function link(identity: string, deviceId: string | undefined): void {
    const before = deviceOf.get(identity);
    if (before === deviceId) return;
    if (before !== undefined) identitiesOf.get(before)?.delete(identity);
    if (deviceId === undefined) {
      deviceOf.delete(identity);
      return;
    }
    deviceOf.set(identity, deviceId);
    const identities = identitiesOf.get(deviceId);
    if (identities === undefined) identitiesOf.set(deviceId, new Set([identity]));
    else identities.add(identity);
  }

  /** One that is there goes before one that vanished. */
  function sightingOf(deviceId: string): Sighting | undefined {
    const seen = [...(identitiesOf.get(deviceId) ?? [])].flatMap((identity) => sightings.get(identity) ?? []);
    return seen.find(({ state }) => state === 'present') ?? seen[0];
  }

  function rowOf(key: string, identity: string | undefined): ListRow | undefined {
    if (identity === undefined) {
      const device = devices.get(key);
      return device === undefined
        ? undefined
        : { kind: 'device', key, seq: seqOf(key), device, sighting: sightingOf(key) };
    }
    const sighting = sightings.get(identity);
    return sighting === undefined || deviceOf.has(identity)
      ? undefined
      : { kind: 'found', key, seq: seqOf(key), sighting };
  }

  function renew(deviceIds: ReadonlySet<string>, identities: ReadonlySet<string>): void {
    const keys = new Set(deviceIds);
    const fresh = [...deviceIds].map((id) => rowOf(id, undefined));
    for (const identity of identities) {
      const key = buildFoundKey(identity);
      keys.add(key);
      const row = rowOf(key, identity);
      fresh.push(row);
      if (row !== undefined && isOther(row)) others.add(identity);
      else others.delete(identity);
    }
    list.change(
      keys,
      fresh.filter((row) => row !== undefined),
    );
    found = sightings.size - deviceOf.size - others.size;
  }

  /**
   * Links sightings to added devices. The engine may name a device before its row is here, and after a search
   * it names none: then the page has to link them.
   */
  function linkAdded(added: readonly Device[], touched: Set<string>): void {
    if (added.length === 0 || sightings.size === deviceOf.size) return;
    const ids = new Set(added.map(({ id }) => id));
    const byIdentity = new Map(
      added.flatMap(({ id, identity }) => (identity === undefined ? [] : [[identity, id] as const])),
    );
    const byUrl = new Map(added.map(({ id, url }) => [url, id]));
    for (const { identity, url, state, deviceId } of sightings.values()) {
      if (deviceOf.has(identity)) continue;
      const id =
        (deviceId !== undefined && ids.has(deviceId) ? deviceId : undefined) ??
        byIdentity.get(identity) ??
        (state === 'present' ? byUrl.get(url) : undefined);
      if (id === undefined) continue;
      link(identity, id);
      touched.add(identity);
    }
  }

  return {
    get rows() {
      return list.entries;
    },
    get found() {
      return found;
    },
    get others() {
      return others.size;
    },
    sightingOf,
    isFound: (identity) => sightings.has(identity) && !deviceOf.has(identity),
    devicesChanged(next) {
      const changed = new Set<string>();
      const touched = new Set<string>();
      const added: Device[] = [];
      for (const [id, device] of next) {
        const before = devices.get(id);
        if (before === device) continue;
        changed.add(id);
        if (before === undefined) added.push(device);
      }
      for (const id of next.size === devices.size && added.length === 0 ? [] : devices.keys()) {
        if (next.has(id)) continue;
        changed.add(id);
        for (const identity of [...(identitiesOf.get(id) ?? [])]) {
          link(identity, undefined);
          touched.add(identity);
        }
        identitiesOf.delete(id);
      }
      devices = next;
      linkAdded(added, touched);
      renew(changed, touched);
    },
    sightingsChanged(identities) {
      const changed = new Set<string>();
      for (const identity of identities) {
        const before = deviceOf.get(identity);
        const sighting = sightings.get(identity);
        // One that vanished still is who it was; the engine names only those that are there.
        const now = sighting === undefined ? undefined : (sighting.deviceId ?? before);
        link(identity, now !== undefined && devices.has(now) ? now : undefined);
        if (before !== undefined) changed.add(before);
        const after = deviceOf.get(identity);
        if (after !== undefined) changed.add(after);
      }
      renew(changed, identities);
    },
    reorder: list.reorder,
  };
}
