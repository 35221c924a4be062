/**
 * Reads the address that a device redirects to when it no longer answers here: most often from http to https.
 * Pure.
 */
import { redirectTarget } from '#engine/device/transport/redirect.ts';
import { formatUrl, type Target } from './get-once.ts';
import type { RawAnswer } from './recognise.ts';

export interface Move {
  /** Address that the answer names: scheme, host and port; absent for one that cannot be used. */
  readonly url?: string;
  /** The same host at another port or scheme; undefined for another host, which is not asked. */
  readonly target?: Target;
}

/** Redirects that are followed one after another before a device counts as one that only sends on. */
export const MOST_MOVES = 3;

/** Returns where the answer of `target` leads away from this address; undefined for no redirect, and for one within the address. */
export function moveOf(answer: RawAnswer, target: Target): Move | undefined {
  const here = formatUrl({ ...target, host: target.host.replace(/%.*/, '') });
  const led = redirectTarget(answer.http, answer.location, `${here}/`);
  if (led.kind === 'none') return undefined;
  if (led.kind === 'unreadable' || led.url.username !== '' || led.url.password !== '') return {};
  const { protocol, hostname, port, origin } = led.url;
  const secure = protocol === 'https:';
  if (origin === here) return undefined;
  if (hostname !== new URL(here).hostname) return { url: origin };
  const moved = { host: target.host, port: port === '' ? (secure ? 443 : 80) : Number(port), secure };
  return { url: formatUrl(moved), target: moved };
}
