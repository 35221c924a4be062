import type { CredentialScope, NamedProfile, ProbeReport, SavedSecret, Site } from '../../../shared/access.ts';
import type { ConnectionProfile, Credential, DeviceTest } from '../../../shared/model.ts';
import { api } from '../../composables/use-client.ts';

/** With an id it changes that one; an empty password then keeps the stored one. */
export interface NewCredential {
  readonly id?: string;
  readonly label: string;
  readonly userName: string;
  readonly password: string;
  readonly deviceIds?: string[];
}
export interface NewProfile {
  readonly id?: string;
  readonly name: string;
  readonly profile: Partial<ConnectionProfile>;
  readonly ports?: number[];
  readonly isDefault?: boolean;
}

/** One sign-in attempt each; the engine never repeats it by itself. */
export function testDevices(ids: readonly string[]): Promise<readonly DeviceTest[]> {
  return api().devices.test({ ids: [...ids] });
}
/** The consent to send the password unprotected (Basic) to this device. */
export async function allowBasic(id: string): Promise<void> {
  await api().devices.update({ id, profile: { auth: 'basic' } });
}
/** The consent to a weaker Digest than this device offered before. */
export async function acceptWeaker(id: string): Promise<void> {
  await api().devices.update({ id, acceptWeaker: true });
}
export function trustCertificates(items: readonly { readonly id: string; readonly fingerprint: string }[]): Promise<{ changed: number }> {
  return api().devices.trust({ items: [...items] });
}
export function distrustCertificates(ids: readonly string[]): Promise<{ changed: number }> {
  return api().devices.distrust({ ids: [...ids] });
}
export function probeAddress(address: string, signal: AbortSignal): Promise<ProbeReport> {
  return api().devices.probe({ address }, { signal });
}

export function listCredentials(): Promise<readonly Credential[]> {
  return api().credentials.list();
}
export function saveCredential(credential: NewCredential): Promise<Credential> {
  return api().credentials.save(credential);
}
export function assignCredential(credentialId: string | null, deviceIds: readonly string[]): Promise<{ changed: number }> {
  return api().credentials.assign({ credentialId, deviceIds: [...deviceIds] });
}
export function assignCredentialTo(credentialId: string | null, scope: CredentialScope): Promise<{ changed: number }> {
  return api().credentials.assignTo({ credentialId, scope });
}
export function removeCredential(id: string): Promise<{ removed: boolean }> {
  return api().credentials.remove({ id });
}

export function listSecrets(): Promise<readonly SavedSecret[]> {
  return api().secrets.list();
}
export function removeSecret(name: string): Promise<{ removed: boolean }> {
  return api().secrets.remove({ name });
}

export function listSites(): Promise<readonly Site[]> {
  return api().sites.list();
}
export function saveSite(site: { readonly id?: string; readonly name: string }): Promise<Site> {
  return api().sites.save(site);
}
export function removeSite(id: string): Promise<{ removed: boolean }> {
  return api().sites.remove({ id });
}

export function listProfiles(): Promise<readonly NamedProfile[]> {
  return api().profiles.list();
}
export function saveProfile(profile: NewProfile): Promise<NamedProfile> {
  return api().profiles.save(profile);
}
export function removeProfile(id: string): Promise<{ removed: boolean }> {
  return api().profiles.remove({ id });
}
