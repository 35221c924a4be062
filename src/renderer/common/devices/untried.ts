import type { Device } from '../../../shared/model.ts';

/**
 * Returns true if a request would send a password that the device has not accepted yet: a click may cause that, opening
 * a screen may not. A refused password is held back by the engine, and without a credential nothing can be sent.
 */
export function isUntried({ signIn, signInFrom }: Pick<Device, 'signIn' | 'signInFrom'>): boolean {
  return signIn === 'unknown' && signInFrom !== undefined;
}

/** Returns true if nobody knows what the device is, because it was not signed in to yet. */
export function isUntested({ kinds, signIn }: Pick<Device, 'kinds' | 'signIn'>): boolean {
  return kinds.length === 0 && signIn !== 'ok';
}
