/** Devices redirect to their web page, to https, or to another server. */
import { say } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { guessAddress, type Address } from './address.ts';
import type { HttpAnswer } from './transport.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

/**
 * Returns where a GET goes on to on the same device, as path and query; undefined if the answer is no
 * redirect. @throws `refused` if following would take the sign-in elsewhere or repeat a write
 */
export function redirectPath(
  answer: HttpAnswer,
  request: { readonly method: string; readonly path: string; readonly hops: number },
  address: Address,
): string | undefined {
  const header = answer.headers['location'];
  const location = typeof header === 'string' ? header : header?.[0];
  const led = redirectTarget(answer.http, location, address.origin + request.path);
  if (led.kind === 'none') return undefined;
  if (led.kind === 'unreadable')
    throw refuse(answer, say('device.redirect-nowhere'), removeUndefined({ nearest: led.nearest }));
  const { url: target } = led;
  if (target.username !== '' || target.password !== '')
    throw refuse(answer, say('device.redirect-with-user'));
  if (target.origin !== new URL(address.origin).origin) {
    throw refuse(answer, say('device.redirect-elsewhere', { address: target.origin }));
  }
  if (request.method !== 'GET') throw refuse(answer, say('device.redirect-write'));
  if (request.hops >= MAX_REDIRECTS) throw refuse(answer, say('device.redirects', { max: MAX_REDIRECTS }));
  return target.pathname + target.search;
}

type Led =
  | { readonly kind: 'none' }
  /** `nearest`: the host that may be meant. */
  | { readonly kind: 'unreadable'; readonly nearest: string | undefined }
  | { readonly kind: 'target'; readonly url: URL };

/** Reads where an answer leads, with the address that was asked as `base`. */
export function redirectTarget(http: number, location: string | undefined, base: string): Led {
  if (!REDIRECTS.has(http) || location === undefined) return { kind: 'none' };
  if (!URL.canParse(location, base)) return { kind: 'unreadable', nearest: undefined };
  const url = new URL(location, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { kind: 'unreadable', nearest: undefined };
  const other = misspeltHost(location, url, base);
  return other === undefined ? { kind: 'target', url } : { kind: 'unreadable', nearest: guessAddress(other) };
}

/**
 * Returns the host of an absolute `location` if the URL class made another IPv4 address of it: `010` is octal to it,
 * `127.8` a whole address. Without slashes a location is absolute only if its scheme is not that of `base`.
 */
function misspeltHost(location: string, { hostname }: URL, base: string): string | undefined {
  if (!/^[\d.]+$/.test(hostname)) return undefined;
  const elsewhere = new URL(base);
  elsewhere.hostname = 'relative.invalid';
  if (new URL(location, elsewhere).hostname !== hostname) return undefined;
  const written = /^\s*(?:[a-z][a-z0-9+.-]*:)?[/\\]*(?:[^/?#@]*@)?([^/?#:]*)/i.exec(location)?.[1] ?? '';
  return written === hostname ? undefined : written;
}

function refuse(
  answer: HttpAnswer,
  words: ReturnType<typeof say>,
  more: { readonly nearest?: string } = {},
): FieldwrightError {
  return new FieldwrightError({
    code: 'refused',
    source: 'device',
    reason: 'redirect',
    ...words,
    ...more,
    status: { http: answer.http },
  });
}
