/** IPv4 ranges and the machine's interfaces. */
import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { say } from '#shared/details.ts';
import type { OwnNetwork } from '#shared/discovery.ts';
import { userError } from '#shared/errors.ts';
import { guessAddress } from '../device/transport/address.ts';
import type { InterfaceAddress } from './types.ts';

/** Ports where the encrypted form is expected. */
export const TLS_PORTS: ReadonlySet<number> = new Set([443, 8443]);

/** Largest range one sweep takes: /20 has 4,096 addresses. */
const SHORTEST_PREFIX = 20;

export interface Ipv4Range {
  /** Canonical: host bits cleared. */
  readonly cidr: string;
  readonly first: number;
  readonly last: number;
}

/** Lists the addresses of all interfaces; the operating system lists only those that are up. */
export function listSystemInterfaces(): InterfaceAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).flatMap((entry) =>
      entry.cidr === null
        ? []
        : [
            {
              name,
              family: entry.family,
              address: entry.address,
              cidr: entry.cidr,
              internal: entry.internal,
              ...(entry.family === 'IPv6' ? { scopeId: entry.scopeid } : {}),
            },
          ],
    ),
  );
}

/** Reads `10.0.0.0/24` or a single address. Throws `usage` for anything else, `out-of-range` beyond /20. */
export function parseCidr(text: string): Ipv4Range {
  const [address = '', bits = '32', ...more] = text.trim().split('/');
  if (!isIPv4(address) || more.length > 0 || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) {
    throw userError('usage', say('range-form'), { path: 'sweep', nearest: meantRange(address, bits) });
  }
  const length = Number(bits);
  if (length < SHORTEST_PREFIX) {
    throw userError(
      'out-of-range',
      say('range-too-large', { length: SHORTEST_PREFIX, count: 2 ** (32 - SHORTEST_PREFIX) }),
      { path: 'sweep' },
    );
  }
  const size = 2 ** (32 - length);
  const first = Math.floor(toNumber(address) / size) * size;
  return { cidr: `${toAddress(first)}/${length}`, first, last: first + size - 1 };
}

function meantRange(address: string, bits: string): string | undefined {
  const meant = guessAddress(address);
  return meant === undefined || !/^\d{1,2}$/.test(bits) ? undefined : `${meant}/${bits}`;
}

/** Addresses a device can have: without network and broadcast address where the range has them. */
export function* listHosts(range: Ipv4Range): Generator<string> {
  const wide = range.last - range.first > 1;
  for (
    let host = wide ? range.first + 1 : range.first;
    host <= (wide ? range.last - 1 : range.last);
    host += 1
  )
    yield toAddress(host);
}

export function countHosts(range: Ipv4Range): number {
  const size = range.last - range.first + 1;
  return size > 2 ? size - 2 : size;
}

/** Throws `not-allowed` unless the whole range lies in a network of this machine. */
export function requireOwnNetwork(range: Ipv4Range, interfaces: readonly InterfaceAddress[]): void {
  const own = interfaces.filter((entry) => entry.family === 'IPv4').map((entry) => networkOf(entry));
  if (own.some((network) => network.first <= range.first && range.last <= network.last)) return;
  throw userError(
    'not-allowed',
    say('range-elsewhere', {
      cidr: range.cidr,
      networks: [...new Set(own.map((network) => network.cidr))].join(', ') || 'none',
    }),
    { path: 'sweep' },
  );
}

function networkOf(entry: InterfaceAddress): Ipv4Range {
  const length = Number(entry.cidr.split('/')[1] ?? 32);
  const size = 2 ** (32 - length);
  const first = Math.floor(toNumber(entry.address) / size) * size;
  return { cidr: `${toAddress(first)}/${length}`, first, last: first + size - 1 };
}

/** Formats the canonical network of an interface's address: `10.0.0.0/24`; an IPv6 one as it is written. */
export function formatNetwork(entry: InterfaceAddress): string {
  return entry.family === 'IPv4' ? networkOf(entry).cidr : entry.cidr;
}

/**
 * Lists the networks that a sweep can be offered for: those of real interfaces, once each. Single addresses
 * have no neighbours.
 */
export function listOwnNetworks(interfaces: readonly InterfaceAddress[]): OwnNetwork[] {
  const networks = new Map<string, OwnNetwork>();
  for (const entry of interfaces) {
    if (entry.family !== 'IPv4' || entry.internal) continue;
    const network = networkOf(entry);
    if (network.first === network.last) continue;
    const isTooLarge = Number(entry.cidr.split('/')[1]) < SHORTEST_PREFIX;
    const range = isTooLarge ? parseCidr(`${entry.address}/24`) : network;
    const key = `${entry.name} ${range.cidr}`;
    if (!networks.has(key))
      networks.set(key, {
        interface: entry.name,
        address: entry.address,
        network: network.cidr,
        cidr: range.cidr,
        hosts: countHosts(range),
      });
  }
  return [...networks.values()];
}

/**
 * Returns the zone of link-local IPv6 addresses of an interface: its name, on Windows its number. `entries`:
 * its addresses.
 */
export function getIpv6Zone(
  interfaceName: string,
  entries: readonly InterfaceAddress[],
  platform: NodeJS.Platform = process.platform,
): string {
  return platform === 'win32'
    ? String(entries.find(({ scopeId }) => scopeId !== undefined && scopeId !== 0)?.scopeId ?? 0)
    : interfaceName;
}

/** Returns whether an address (with or without zone) lies in a network of one of the entries. */
export function isInNetworks(address: string, entries: readonly InterfaceAddress[]): boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const length = Number(entry.cidr.split('/')[1] ?? (entry.family === 'IPv4' ? 32 : 128));
    list.addSubnet(entry.address, length, entry.family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  const plain = address.split('%')[0] ?? address;
  try {
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  } catch {
    return false;
  }
}

/** Returns true for fe80::/10. */
export function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address);
}

/**
 * Addresses that no device can be reached at: this computer, unspecified, multicast and broadcast, and IPv4
 * written as IPv6.
 */
const NO_HOSTS = new BlockList();
for (const [network, length] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['224.0.0.0', 3],
] as const)
  NO_HOSTS.addSubnet(network, length, 'ipv4');
for (const [network, length] of [
  ['::', 127],
  ['ff00::', 8],
] as const)
  NO_HOSTS.addSubnet(network, length, 'ipv6');

/**
 * Returns whether another host can have this address (without zone); an announcement of one of the others is
 * a mistake or an attack.
 */
export function isHostAddress(address: string): boolean {
  return !NO_HOSTS.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') && !/^::ffff:/i.test(address);
}

function toNumber(address: string): number {
  return address.split('.').reduce((value, part) => value * 256 + Number(part), 0);
}

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
