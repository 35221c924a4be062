/** Addresses as people write them, normalised to one form. */
import { isIPv6 } from 'node:net';
import { say, type BareDetailId } from '../../../shared/details.ts';
import { FieldwrightError } from '../../../shared/errors.ts';

export interface Address {
  /** `http(s)://host[:port]`: lower case, default port left out, zone kept as `%25eth0`. */
  readonly url: string;
  /** As `url` without the zone, which means nothing to the other side. */
  readonly origin: string;
  readonly secure: boolean;
  /** Host to connect to; an IPv6 address with its zone but without brackets. */
  readonly host: string;
  readonly port: number;
}

const FORM =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^/?#@]*)@)?(\[[^\]/?#]*\]|[^:/?#[\]@]*)(?::([^/?#]*))?(\/[^?#]*)?([?#].*)?$/i;

/**
 * Accepts `10.0.0.5`, `10.0.0.5:8080`, `name.local`, `[fe80::1%eth0]:80` and bare IPv6, with or
 * without `http://` or `https://`. Throws `usage` for anything else: other schemes, user
 * information, a path, a query.
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim();
  const match = FORM.exec(isBareIPv6(trimmed) ? `[${trimmed}]` : trimmed);
  if (match === null) throw wrong('address-form');
  const [, scheme = 'http', user, host = '', port, path = '/', tail] = match;
  if (user !== undefined) throw wrong('address-with-user');
  const lowerScheme = scheme.toLowerCase();
  if (lowerScheme !== 'http' && lowerScheme !== 'https') throw wrong('address-scheme');
  if (path !== '/' || tail !== undefined) throw wrong('address-with-path');
  const secure = lowerScheme === 'https';
  const number = portOf(port, secure);
  const shown = number === (secure ? 443 : 80) ? '' : `:${number}`;
  const { connect, written, plain } = hostOf(host);
  return {
    url: `${lowerScheme}://${written}${shown}`,
    origin: `${lowerScheme}://${plain}${shown}`,
    secure,
    host: connect,
    port: number,
  };
}

/** Node's own test is a pattern whose first use takes milliseconds: only where two colons stand. */
function isBareIPv6(text: string): boolean {
  return /^[^/:]*:[^/:]*:/.test(text) && isIPv6(text.replace('%25', '%'));
}

function portOf(text: string | undefined, secure: boolean): number {
  if (text === undefined || text === '') return secure ? 443 : 80;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw wrong('address-port');
  return port;
}

function hostOf(host: string): { connect: string; written: string; plain: string } {
  if (host.startsWith('[')) return ipv6Host(host.slice(1, -1));
  if (host === '') throw wrong('address-without-host');
  if (!/^[\p{L}\p{N}._-]{1,253}$/u.test(host)) throw wrong('address-host');
  // The URL class also turns names with letters beyond ASCII into their wire form.
  const parsed = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
  if (parsed === '') throw wrong('address-host');
  return { connect: parsed, written: parsed, plain: parsed };
}

function ipv6Host(inside: string): { connect: string; written: string; plain: string } {
  const [address = '', ...zones] = inside.split('%');
  // RFC 6874 writes the zone after %25, people after a bare %.
  const zone = zones.join('%').replace(/^25(?=.)/, '');
  if (!isIPv6(address) || (zones.length > 0 && !/^[A-Za-z0-9._~-]{1,64}$/.test(zone)))
    throw wrong('address-ipv6');
  const plain = new URL(`http://[${address}]/`).hostname;
  const short = plain.slice(1, -1);
  return zone === ''
    ? { connect: short, written: plain, plain }
    : { connect: `${short}%${zone}`, written: `[${short}%25${zone}]`, plain };
}

/** Spelled the same in every language. */
const EXAMPLES = '10.0.0.5 · 10.0.0.5:8080 · https://gate.local · [fe80::1%25eth0]:80';

function wrong(id: BareDetailId): FieldwrightError {
  return new FieldwrightError({ code: 'usage', source: 'user', hint: EXAMPLES, ...say(id), path: 'address' });
}
