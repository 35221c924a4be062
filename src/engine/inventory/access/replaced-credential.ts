/** Finds the saved credential that a newly typed user and password replace. */
import { isSameScope, type CredentialScope } from '#shared/access.ts';
import type { Credential, Device } from '#shared/model.ts';

/**
 * Returns the credential that all these devices, and no others, use now; of a tag or a site the one that is
 * given to it alone. So correcting a wrong password leaves no second, wrong credential behind, and signs out
 * no other device.
 */
export function findReplacedCredential(
  devices: readonly Pick<Device, 'credentialId'>[],
  scope: CredentialScope | undefined,
  credentials: readonly Credential[],
): Credential | undefined {
  if (scope !== undefined)
    return credentials.find(
      ({ scopes = [] }) => scopes.length === 1 && scopes.every((one) => isSameScope(one, scope)),
    );
  const used = new Set(devices.map(({ credentialId }) => credentialId));
  return credentials.find(
    ({ id, devices: users, scopes = [] }) =>
      used.size === 1 && used.has(id) && users === devices.length && scopes.length === 0,
  );
}
