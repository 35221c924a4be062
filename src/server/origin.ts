/** Host names that this server answers to: a foreign name that resolves here is a rebinding attack. */
import { BlockList, isIP } from 'node:net';

interface Origins {
  /** Returns true if the `Host` header names this server. */
  hostAllowed(host: string | undefined): boolean;
  /** Returns true if the `Origin` header is the page that this server gave out under that host. */
  originAllowed(origin: string | undefined, host: string | undefined): boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns true for a host that only this computer can reach. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0
    ? host.toLowerCase() === 'localhost'
    : LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Creates the checks of `Host` and `Origin`. `bindHost` is the address that is listened on. */
export function createOrigins(bindHost: string, port: number): Origins {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', formatUrlHost(bindHost).toLowerCase()]);

  function hostAllowed(host: string | undefined): boolean {
    const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?$/.exec(host ?? '');
    if (match === null || Number(match[2] ?? 80) !== port) return false;
    return names.has((match[1] ?? '').toLowerCase());
  }

  return {
    hostAllowed,
    originAllowed: (origin, host) =>
      hostAllowed(host) && origin !== undefined && origin.toLowerCase() === `http://${host}`.toLowerCase(),
  };
}

/** Returns a host as it is written in a URL: IPv6 in brackets. */
export function formatUrlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
