/** Options of a search, checked before anything is sent. */
import { say } from '#shared/details.ts';
import { DEFAULT_SERVICES, type NamedProfile } from '#shared/access.ts';
import { userError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { findNearestName } from '#protocol/index.ts';
import type { DiscoveryOptions } from '../api/routes.ts';
import { parseAddress, type Address } from '../device/transport/address.ts';
import { parseCidr, requireOwnNetwork, type Ipv4Range } from './network.ts';
import type { InterfaceAddress } from './types.ts';

export interface CheckedOptions {
  /** Undefined: until the signal aborts. */
  readonly seconds: number | undefined;
  readonly listens: boolean;
  readonly only: readonly string[] | undefined;
  readonly sweep: { readonly range: Ipv4Range; readonly ports: readonly number[] } | undefined;
  readonly addresses: readonly Address[];
  readonly prefixes: readonly string[];
  readonly services: readonly string[];
  readonly doctor: boolean;
}

/** Ports of devices' web interfaces, in the order they are tried. */
export const SWEEP_PORTS: readonly number[] = [80, 443, 8080, 8443];
const MOST = { seconds: 3_600, interfaces: 16, ports: 8, addresses: 100, prefixes: 4, services: 16 };

/** Defaults of a search whose options do not say where to look, in the order they are tried. */
export interface Places {
  readonly prefixes: readonly string[];
  readonly ports: readonly number[];
  readonly services: readonly string[];
}

/**
 * Collects the options from the named profiles, the default one first, and prefixes also from devices of the
 * inventory; at most as many as a search can use.
 */
export function collectSearchOptions(
  profiles: readonly NamedProfile[],
  devices: readonly Pick<Device, 'profile'>[],
): Places {
  const ordered = [...profiles].sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  const ports = ordered.flatMap((profile) => profile.ports);
  const services = ordered.flatMap((profile) => profile.services);
  const first = <T>(list: readonly T[], most: number) => [...new Set(list)].slice(0, most);
  return {
    prefixes: first(
      [...ordered, ...devices].map(({ profile }) => profile.pathPrefix),
      MOST.prefixes,
    ),
    ports: first(ports.length === 0 ? SWEEP_PORTS : ports, MOST.ports),
    services: first(services.length === 0 ? DEFAULT_SERVICES : services, MOST.services),
  };
}

/** Throws `usage`, `out-of-range` or `not-allowed`. */
export function checkOptions(
  options: DiscoveryOptions,
  interfaces: readonly InterfaceAddress[],
  places: Places,
): CheckedOptions {
  const { seconds, sweep } = options;
  if (seconds !== undefined && !(seconds > 0 && seconds <= MOST.seconds))
    refuse('seconds', say('search-seconds', { max: MOST.seconds }), 'out-of-range');
  const prefixes = [...new Set(options.prefixes ?? places.prefixes)];
  for (const prefix of prefixes)
    if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(prefix) || prefix.length > 100)
      refuse('prefixes', say('path-prefix'), 'usage');
  if (prefixes.length === 0) refuse('prefixes', say('prefix-missing'), 'usage');
  requireFew('prefixes', prefixes);
  const addresses = options.addresses ?? [];
  requireFew('addresses', addresses);
  return {
    seconds,
    listens: options.mdns ?? true,
    doctor: options.doctor ?? false,
    only: options.interfaces === undefined ? undefined : checkInterfaces(options.interfaces, interfaces),
    sweep: sweep === undefined ? undefined : checkSweep(sweep, interfaces, places.ports),
    addresses: addresses.map(parseAddress),
    prefixes,
    services: places.services,
  };
}

function checkSweep(
  sweep: NonNullable<DiscoveryOptions['sweep']>,
  interfaces: readonly InterfaceAddress[],
  standard: readonly number[],
): CheckedOptions['sweep'] {
  const range = parseCidr(sweep.cidr);
  if (sweep.force !== true) requireOwnNetwork(range, interfaces);
  const ports = [...new Set(sweep.ports ?? standard)];
  if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
    refuse('ports', say('port-form'), 'usage');
  requireFew('ports', ports);
  return { range, ports };
}

function checkInterfaces(
  names: readonly string[],
  interfaces: readonly InterfaceAddress[],
): readonly string[] {
  requireFew('interfaces', names);
  const there = [...new Set(interfaces.map((entry) => entry.name))];
  for (const name of names) {
    if (there.includes(name)) continue;
    const nearest = findNearestName(name, there);
    throw userError('usage', say('no-interface', { name, names: there.join(', ') || 'none' }), {
      path: 'interface',
      nearest,
    });
  }
  return names;
}

function requireFew(what: 'interfaces' | 'ports' | 'addresses' | 'prefixes', list: readonly unknown[]): void {
  if (list.length > MOST[what]) refuse(what, say('at-most-at-once', { max: MOST[what] }), 'out-of-range');
}

function refuse(path: string, words: ReturnType<typeof say>, code: 'usage' | 'out-of-range'): never {
  throw userError(code, words, { path });
}
