import { isOtherWeb, type DiscoveryEvent, type Sighting } from '#shared/discovery.ts';

/**
 * Sightings of this window's searches, by identity. The engine merges within one search; here results of
 * earlier searches are joined with those of the present one. Not reactive: it changes a thousand times a
 * second, and reports changes in batches.
 */
interface SightingBook {
  readonly all: ReadonlyMap<string, Sighting>;
  readonly counts: SightingCounts;
  /** Identities that are different afterwards. */
  take(events: readonly DiscoveryEvent[]): ReadonlySet<string>;
  /** Begins another search; existing sightings stay until it reports otherwise. */
  beginSearch(): void;
  clear(): ReadonlySet<string>;
}
/** Counts of devices; printers and other web services are excluded. */
export interface SightingCounts {
  readonly present: number;
  readonly vanished: number;
  readonly conflicts: number;
}

/** Known by its address only. */
function isWeak(identity: string): boolean {
  return identity.startsWith('address:');
}

export function createSightingBook(): SightingBook {
  const all = new Map<string, Sighting>();
  /** Weak rows of earlier searches by address: the present search does not know that it should merge them. */
  const earlier = new Map<string, string>();
  const counts = { present: 0, vanished: 0, conflicts: 0 };

  function count(sighting: Sighting | undefined, by: 1 | -1): void {
    if (sighting === undefined || isOtherWeb(sighting)) return;
    counts[sighting.state] += by;
    if (sighting.conflicts.length > 0) counts.conflicts += by;
  }

  function put(identity: string, sighting: Sighting | undefined, changed: Set<string>): void {
    count(all.get(identity), -1);
    count(sighting, 1);
    if (sighting === undefined) all.delete(identity);
    else all.set(identity, sighting);
    changed.add(identity);
  }

  function replaceEarlier(sighting: Sighting, changed: Set<string>): void {
    for (const url of earlier.size === 0 ? [] : [sighting.url, ...sighting.alternatives]) {
      const identity = earlier.get(url);
      if (identity === undefined) continue;
      earlier.delete(url);
      if (identity !== sighting.identity) put(identity, undefined, changed);
    }
  }

  return {
    all,
    counts,
    take(events) {
      const changed = new Set<string>();
      for (const event of events) {
        if (event.type === 'merged') put(event.identity, undefined, changed);
        if (event.type !== 'sighting' && event.type !== 'vanished') continue;
        put(event.sighting.identity, event.sighting, changed);
        replaceEarlier(event.sighting, changed);
      }
      return changed;
    },
    beginSearch() {
      for (const { identity, url } of all.values()) if (isWeak(identity)) earlier.set(url, identity);
    },
    clear() {
      const gone = new Set(all.keys());
      all.clear();
      earlier.clear();
      Object.assign(counts, { present: 0, vanished: 0, conflicts: 0 });
      return gone;
    },
  };
}
