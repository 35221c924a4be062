/**
 * Merges all claims of all finders into one row a device. A row is an identity, never an address: a device
 * that moves keeps its row. Two that claim the same are shown as a conflict once both were seen after both
 * existed; before that it may as well be one device that moved. Pure; time is given.
 */
import type { DiscoveryEvent, Sighting, SightingConflict, VanishReason, Via } from '#shared/discovery.ts';
import { isDisputed, findNamesakes, order, pick, RIVAL_MS, listUrls, type Held } from './held-claim.ts';
import type { Claim } from './types.ts';

interface Row {
  readonly identity: string;
  readonly firstSeenAt: number;
  readonly held: Map<string, Held>;
  last: Sighting;
  /** JSON of the sighting as last sent, compared before it is sent again. */
  sent: string;
}

/** Rows that are kept; a flood of invented names must not fill the memory. */
const MOST_ROWS = 10_000;
/** Claims of one address that are compared with each other; a flood of them is a conflict anyway. */
const MOST_CLAIMANTS = 16;

export class SightingTable {
  readonly #rows = new Map<string, Row>();
  readonly #identityOfKey = new Map<string, string>();
  readonly #links = new Map<string, string>();
  /** Address to the keys of the claims that name it: what one claim changes concerns those alone. */
  readonly #keysAt = new Map<string, Set<string>>();
  /** Rows whose two places took turns lately; time alone ends that. */
  readonly #disputed = new Set<string>();
  /** Rows without a claim, in the order they vanished. */
  readonly #vanished = new Set<string>();

