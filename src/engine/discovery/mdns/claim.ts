/** From an announced service to a claim: who it is, and where it is reached. */
import { isIPv4 } from 'node:net';
import type { Claim, InterfaceAddress } from '../types.ts';
import { inNetworks, zoneOf } from '../network.ts';
import { cleanName, instanceName } from './packet.ts';
import type { HeardService } from './service-cache.ts';

/** Keys under which devices announce what stays the same when the address changes. */
const SERIAL_KEYS = ['serialnumber', 'serialno', 'serial', 'sn', 'deviceid', 'uuid'];
const MAC_KEYS = ['macaddress', 'mac'];

/** `mine`: the addresses of the interface it was heard on. */
export function claimOf(heard: HeardService, { name: interfaceName, family, mine }: { readonly name: string; readonly family: 'IPv4' | 'IPv6'; readonly mine: readonly InterfaceAddress[] }): Claim {
  const name = instanceName(heard.service) || cleanName(heard.host) || (heard.addresses[0] ?? '');
  const zone = zoneOf(interfaceName, mine);
  const urls = [...heard.addresses].sort((one, other) => rank(one, mine) - rank(other, mine)).map((address) => urlOf(heard, address, zone));
  const [url = '', ...alternatives] = urls;
  const pathPrefix = prefixOf(heard.texts.get('path'));
  return {
    key: `mdns:${interfaceName}|${family}|${heard.service.toLowerCase()}`,
    identity: identityOf(heard, name), strength: 'strong', name, url, alternatives,
    addresses: heard.addresses, via: `mdns:${interfaceName}`, host: heard.host.toLowerCase(),
    ...(pathPrefix === undefined ? {} : { pathPrefix }),
  };
}

/** A serial number or hardware address where one is announced, else the service's name, unique on its link (RFC 6763, 4.1.1). */
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

/** Lower is better: in our network, routable, self-assigned; IPv4 before IPv6, which people cannot read out to each other. */
function rank(address: string, mine: readonly InterfaceAddress[]): number {
  const near = inNetworks(address, mine) ? 0 : 2;
  if (isIPv4(address)) return near + (address.startsWith('169.254.') && near > 0 ? 4 : 0);
  return isLinkLocal(address) ? 4 : near + 1;
}

/** fe80::/10. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address);
}

function urlOf({ secure, port }: HeardService, address: string, zone: string): string {
  const plain = address.split('%')[0] ?? address;
  const host = isIPv4(plain) ? plain : `[${plain}${isLinkLocal(plain) ? `%25${zone}` : ''}]`;
  return `${secure ? 'https' : 'http'}://${host}${port === (secure ? 443 : 80) ? '' : `:${port}`}`;
}

/** `/` and pages say nothing of the interface. */
function prefixOf(path: string | undefined): string | undefined {
  const trimmed = path?.trim().replace(/\/+$/, '') ?? '';
  return /^(\/[A-Za-z0-9_~-]+){1,4}$/.test(trimmed) ? trimmed : undefined;
}
