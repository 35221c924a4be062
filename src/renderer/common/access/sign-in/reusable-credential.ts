import type { CredentialScope } from '../../../../shared/access.ts';
import type { Credential, Device } from '../../../../shared/model.ts';

/**
 * The sign-in that a newly typed user and password should change instead of standing beside it: the
 * one that all these devices, and nobody else, use now. So correcting a wrong password leaves no
 * second, wrong sign-in behind.
 */
export function reusableCredential(
  devices: readonly Pick<Device, 'credentialId'>[],
  credentials: readonly Credential[],
): Credential | undefined {
  const [first] = devices;
  if (
    first?.credentialId === undefined ||
    devices.some((device) => device.credentialId !== first.credentialId)
  )
    return undefined;
  return credentials.find(
    (credential) =>
      credential.id === first.credentialId &&
      credential.devices === devices.length &&
      (credential.scopes ?? []).length === 0,
  );
}

/** The same for a tag or a site: the sign-in that is given to this one alone. */
export function scopedCredential(
  scope: CredentialScope,
  credentials: readonly Credential[],
): Credential | undefined {
  return credentials.find(
    ({ scopes = [] }) => scopes.length === 1 && scopes.every((one) => isSameScope(one, scope)),
  );
}

export function isSameScope(a: CredentialScope, b: CredentialScope): boolean {
  return a.kind === 'tag' ? b.kind === 'tag' && a.tag === b.tag : b.kind === 'site' && a.siteId === b.siteId;
}
