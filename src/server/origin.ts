/** Which names this server answers to: a foreign name that resolves here is a rebinding attack. */
import { hostname } from 'node:os';
import { isIP } from 'node:net';

export interface Origins {
  /** The `Host` header names this server. */
  hostAllowed(host: string | undefined): boolean;
  /** The `Origin` header is the page this server itself gave out under that host. */
  originAllowed(origin: string | undefined, host: string | undefined): boolean;
}

/** `bindHost` as listened on; a wildcard also answers to any address literal and the machine's name. */
export function createOrigins(bindHost: string, port: number): Origins {
  const wildcard = bindHost === '0.0.0.0' || bindHost === '::';
  const names = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(bindHost).toLowerCase()]);
  if (wildcard) names.add(hostname().toLowerCase());

  function hostAllowed(host: string | undefined): boolean {
    const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?$/.exec(host ?? '');
    if (match === null || Number(match[2] ?? 80) !== port) return false;
    const name = (match[1] ?? '').toLowerCase();
    // A literal address cannot be rebound: the browser asked exactly this machine.
    return names.has(name) || (wildcard && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  }

  return {
    hostAllowed,
    originAllowed: (origin, host) => hostAllowed(host) && origin !== undefined && origin.toLowerCase() === `http://${host}`.toLowerCase(),
  };
}

/** An IPv6 address as it stands in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
