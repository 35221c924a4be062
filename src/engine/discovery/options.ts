/** What a search was asked to do, checked before anything is sent. */
import { FieldwrightError } from '../../shared/errors.ts';
import { nearestName } from '../../protocol/index.ts';
import type { DiscoveryOptions } from '../api.ts';
import { parseAddress } from '../device/address.ts';
import type { Address } from '../device/address.ts';
import { parseCidr, requireOwnNetwork } from './network.ts';
import type { Ipv4Range } from './network.ts';
import type { InterfaceAddress } from './types.ts';

export interface CheckedOptions {
  /** Undefined: until the signal aborts. */
  readonly seconds: number | undefined;
  readonly listens: boolean;
  readonly only: readonly string[] | undefined;
  readonly sweep: { readonly range: Ipv4Range; readonly ports: readonly number[] } | undefined;
  readonly addresses: readonly Address[];
  readonly prefixes: readonly string[];
  readonly doctor: boolean;
}

/** Where web interfaces of devices live, in the order they are asked. */
export const SWEEP_PORTS: readonly number[] = [80, 443, 8080, 8443];
const MOST = { seconds: 3_600, interfaces: 16, ports: 8, addresses: 100, prefixes: 4 };

/** Throws `usage`, `out-of-range` or `not-allowed`; `known` are prefixes of devices of the inventory, asked after `/API`. */
export function checkOptions(options: DiscoveryOptions, interfaces: readonly InterfaceAddress[], known: readonly string[]): CheckedOptions {
  const { seconds, sweep } = options;
  if (seconds !== undefined && !(seconds > 0 && seconds <= MOST.seconds)) refuse('seconds', `A search takes up to ${MOST.seconds} seconds.`, 'out-of-range');
  const prefixes = [...new Set(options.prefixes ?? ['/API', ...known])];
  for (const prefix of prefixes) if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(prefix) || prefix.length > 100) refuse('prefixes', 'A prefix is a path such as /API.', 'usage');
  if (prefixes.length === 0) refuse('prefixes', 'Name at least one path prefix.', 'usage');
  if (options.prefixes !== undefined) requireFew('prefixes', prefixes);
  const addresses = options.addresses ?? [];
  requireFew('addresses', addresses);
  return {
    seconds, listens: options.mdns ?? true, doctor: options.doctor ?? false,
    only: options.interfaces === undefined ? undefined : checkInterfaces(options.interfaces, interfaces),
    sweep: sweep === undefined ? undefined : checkSweep(sweep, interfaces),
    addresses: addresses.map(parseAddress), prefixes: prefixes.slice(0, MOST.prefixes),
  };
}

function checkSweep(sweep: NonNullable<DiscoveryOptions['sweep']>, interfaces: readonly InterfaceAddress[]): CheckedOptions['sweep'] {
  const range = parseCidr(sweep.cidr);
  if (sweep.force !== true) requireOwnNetwork(range, interfaces);
  const ports = [...new Set(sweep.ports ?? SWEEP_PORTS)];
  if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535)) refuse('ports', 'A port is a number from 1 to 65535.', 'usage');
  requireFew('ports', ports);
  return { range, ports };
}

function checkInterfaces(names: readonly string[], interfaces: readonly InterfaceAddress[]): readonly string[] {
  requireFew('interfaces', names);
  const there = [...new Set(interfaces.map((entry) => entry.name))];
  for (const name of names) {
    if (there.includes(name)) continue;
    const nearest = nearestName(name, there);
    throw new FieldwrightError({
      code: 'usage', source: 'user', path: 'interface', message: `There is no network interface "${name}".`,
      hint: `Interfaces with an address: ${there.join(', ') || 'none'}.`, ...(nearest === undefined ? {} : { nearest }),
    });
  }
  return names;
}

function requireFew(what: 'interfaces' | 'ports' | 'addresses' | 'prefixes', list: readonly unknown[]): void {
  if (list.length > MOST[what]) refuse(what, `At most ${MOST[what]} ${what} at once.`, 'out-of-range');
}

function refuse(path: string, message: string, code: 'usage' | 'out-of-range'): never {
  throw new FieldwrightError({ code, source: 'user', path, message });
}
