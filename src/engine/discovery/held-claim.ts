/** A claim as the table of sightings holds it, and what several of them say together. Pure. */
import type { Sighting } from '#shared/discovery.ts';
import { isLinkLocal } from './network.ts';
import type { Claim } from './types.ts';

export interface Held {
  claim: Claim;
  firstAt: number;
  seenAt: number;
  /** Previous addresses of the same service, none of which it has now. */
  left: { readonly urls: readonly string[]; readonly at: number } | undefined;
  /** The two places took turns, most recently then. */
  rival: { readonly url: string; readonly at: number } | undefined;
}
/** A device that lists another address no longer than this ago and lists it again did not move: there are two. */
export const RIVAL_MS = 60_000;

/** Two places took turns lately. */
export function isDisputed(held: Held, now: number): boolean {
  return held.rival !== undefined && now - held.rival.at < RIVAL_MS;
}

export function listUrls(claim: Claim): readonly string[] {
  return [claim.url, ...claim.alternatives];
}

/**
 * Returns the sort order of a claim: reachable addresses before unreachable ones, IPv4 before IPv6,
 * link-local last; within one kind announced addresses before ones that answered once, and plain before
 * encrypted, because a certificate needs a decision first.
 */
export function order({ claim }: Held): number {
  const [, ipv6] = /^https?:\/\/\[([^\]]+)\]/.exec(claim.url) ?? [];
  const sort = ipv6 === undefined ? 0 : isLinkLocal(ipv6) ? 16 : 4;
  return (
    sort +
    (claim.outside === true ? 8 : 0) +
    (claim.strength === 'strong' ? 0 : 2) +
    (claim.url.startsWith('https:') ? 1 : 0)
  );
}

/**
 * Claims of one identity that cannot be one device, none where they can: hosts with nothing in common. A name is
 * unique on its own link only, and there only for one family of addresses and one service type.
 */
export function findNamesakes(all: readonly Held[]): readonly Claim[] {
  const [first, ...others] = all.filter(({ claim }) => claim.strength === 'strong');
  if (first === undefined) return [];
  const mine = listUrls(first.claim);
  const rivals = others
    .map(({ claim }) => claim)
    .filter((claim) => claim.host !== first.claim.host && !listUrls(claim).some((url) => mine.includes(url)));
  return rivals.length === 0 ? [] : [first.claim, ...rivals];
}

type Extra = Pick<Sighting, 'pathPrefix' | 'recognised' | 'certificate'>;

/** The first of each that some claim holds; what was asked counts before what was announced, and a device has web pages besides. */
export function pick(held: readonly Held[], names: readonly (keyof Extra)[]): Extra {
  const devices = held.filter(({ claim }) => claim.recognised !== 'web');
  const all = devices.length > 0 ? devices : held;
  const byWeight = [...all].sort(
    (one, other) => Number(other.claim.recognised !== undefined) - Number(one.claim.recognised !== undefined),
  );
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = byWeight.find(({ claim }) => claim[name] !== undefined)?.claim[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
