/**
 * Determines the status of a device now: an old result is shown as a past one, and no two states contradict
 * each other.
 */
import { createSharedComposable, useNow } from '@vueuse/core';
import type { Device } from '#shared/model.ts';

/**
 * Reach to show. `was-…`: last checked a while ago; `answers`: something answers, but it may not be this
 * device.
 */
export type ReachShown = Device['reach'] | 'was-reachable' | 'was-unreachable' | 'answers';
/** `was-ok`: it let us in before it went out of sight. */
export type SignInShown = Device['signIn'] | 'was-ok' | 'certificate' | 'certificate-changed';

export interface Standing {
  readonly reach: ReachShown;
  readonly signIn: SignInShown;
}

/**
 * Milliseconds for which a state counts as the present one; a round of checks over 5,000 devices takes less.
 */
export const FRESH_MS = 3 * 60_000;

/** `now` in milliseconds; times from the future (the clock was set back) are no fresher than old ones. */
export function getDeviceStatus(device: Device, now: number): Standing {
  const reach = reachOf(device, now);
  return { reach, signIn: signInOf(device, reach) };
}

function reachOf(device: Device, now: number): ReachShown {
  if (device.reach === 'unknown') return 'unknown';
  if (!isFresh(device.checkedAt, now)) return `was-${device.reach}`;
  return device.reach === 'reachable' && isStranger(device) ? 'answers' : device.reach;
}

/** A certificate that a person has to judge comes before any sign-in. */
function signInOf({ signIn, signInAt, reachSince, lastError }: Device, reach: ReachShown): SignInShown {
  if (lastError?.code === 'certificate-changed') return 'certificate-changed';
  if (lastError?.code === 'certificate-untrusted') return 'certificate';
  if (signIn !== 'ok') return signIn;
  return reach === 'reachable' && (signInAt ?? '') >= (reachSince ?? '') ? 'ok' : 'was-ok';
}

/** Returns whether the address answered without showing that it is this device. */
function isStranger({ lastError }: Device): boolean {
  return lastError?.code === 'certificate-changed' || lastError?.reason === 'other-device';
}

function isFresh(at: string | undefined, now: number): boolean {
  return at !== undefined && Math.abs(now - Date.parse(at)) <= FRESH_MS;
}

const CALM: ReadonlySet<string> = new Set<ReachShown | SignInShown>([
  'reachable',
  'was-reachable',
  'was-unreachable',
  'ok',
  'was-ok',
  'unknown',
]);

/** Good and unknown states stay calm; what wants a person gets its colour as a ground. */
export function isCalm(state: ReachShown | SignInShown): boolean {
  return CALM.has(state);
}

/** Returns whether a device needs attention, at any time: the last failure counts until a newer result. */
export function needsAttention(device: Device): boolean {
  return device.reach === 'unreachable' || isStranger(device) || !isCalm(signInOf(device, 'reachable'));
}

/** Current time for states, shared by the whole window. */
export const useStandingTime = createSharedComposable(() => useNow({ interval: 5_000 }));
