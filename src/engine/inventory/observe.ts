/** Computes what an observation changes on a device; pure. */
import { isDown, isGone, isSilentAboutDevice, isUnreachable } from '#shared/error-meaning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import type { Observation } from '../device/directory.ts';
import type { DeviceRecord } from './device-rows.ts';

/** Returns the device after the observation; the same object if nothing changed. */
export function applyObservation(device: DeviceRecord, observation: Observation, at: string): DeviceRecord {
  const next = learnt(device, observation, at);
  return isBackFromRestart(device, next) ? clearRestartNeeded(next) : next;
}

/**
 * Returns true if the device had refused the connection, as only a device does that is on its way down or up:
 * a lost network says nothing of a restart.
 */
function isBackFromRestart(before: DeviceRecord, after: DeviceRecord): boolean {
  return (
    before.restartDue !== undefined &&
    before.lastError !== undefined &&
    isDown(before.lastError) &&
    after.reach === 'reachable'
  );
}

/** Clears the need for a restart of everything that was written. */
export function clearRestartNeeded(device: DeviceRecord): DeviceRecord {
  if (device.restartDue === undefined) return device;
  const { restartDue: _over, ...rest } = device;
  return rest;
}

function learnt(device: DeviceRecord, observation: Observation, at: string): DeviceRecord {
  switch (observation.type) {
    case 'answered': {
      if (isAsNoted(device, at)) return device;
      const { lastError: _settled, ...rest } = device;
      return reached(device.signIn === 'ok' ? { ...rest, signInAt: at } : rest, at);
    }
    case 'checked':
      return observation.error === undefined
        ? reached(withoutAbsence(device, observation.verified === true), at)
        : failed(device, observation.error.shape, at);
    case 'offered':
      return observation.strength > device.strength ? { ...device, strength: observation.strength } : device;
    case 'realm':
      return device.realm === observation.realm ? device : { ...device, realm: observation.realm };
    case 'restart-due':
      return { ...device, restartDue: at };
    case 'restarted':
      return clearRestartNeeded(device);
    case 'agreement': {
      if (isSameSummary(device.agreement, observation.agreement)) return device;
      const { agreement: _before, ...rest } = device;
      return { ...rest, ...removeUndefined({ agreement: observation.agreement }) };
    }
    case 'sign-in':
      return reached(
        {
          ...device,
          ...(observation.state === 'ok' ? { signInAt: at } : {}),
          signIn: observation.state,
          ...removeUndefined({ lastError: observation.error?.shape }),
        },
        at,
      );
    case 'failed':
      return failed(device, observation.error.shape, at);
  }
}

/** Answers come by the hundred a second, and say the same of a device that answered in this second. */
function isAsNoted(
  { reach, lastError, lastSeen, checkedAt, signIn, signInAt }: DeviceRecord,
  at: string,
): boolean {
  const second = at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  const isNow = (noted: string | undefined): boolean => noted?.startsWith(second) === true;
  return (
    reach === 'reachable' &&
    lastError === undefined &&
    isNow(lastSeen) &&
    isNow(checkedAt) &&
    (signIn !== 'ok' || isNow(signInAt))
  );
}

function failed(device: DeviceRecord, latest: ErrorShape, at: string): DeviceRecord {
  if (isSilentAboutDevice(latest)) return device;
  const error = withExchange(latest, device.lastError);
  if (isUnreachable(error)) return { ...standing(device, 'unreachable', at), lastError: error };
  if (isGone(error)) return { ...device, lastError: error };
  return { ...reached(device, at), lastError: error };
}

/**
 * Removes an earlier absence of a device that is there again, and, where it was `verified`, the doubt about its
 * certificate. What it reported itself stays.
 */
function withoutAbsence(device: DeviceRecord, verified: boolean): DeviceRecord {
  const { lastError } = device;
  if (lastError === undefined) return device;
  if (!isUnreachable(lastError) && !(verified && lastError.code === 'certificate-changed')) return device;
  const { lastError: _over, ...rest } = device;
  return rest;
}

function reached(device: DeviceRecord, at: string): DeviceRecord {
  return { ...standing(device, 'reachable', at), lastSeen: at };
}

/** Longest gap between observations; after a longer one the state in between is unknown. */
export const UNSEEN_MS = 15 * 60_000;

function standing(device: DeviceRecord, reach: 'reachable' | 'unreachable', at: string): DeviceRecord {
  const { checkedAt, reachSince } = device;
  const isSame =
    device.reach === reach &&
    checkedAt !== undefined &&
    Math.abs(Date.parse(at) - Date.parse(checkedAt)) <= UNSEEN_MS;
  return { ...device, reach, checkedAt: at, reachSince: isSame ? (reachSince ?? checkedAt) : at };
}

/** Returns true if people should see the difference at once; a newer `lastSeen` alone can wait. */
export function isNotableChange(before: DeviceRecord, after: DeviceRecord): boolean {
  return (
    before.reach !== after.reach ||
    before.signIn !== after.signIn ||
    before.restartDue !== after.restartDue ||
    before.agreement !== after.agreement ||
    !sameError(before.lastError, after.lastError) ||
    before.strength !== after.strength
  );
}

/** Both come out of one function, so their members have one order. */
export function isSameSummary(one: Device['agreement'], other: Device['agreement']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns true if both errors call for the same action by a person. */
function sameError(before: ErrorShape | undefined, after: ErrorShape | undefined): boolean {
  return (
    before?.code === after?.code &&
    before?.message === after?.message &&
    before?.lock?.unlocksAt === after?.lock?.unlocksAt &&
    before?.certificate?.offered.fingerprint === after?.certificate?.offered.fingerprint
  );
}

/** Adds the exchange of the previous error to a repetition that has none. */
function withExchange(error: ErrorShape, before: ErrorShape | undefined): ErrorShape {
  const isSame =
    error.exchange === undefined &&
    before?.exchange !== undefined &&
    before.code === error.code &&
    before.message === error.message;
  return isSame ? { ...error, exchange: before.exchange } : error;
}
