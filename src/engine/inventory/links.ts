/**
 * Networks of this computer that were there and are gone: a cable that was pulled is one fact, and no fault of the
 * devices behind it. What is said of them by a failed connection meanwhile counts for nothing.
 */
import { isIP } from 'node:net';
import type { Device, LostLink } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import { parseAddress } from '../device/transport/address.ts';
import { isInNetworks } from '../discovery/network.ts';
import type { InterfaceAddress, ListInterfaces } from '../discovery/types.ts';

interface LinksOptions {
  readonly list: () => readonly Device[];
  readonly clock: Clock;
  readonly listInterfaces: ListInterfaces;
}

export interface Links {
  /** Returns whether no network of this computer leads to the address now, though one did. */
  isCut(url: string): boolean;
  /** Yields what is lost at once, and again after each change. */
  watch(signal: AbortSignal): AsyncGenerator<readonly LostLink[]>;
}

interface Known {
  readonly entries: readonly InterfaceAddress[];
  /** ISO 8601 time since which it is gone; undefined while it is there. */
  readonly lostAt: string | undefined;
}

/** Milliseconds between two looks at the interfaces while a face watches. */
const LOOK_MS = 2_000;
/** Milliseconds for which one look holds. */
const HOLDS_MS = 250;

export function createLinks({ list, clock, listInterfaces }: LinksOptions): Links {
  let known: ReadonlyMap<string, Known> = new Map();
  /** Interfaces that are there, also internal ones. */
  let present: readonly InterfaceAddress[] = [];
  /** ISO 8601 time since which this computer has no network at all. */
  let aloneSince: string | undefined;
  let lookedAt = -Infinity;

  function look(): void {
    const now = clock.now();
    if (Math.abs(now.getTime() - lookedAt) < HOLDS_MS) return;
    lookedAt = now.getTime();
    present = listInterfaces();
    const external = present.filter(({ internal }) => !internal);
    const there = new Map(
      [...Map.groupBy(external, ({ name }) => name)].map(([name, entries]) => [
        name,
        { entries, lostAt: undefined },
      ]),
    );
    const gone = [...known]
      .filter(([name]) => !there.has(name))
      .map(([name, { entries, lostAt }]): [string, Known] => [
        name,
        { entries, lostAt: lostAt ?? now.toISOString() },
      ]);
    known = new Map<string, Known>([...there, ...gone]);
    aloneSince = external.length > 0 ? undefined : (aloneSince ?? now.toISOString());
  }

  /** Returns the name of the interface whose loss cuts the host off; `''` where no network is left at all. */
  function findCut(host: string): string | undefined {
    if (host === 'localhost' || isInNetworks(host, present)) return undefined;
    const lost = [...known].filter(([, { lostAt }]) => lostAt !== undefined);
    const own = lost.find(([, { entries }]) => isIP(host) !== 0 && isInNetworks(host, entries));
    if (own !== undefined) return own[0];
    if (aloneSince === undefined) return undefined;
    return lost.length === 1 ? lost[0]?.[0] : '';
  }

  function listLost(): readonly LostLink[] {
    look();
    if (aloneSince === undefined && [...known.values()].every(({ lostAt }) => lostAt === undefined))
      return [];
    const groups = new Map<string, string[]>();
    for (const { id, url } of list()) {
      const name = findCut(parseAddress(url).host);
      if (name === undefined) continue;
      const ids = groups.get(name);
      if (ids === undefined) groups.set(name, [id]);
      else ids.push(id);
    }
    return [...groups].map(([name, deviceIds]) => ({
      ...(name === '' ? {} : { interface: name }),
      since: (name === '' ? aloneSince : known.get(name)?.lostAt) ?? clock.now().toISOString(),
      deviceIds,
    }));
  }

  return {
    isCut(url) {
      look();
      return findCut(parseAddress(url).host) !== undefined;
    },
    async *watch(signal) {
      let before: string | undefined;
      while (!signal.aborted) {
        const lost = listLost();
        const now = JSON.stringify(lost);
        if (now !== before) yield lost;
        before = now;
        await clock.delay(LOOK_MS, signal).catch(() => undefined);
      }
    },
  };
}
