import type {
  CredentialScope,
  NamedProfile,
  ProbeReport,
  SavedSecret,
  Site,
} from '../../../shared/access.ts';
import type {
  ChangedCredential,
  ConnectionProfile,
  Credential,
  DeviceTest,
  GivenSignIn,
} from '../../../shared/model.ts';
import { api } from '../../client/use-client.ts';

export interface NewCredential {
  readonly label: string;
  readonly userName: string;
  readonly password: string;
  readonly deviceIds?: string[];
  /** Given to it as a whole; the devices lose their own. */
  readonly scope?: CredentialScope;
}
export interface NewProfile {
  readonly id?: string;
  readonly name: string;
  readonly profile: Partial<ConnectionProfile>;
  readonly ports?: number[];
  readonly services?: string[];
  readonly isDefault?: boolean;
}

/** One sign-in attempt each; the engine never repeats it by itself. */
export function testDevices(ids: readonly string[]): Promise<readonly DeviceTest[]> {
  return api().devices.test({ ids: [...ids] });
}
/** Tries it on these, one before all others, and gives it to those that let it in. */
export function signInDevices(
  request: Parameters<ReturnType<typeof api>['devices']['signIn']>[0],
): Promise<GivenSignIn> {
  return api().devices.signIn(request);
}
/** The consent to send the password unprotected (Basic) to these devices. */
export async function allowBasic(ids: readonly string[]): Promise<void> {
  await api().devices.updateMany({ ids: [...ids], profile: { auth: 'basic' } });
}
/** The consent to a weaker Digest than these devices offered before. */
export async function acceptWeaker(ids: readonly string[]): Promise<void> {
  await api().devices.updateMany({ ids: [...ids], acceptWeaker: true });
}
export function trustCertificates(
  items: readonly { readonly id: string; readonly fingerprint: string }[],
): Promise<{ changed: number }> {
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
/** Once a device that uses it has let the new one in; an empty password keeps the stored one. */
export function changeCredential(credential: {
  readonly id: string;
  readonly label: string;
  readonly userName: string;
  readonly password: string;
}): Promise<ChangedCredential> {
  return api().credentials.change(credential);
}
export function assignCredential(
  credentialId: string | null,
  deviceIds: readonly string[],
): Promise<{ changed: number }> {
  return api().credentials.assign({ credentialId, deviceIds: [...deviceIds] });
}
export function assignCredentialTo(
  credentialId: string | null,
  scope: CredentialScope,
  deviceIds: readonly string[] = [],
): Promise<{ changed: number }> {
  return api().credentials.assignTo({ credentialId, scope, deviceIds: [...deviceIds] });
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