  heard(claim: Claim, now: number): DiscoveryEvent[] {
    const identity = claim.strength === 'weak' ? (this.#ownerOf(claim) ?? claim.identity) : claim.identity;
    const events: DiscoveryEvent[] = [];
    const before = this.#identityOfKey.get(claim.key);
    const touched = before === undefined ? new Set<string>() : this.#neighbours(before, claim.key);
    const carried =
      before === undefined || before === identity
        ? undefined
        : this.#detach(before, claim.key, identity, events);
    const row = this.#rows.get(identity) ?? this.#open(identity, claim, now);
    if (row === undefined) return events;
    this.#hold(row, claim, carried, now);
    if (claim.strength === 'strong') this.#absorbWeak(row, claim, events);
    return [...events, ...this.#tell(new Set([...touched, ...this.#neighbours(identity, claim.key)]), now)];
  }

  gone(key: string, reason: VanishReason, now: number): DiscoveryEvent[] {
    const row = this.#rows.get(this.#identityOfKey.get(key) ?? '');
    if (row === undefined) return [];
    const held = row.held.get(key);
    if (held === undefined) return [];
    const touched = this.#neighbours(row.identity, key);
    this.#drop(row, held.claim);
    if (row.held.size > 0) return this.#tell(touched, now);
    this.#disputed.delete(row.identity);
    this.#vanished.add(row.identity);
    // The row is kept, so that a device that returns is recognised and its move is seen.
    row.last = { ...row.last, state: 'vanished', conflicts: [], seenAt: new Date(held.seenAt).toISOString() };
    row.sent = '';
    return [{ type: 'vanished', sighting: row.last, reason }, ...this.#tell(touched, now)];
  }

  /** Returns the events that time alone causes: conflicts that ended. */
  tick(now: number): readonly DiscoveryEvent[] {
    const before = [...this.#disputed];
    for (const identity of before)
      if (![...(this.#rows.get(identity)?.held.values() ?? [])].some((held) => isDisputed(held, now)))
        this.#disputed.delete(identity);
    return this.#tell(before, now);
  }

  /** Names the inventory's device of a row; undefined: it is none of them (any more). */
  link(identity: string, deviceId: string | undefined, now: number): readonly DiscoveryEvent[] {
    if (!this.#rows.has(identity) || this.#links.get(identity) === deviceId) return [];
    if (deviceId === undefined) this.#links.delete(identity);
    else this.#links.set(identity, deviceId);
    return this.#tell([identity], now);
  }

  sightings(): readonly Sighting[] {
    return [...this.#rows.values()].map((row) => row.last);
  }

  /** Returns the row and those that claim an address of this claim. */
  #neighbours(identity: string, key: string): Set<string> {
    const found = new Set([identity]);
    const held = this.#rows.get(identity)?.held.get(key);
    for (const url of held === undefined ? [] : listUrls(held.claim)) {
      for (const other of this.#keysOf(url)) found.add(this.#identityOfKey.get(other) ?? identity);
    }
    return found;
  }

  #keysOf(url: string): readonly string[] {
    const keys: string[] = [];
    for (const key of this.#keysAt.get(url) ?? []) {
      if (keys.push(key) >= MOST_CLAIMANTS) break;
    }
    return keys;
  }

  #at(url: string): { readonly row: Row; readonly held: Held }[] {
    return this.#keysOf(url).flatMap((key) => {
      const row = this.#rows.get(this.#identityOfKey.get(key) ?? '');
      const held = row?.held.get(key);
      return row === undefined || held === undefined ? [] : [{ row, held }];
    });
  }

  #place(row: Row, held: Held): void {
    this.#vanished.delete(row.identity);
    row.held.set(held.claim.key, held);
    this.#identityOfKey.set(held.claim.key, row.identity);
    for (const url of listUrls(held.claim)) {
      const keys = this.#keysAt.get(url);
      if (keys === undefined) this.#keysAt.set(url, new Set([held.claim.key]));
      else keys.add(held.claim.key);
    }
  }

  /**
   * Returns the strong row at this address: a device known by address only is the device that lives there.
   */
  #ownerOf(claim: Claim): string | undefined {
    return this.#at(claim.url).find(({ held }) => held.claim.strength === 'strong')?.row.identity;
  }

  #open(identity: string, claim: Claim, now: number): Row | undefined {
    if (this.#rows.size >= MOST_ROWS && !this.#forgetOne()) return undefined;
    const at = new Date(now).toISOString();
    const last: Sighting = {
      identity,
      name: claim.name,
      url: claim.url,
      alternatives: [],
      addresses: [],
      via: claim.via,
      seenVia: [claim.via],
      state: 'present',
      conflicts: [],
      firstSeenAt: at,
      seenAt: at,
    };
    const row: Row = { identity, firstSeenAt: now, held: new Map(), last, sent: '' };
    this.#rows.set(identity, row);
    return row;
  }

  /** Makes room: the row that vanished first. */
  #forgetOne(): boolean {
    for (const identity of this.#vanished) {
      this.#vanished.delete(identity);
      this.#links.delete(identity);
      return this.#rows.delete(identity);
    }
    return false;
  }

  #hold(row: Row, claim: Claim, carried: Held | undefined, now: number): void {
    const held = row.held.get(claim.key) ?? carried;
    if (held === undefined) {
      this.#place(row, { claim, firstAt: now, seenAt: now, left: undefined, rival: undefined });
      return;
    }
    const [old, fresh] = [listUrls(held.claim), listUrls(claim)];
    this.#drop(row, held.claim);
    const rivalled = this.#turnOf(held, claim, now);
    if (rivalled) this.#disputed.add(row.identity);
    held.seenAt = now;
    held.claim = claim;
    this.#place(row, held);
    if (old.some((url) => fresh.includes(url))) return;
    held.left = { urls: old, at: now };
    held.firstAt = now;
    // A claim that was only ever seen at the previous address says nothing about the present one.
    for (const other of [...row.held.values()]) {
      if (other.claim.strength === 'weak' && old.includes(other.claim.url)) this.#drop(row, other.claim);
    }
  }

  /** Notes the rival if the service is back at an address that it had just given up. */
  #turnOf(held: Held, claim: Claim, now: number): boolean {
    const [old, fresh] = [listUrls(held.claim), listUrls(claim)];
    if (old.some((url) => fresh.includes(url))) return false;
    const returned =
      held.left !== undefined &&
      now - held.left.at < RIVAL_MS &&
      held.left.urls.some((url) => fresh.includes(url));
    if (returned) held.rival = { url: held.claim.url, at: now };
    return returned;
  }

