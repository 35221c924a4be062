/** Claims as a finder makes them, for tests of what becomes of them. */
import type { Claim } from '#engine/discovery/types.ts';

export function announced(name: string, url: string, extra: Partial<Claim> = {}): Claim {
  return {
    key: `mdns:eth0|IPv4|${name.toLowerCase()}._http._tcp.local`,
    identity: `name:${name.toLowerCase()}`,
    strength: 'strong',
    name,
    url,
    alternatives: [],
    addresses: [new URL(url).hostname],
    via: 'mdns:eth0',
    host: `${name.toLowerCase()}.local`,
    ...extra,
  };
}

export function swept(url: string, extra: Partial<Claim> = {}): Claim {
  const host = new URL(url).hostname;
  return {
    key: `sweep|${url}`,
    identity: `address:${url}`,
    strength: 'weak',
    name: host,
    url,
    alternatives: [],
    addresses: [host],
    via: 'sweep',
    recognised: 'sign-in',
    ...extra,
  };
}
