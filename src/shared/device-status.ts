/**
 * Status of a device as every face shows it: an old result is shown as a past one, and no two states contradict
 * each other. What is not as it should be is an exception; a healthy device has none.
 */
import type { Device } from './model.ts';

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

/** Faults of a device, the worst first: each has a remedy. */
export const DEVICE_EXCEPTIONS = [
  'other-device',
  'certificate-changed',
  'certificate',
  'locked',
  'sign-in-failed',
  'sign-in-conflict',
  'not-activated',
  'away',
  'not-signed-in',
  'restart',
  'drifted',
] as const;
export type DeviceException = (typeof DEVICE_EXCEPTIONS)[number];

/** A device changes as a whole, so what was concluded from one object holds for good. */
const concluded = new WeakMap<Device, readonly DeviceException[]>();

/**
 * Returns what is not as it should be, the worst first, at any time: the last failure counts until a newer result. Of a
 * device that is away only that is said besides which was known before.
 */
export function listExceptions(device: Device): readonly DeviceException[] {
  const known = concluded.get(device);
  if (known !== undefined) return known;
  const list = findExceptions(device);
  concluded.set(device, list);
  return list;
}

function findExceptions(device: Device): readonly DeviceException[] {
  const { lastError, restartDue, agreement } = device;
  const isDrifted = agreement?.state === 'drifted' && agreement.differs > 0;
  const known: readonly DeviceException[] = [
    ...(restartDue === undefined ? [] : ['restart' as const]),
    ...(isDrifted ? ['drifted' as const] : []),
  ];
  if (lastError?.code === 'certificate-changed') return ['certificate-changed', ...known];
  if (lastError?.reason === 'other-device') return ['other-device', ...known];
  if (device.reach === 'unreachable') return ['away', ...known];
  if (lastError?.code === 'certificate-untrusted') return ['certificate', ...known];
  const signIn = findSignInException(device);
  return signIn === undefined ? known : [signIn, ...known];
}

function findSignInException({ signIn, signInFrom, lastError }: Device): DeviceException | undefined {
  if (lastError?.code === 'not-activated') return 'not-activated';
  if (signIn === 'ok') return undefined;
  if (signIn === 'locked') return 'locked';
  if (signIn === 'failed') return 'sign-in-failed';
  return signInFrom?.kind === 'conflict' ? 'sign-in-conflict' : 'not-signed-in';
}
