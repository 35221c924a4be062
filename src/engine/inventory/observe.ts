/** What an observation changes on a device; pure. */
import type { ErrorCode, ErrorShape } from '../../shared/errors.ts';
import type { Observation } from '../device/directory.ts';
import type { DeviceRecord } from './device-rows.ts';

const NOT_REACHED: ReadonlySet<ErrorCode> = new Set(['unreachable', 'connection-refused']);
/** These say nothing new about the device. */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set(['sign-in-paused', 'cancelled', 'vault-locked', 'usage', 'internal']);
const SAYS_NOTHING_OF_REACH: ReadonlySet<ErrorCode> = new Set(['timeout', 'connection-lost']);

/** The device as it stands after the observation; the same object when nothing changed. */
export function observed(device: DeviceRecord, observation: Observation, at: string): DeviceRecord {
  switch (observation.type) {
    case 'answered': {
      const { lastError: _settled, ...rest } = device;
      return { ...rest, reach: 'reachable', lastSeen: at };
    }
    case 'offered':
      return observation.strength > device.strength ? { ...device, strength: observation.strength } : device;
    case 'realm':
      return device.realm === observation.realm ? device : { ...device, realm: observation.realm };
    case 'account-locked':
      return { ...device, accountLock: { userName: observation.userName, until: observation.until } };
    case 'sign-in':
      return { ...(observation.state === 'ok' ? unlocked(device) : device), reach: 'reachable', signIn: observation.state, lastSeen: at, ...(observation.error === undefined ? {} : { lastError: observation.error.shape }) };
    case 'failed':
      return failed(device, observation.error.shape, at);
  }
}

function unlocked({ accountLock: _over, ...device }: DeviceRecord): DeviceRecord {
  return device;
}

function failed(device: DeviceRecord, latest: ErrorShape, at: string): DeviceRecord {
  if (SAYS_NOTHING.has(latest.code)) return device;
  const error = withExchange(latest, device.lastError);
  if (NOT_REACHED.has(error.code) || (error.code === 'timeout' && error.sent !== true)) return { ...device, reach: 'unreachable', lastError: error };
  if (SAYS_NOTHING_OF_REACH.has(error.code)) return { ...device, lastError: error };
  return { ...device, reach: 'reachable', lastSeen: at, lastError: error };
}

/** Whether people should hear of the difference at once; a newer `lastSeen` alone can wait. */
export function notable(before: DeviceRecord, after: DeviceRecord): boolean {
  return before.reach !== after.reach || before.signIn !== after.signIn
    || !sameError(before.lastError, after.lastError)
    || before.strength !== after.strength;
}

/** For people: what they would do about it is the same. */
function sameError(before: ErrorShape | undefined, after: ErrorShape | undefined): boolean {
  return before?.code === after?.code && before?.message === after?.message && before?.lock?.unlocksAt === after?.lock?.unlocksAt
    && before?.certificate?.offered.fingerprint === after?.certificate?.offered.fingerprint;
}

/** Who is refused for the same reason without a further exchange says no less than the first. */
function withExchange(error: ErrorShape, before: ErrorShape | undefined): ErrorShape {
  const isSame = error.exchange === undefined && before?.exchange !== undefined && before.code === error.code && before.message === error.message;
  return isSame ? { ...error, exchange: before.exchange } : error;
}
