/** Types that the finders of discovery exchange. */
import type { Via } from '#shared/discovery.ts';

/** One finder's view of one device at one moment. */
export interface Claim {
  /** Names the place the claim comes from; a later claim of the same key replaces it. */
  readonly key: string;
  readonly identity: string;
  /** `weak`: known by its address only, so it is the same device as any other claim of that address. */
  readonly strength: 'strong' | 'weak';
  readonly name: string;
  readonly url: string;
  readonly alternatives: readonly string[];
  readonly addresses: readonly string[];
  readonly via: Via;
  /** Host that offers the service, as it names itself; two services of one host are no conflict. */
  readonly host?: string;
  readonly pathPrefix?: string;
  /** The address lies outside the networks of this computer. */
  readonly outside?: true;
  /** Announced as a web page and nothing else: it may be a device or anything else that has one. */
  readonly isAnyWeb?: true;
  readonly recognised?: 'interface' | 'sign-in' | 'web';
  readonly certificate?: string;
}

/** One address of one interface, as the operating system lists it. */
export interface InterfaceAddress {
  readonly name: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly address: string;
  /** CIDR form: `10.0.0.5/24`. */
  readonly cidr: string;
  readonly internal: boolean;
  readonly scopeId?: number;
}

/** The machine's interfaces now; injected, so that tests need no network. */
export type ListInterfaces = () => readonly InterfaceAddress[];

/** How often to ask and when to give up on a device; milliseconds. */
export interface DiscoveryTiming {
  /** Waits between queries; the last repeats. */
  readonly queryIntervals: readonly number[];
  /** How long an answer may take. */
  readonly graceMs: number;
  /** Queries without an answer after which a device counts as vanished. */
  readonly missed: number;
  /** How often the list of interfaces is looked at. */
  readonly interfacePollMs: number;
}

/** A vanished device is marked after at most 3 x 12 s + 2 s, well under a minute. */
export const DEFAULT_TIMING: DiscoveryTiming = {
  queryIntervals: [1_000, 2_000, 4_000, 8_000, 12_000],
  graceMs: 2_000,
  missed: 3,
  interfacePollMs: 3_000,
};
