import { isIdentityInDoubt } from '#shared/error-meaning.ts';
import type { Device } from '#shared/model.ts';

/**
 * Returns true if a request would send a password that the device has not accepted yet: a click may cause that, opening
 * a screen may not. A refused password is held back by the engine, and without a credential nothing can be sent; nor to
 * a device whose certificate was not accepted.
 */
export function isUntried({
  signIn,
  signInFrom,
  lastError,
}: Pick<Device, 'signIn' | 'signInFrom' | 'lastError'>): boolean {
  const isDistrusted = lastError !== undefined && isIdentityInDoubt(lastError);
  return signIn === 'unknown' && signInFrom !== undefined && !isDistrusted;
}

/** Returns true if the kind of the device is unknown because it was not signed in to yet. */
export function isUntested({ kinds, signIn }: Pick<Device, 'kinds' | 'signIn'>): boolean {
  return kinds.length === 0 && signIn !== 'ok';
}
