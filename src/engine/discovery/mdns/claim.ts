/** Makes a claim from an announced service: its identity, and the addresses it is reached at. */
import { isIPv4 } from 'node:net';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Claim, InterfaceAddress } from '../types.ts';
import { isInNetworks, isLinkLocal, getIpv6Zone } from '../network.ts';
import { cleanName, getInstanceName, parseServiceType } from './packet.ts';
import type { HeardService } from './service-cache.ts';

/** Keys under which devices announce what stays the same when the address changes. */
const SERIAL_KEYS = ['serialnumber', 'serialno', 'serial', 'sn', 'deviceid', 'uuid'];
const MAC_KEYS = ['macaddress', 'mac'];

interface HeardOn {
  readonly name: string;
  readonly family: 'IPv4' | 'IPv6';
  /** Addresses of the interface that received it. */
  readonly mine: readonly InterfaceAddress[];
  /** Addresses of this computer from which such a device could be reached. */
  readonly own: readonly InterfaceAddress[];
}

/** Builds the claim. Its address is the best one; of the others it has those that can be reached. */
export function createMdnsClaim(
  heard: HeardService,
  { name: interfaceName, family, mine, own }: HeardOn,
): Claim {
  const name = getInstanceName(heard.service) || cleanName(heard.host) || (heard.addresses[0] ?? '');
  const zone = getIpv6Zone(interfaceName, mine);
  const [best = '', ...others] = [...heard.addresses].sort(
    (one, other) => rank(one, mine, own) - rank(other, mine, own),
  );
  const pathPrefix = prefixOf(heard.texts.get('path'));
  return {
    key: `mdns:${interfaceName}|${family}|${heard.service.toLowerCase()}`,
    identity: identityOf(heard, name),
    strength: 'strong',
    name,
    url: urlOf(heard, best, zone),
    alternatives: others
      .filter((address) => isInNetworks(address, own))
      .map((address) => urlOf(heard, address, zone)),
    addresses: heard.addresses,
    via: `mdns:${interfaceName}`,
    host: heard.host.toLowerCase(),
    ...(isInNetworks(best, own) ? {} : { outside: true }),
    ...(isPrinter(heard) ? { recognised: 'web' } : isAnyWebService(heard) ? { isAnyWeb: true } : {}),
    ...removeUndefined({ pathPrefix }),
  };
}

/** Attributes of printers (Bonjour Printing Specification, 9.2); a device of this interface has none of them. */
const PRINTER_KEYS = ['pdl', 'rp', 'qtotal', 'ty', 'usb_mdl', 'printer-type', 'printer-state'];

function isPrinter({ prints, texts }: HeardService): boolean {
  return prints || PRINTER_KEYS.filter((key) => texts.has(key)).length >= 2;
}

/**
 * Returns whether the service has a type that every web page is announced under; a service with a type of its
 * own is a device that a profile names.
 */
function isAnyWebService({ service }: HeardService): boolean {
  return /^_https?\./.test(parseServiceType(service) ?? '');
}

/**
 * Returns a serial number or hardware address if one is announced, else the service's name, unique on its
 * link (RFC 6763, 4.1.1).
 */
function identityOf({ texts }: HeardService, name: string): string {
  for (const key of SERIAL_KEYS) {
    const value = texts.get(key)?.trim().toLowerCase() ?? '';
    if (/^[^\s]{4,128}$/.test(value)) return `serial:${value}`;
  }
  for (const key of MAC_KEYS) {
    const digits = (texts.get(key) ?? '').replace(/[:.\s-]/g, '').toLowerCase();
    if (/^[0-9a-f]{12}$/.test(digits) && !/^(0{12}|f{12})$/.test(digits)) return `mac:${digits}`;
  }
  return `name:${name.toLowerCase()}`;
}

/**
 * Ranks an address; lower is better: IPv4, which people can read out to each other, then IPv6, link-local
 * last; of each what can be reached, on this interface first.
 */
function rank(address: string, mine: readonly InterfaceAddress[], own: readonly InterfaceAddress[]): number {
  const near = isInNetworks(address, mine) ? 0 : isInNetworks(address, own) ? 1 : OUT_OF_REACH;
  if (isIPv4(address)) return near + (address.startsWith('169.254.') ? 1 : 0);
  return isLinkLocal(address) ? LINK_LOCAL : near + 3;
}

const OUT_OF_REACH = 10;
const LINK_LOCAL = 20;

function urlOf({ secure, port }: HeardService, address: string, zone: string): string {
  const plain = address.split('%')[0] ?? address;
  const host = isIPv4(plain) ? plain : `[${plain}${isLinkLocal(plain) ? `%25${zone}` : ''}]`;
  return `${secure ? 'https' : 'http'}://${host}${port === (secure ? 443 : 80) ? '' : `:${port}`}`;
}

/** Returns the prefix of a path; `/` and pages say nothing of the interface. */
function prefixOf(path: string | undefined): string | undefined {
  const trimmed = path?.trim().replace(/\/+$/, '') ?? '';
  return /^(\/[A-Za-z0-9_~-]+){1,4}$/.test(trimmed) ? trimmed : undefined;
}