  #drop(row: Row, claim: Claim): void {
    row.held.delete(claim.key);
    this.#identityOfKey.delete(claim.key);
    for (const url of listUrls(claim)) {
      const keys = this.#keysAt.get(url);
      if (keys?.delete(claim.key) === true && keys.size === 0) this.#keysAt.delete(url);
    }
  }

  #detach(identity: string, key: string, into: string, events: DiscoveryEvent[]): Held | undefined {
    const row = this.#rows.get(identity);
    const held = row?.held.get(key);
    if (row === undefined || held === undefined) return undefined;
    this.#drop(row, held.claim);
    if (row.held.size === 0) {
      this.#rows.delete(identity);
      this.#links.delete(identity);
      events.push({ type: 'merged', identity, into });
    }
    return held;
  }

  /** Rows known by address only that turn out to be this device. */
  #absorbWeak(row: Row, claim: Claim, events: DiscoveryEvent[]): void {
    for (const { row: other, held } of listUrls(claim).flatMap((url) => this.#at(url))) {
      if (other === row || held.claim.strength !== 'weak') continue;
      this.#detach(other.identity, held.claim.key, row.identity, events);
      this.#place(row, held);
    }
  }

  /**
   * Returns events for those of the rows that changed visibly; a mere sign of life changes `seenAt` without
   * an event.
   */
  #tell(identities: Iterable<string>, now: number): DiscoveryEvent[] {
    return [...identities].flatMap((identity): DiscoveryEvent[] => {
      const row = this.#rows.get(identity);
      if (row === undefined || row.held.size === 0) return [];
      const sighting = this.#faceOf(row, now);
      const { seenAt: _life, ...face } = sighting;
      const sent = JSON.stringify(face);
      row.last = sighting;
      if (sent === row.sent) return [];
      row.sent = sent;
      return [{ type: 'sighting', sighting }];
    });
  }

  #faceOf(row: Row, now: number): Sighting {
    const all = [...row.held.values()].sort(
      (one, other) => order(one) - order(other) || one.firstAt - other.firstAt,
    );
    const rival = all.find((held) => isDisputed(held, now))?.rival;
    const best = all[0]?.claim;
    const urls = [...new Set(all.flatMap((held) => listUrls(held.claim)))];
    const doubles = rival === undefined ? findNamesakes(all) : [];
    // Two that are in each other's way must not make the row jump between them, nor the newcomer take it over.
    const stays =
      rival === undefined
        ? doubles.length > 0 && urls.includes(row.last.url)
        : urls.includes(row.last.url) || rival.url === row.last.url;
    const url = stays ? row.last.url : (best?.url ?? row.last.url);
    const others =
      rival === undefined
        ? doubles.filter((claim) => !listUrls(claim).includes(url)).map((claim) => claim.url)
        : [...new Set([rival.url, ...urls])].filter((other) => other !== url);
    const conflicts: SightingConflict[] = [
      ...others.slice(0, 1).map((other) => ({ kind: 'identity' as const, with: other })),
      ...this.#addressRivals(row).map((identity) => ({ kind: 'address' as const, with: identity })),
    ];
    const extra = pick(all, ['pathPrefix', 'recognised', 'certificate']);
    const deviceId = this.#links.get(row.identity);
    // A better way to where it still is, is no move.
    const moved =
      url !== row.last.url && conflicts.length === 0 && !urls.includes(row.last.url)
        ? row.last.url
        : row.last.previousUrl;
    const reachable = new Set(
      all.filter(({ claim }) => claim.outside !== true).flatMap(({ claim }) => listUrls(claim)),
    );
    return {
      identity: row.identity,
      name: all.find((held) => held.claim.strength === 'strong')?.claim.name ?? best?.name ?? row.last.name,
      url,
      alternatives: urls.filter((other) => other !== url && reachable.has(other)),
      ...(reachable.has(url) || all.length === 0 ? {} : { outside: true }),
      addresses: [...new Set(all.flatMap((held) => held.claim.addresses))],
      via: best?.via ?? row.last.via,
      seenVia: [...new Set(all.map((held): Via => held.claim.via))],
      state: 'present',
      ...extra,
      ...(moved === undefined || moved === url ? {} : { previousUrl: moved }),
      deviceId,
      conflicts,
      firstSeenAt: new Date(row.firstSeenAt).toISOString(),
      seenAt: new Date(Math.max(...all.map((held) => held.seenAt))).toISOString(),
    };
  }

  #addressRivals(row: Row): string[] {
    const rivals = new Set<string>();
    for (const mine of row.held.values()) {
      if (mine.claim.strength === 'weak') continue;
      for (const url of listUrls(mine.claim)) {
        for (const { row: other, held } of this.#at(url)) {
          if (held.claim.strength === 'weak') continue;
          const sameHost = held.claim.host !== undefined && held.claim.host === mine.claim.host;
          if (other !== row && !sameHost && held.seenAt > mine.firstAt && mine.seenAt > held.firstAt)
            rivals.add(other.identity);
        }
      }
    }
    return [...rivals].sort();
  }
}
