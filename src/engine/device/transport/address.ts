/** Addresses as people write them, normalised to one form. */
import { isIPv4, isIPv6 } from 'node:net';
import { say, type BareDetailId } from '#shared/details.ts';
import { type FieldwrightError, userError } from '#shared/errors.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';

export interface Address {
  /** `http(s)://host[:port]`: lower case, default port left out, zone kept as `%25eth0`. */
  readonly url: string;
  /** Same as `url` without the zone, which means nothing to the other side. */
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
 * without `http://` or `https://`.
 *
 * @throws `usage` for anything else: other schemes, user information, a path, a query, numbers that are no IPv4
 * address (`192.168.001.064`, `127.8`, `0x7f000001`), with the address that may be meant as `nearest`.
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

/**
 * Returns true for an IPv6 address without brackets. Node's own test is a pattern whose first use takes
 * milliseconds, so it runs only on texts with two colons.
 */
function isBareIPv6(text: string): boolean {
  return /^[^/:]*:[^/:]*:/.test(text) && isIPv6(text.replace('%25', '%'));
}

function portOf(text: string | undefined, secure: boolean): number {
  if (text === undefined || text === '') return secure ? 443 : 80;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw wrong('address-port');
  return port;
}

/** Returns true if the text names a port: with one more, it would be no address. */
export function hasPort(address: string): boolean {
  const text = address.trim().replace(/\/$/, '');
  if (isIPv6(text.replace('%25', '%'))) return false;
  try {
    return parseAddress(`${text}:1`).port !== 1;
  } catch {
    return true;
  }
}

/** Returns an address with this port, for a table that has ports in a column of their own; one that names a port keeps it. */
export function addPort(address: string, port: string): string {
  const isPlain = !hasPort(address) && !/^\s*https:/i.test(address);
  return isPlain ? `${parseAddress(address).url}:${port}` : address;
}

function hostOf(host: string): { connect: string; written: string; plain: string } {
  if (host.startsWith('[')) return ipv6Host(host.slice(1, -1));
  if (host === '') throw wrong('address-without-host');
  const name = nameOf(host);
  return { connect: name, written: name, plain: name };
}

/**
 * Returns a name or an IPv4 address as it is sent: lower case, letters beyond ASCII in their wire form.
 *
 * The URL class reads `010` as octal, `127.8` as two parts and `3232235777` as a whole address. What it takes for
 * IPv4 counts only where four plain decimal parts were written.
 */
function nameOf(host: string): string {
  const parsed = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
  const isNumbers = /^\d+(?:\.\d+){3}$/.test(parsed);
  if (isNumbers && parsed === host) return host;
  if (isNumbers || endsInNumber(host)) throw wrong('address-numbers', guessAddress(host));
  if (!isName(parsed) || !/^[\p{L}\p{N}._-]+$/u.test(host)) throw wrong('address-host');
  return parsed;
}

/**
 * Returns true for labels of 1 to 63 signs between full stops, 253 signs in all; the last full stop may
 * denote the root.
 */
function isName(parsed: string): boolean {
  return parsed.length <= 253 && /^[^.]{1,63}(?:\.[^.]{1,63})*\.?$/.test(parsed);
}

/** Returns the four parts that a host with leading zeros, full-width digits or other separators may mean. */
export function guessAddress(host: string): string | undefined {
  const text = plainText(host);
  const whole = /^(?:\d{8,10}|0x[\da-f]{7,8})$/i.test(text) ? Number(text) : undefined;
  const parts =
    whole === undefined
      ? text.split('.').map((part) => part.replace(/^0+(?=\d)/, ''))
      : [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256);
  const meant = parts.join('.');
  return isIPv4(meant) ? meant : undefined;
}

/**
 * Applies the rule of the URL standard (3.5) that separates numbers from names, for the digits of every
 * script.
 */
function endsInNumber(host: string): boolean {
  return /(?:^|\.)(?:\p{Nd}+|0x[\da-f]*)$/iu.test(plainText(host));
}

/** Digits and full stops of every script in their plain form, without what cannot be seen and without last stops. */
function plainText(host: string): string {
  return replaceUnseen(host.normalize('NFKC'), () => '')
    .replace(/\s+/g, '')
    .replace(/[,。、·]/g, '.')
    .replace(/\.+$/, '');
}

function ipv6Host(inside: string): { connect: string; written: string; plain: string } {
  const [address = '', ...zones] = inside.split('%');
  // RFC 6874 writes the zone after %25, people after a bare %.
  const zone = zones.join('%').replace(/^25(?=.)/, '');
  if (!isIPv6(address) || (zones.length > 0 && !/^[A-Za-z0-9._~-]{1,64}$/.test(zone)))
    throw wrong('address-ipv6');
  const mapped = findMappedIPv4(address);
  if (mapped !== undefined) return { connect: mapped, written: mapped, plain: mapped };
  const plain = new URL(`http://[${address}]/`).hostname;
  const short = plain.slice(1, -1);
  return zone === ''
    ? { connect: short, written: plain, plain }
    : { connect: `${short}%${zone}`, written: `[${short}%25${zone}]`, plain };
}

/** Returns the IPv4 address that an IPv6 address carries (RFC 4291, 2.5.5.2), however it is spelled; undefined for any other. */
export function findMappedIPv4(address: string): string | undefined {
  if (!/^[0:]+ffff:/i.test(address) || !isIPv6(address)) return undefined;
  const [, high, low] =
    /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${address}]/`).hostname) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return [high, low].flatMap((pair) => [parseInt(pair, 16) >> 8, parseInt(pair, 16) & 255]).join('.');
}

/** Spelled the same in every language. */
const EXAMPLES = '10.0.0.5 · 10.0.0.5:8080 · https://gate.local · [fe80::1%25eth0]:80';

function wrong(id: BareDetailId, nearest?: string): FieldwrightError {
  return userError('usage', { hint: EXAMPLES, ...say(id) }, { path: 'address', nearest });
}
