import type { Credential, Device } from '../../../shared/model.ts';

/**
 * The sign-in that a newly typed user and password should change instead of standing beside it: the
 * one that all these devices, and no others, use now. So correcting a wrong password leaves no
 * second, wrong sign-in behind.
 */
export function reusableCredential(devices: readonly Pick<Device, 'credentialId'>[], credentials: readonly Credential[]): Credential | undefined {
  const [first] = devices;
  if (first?.credentialId === undefined || devices.some((device) => device.credentialId !== first.credentialId)) return undefined;
  return credentials.find((credential) => credential.id === first.credentialId && credential.devices === devices.length);
}
