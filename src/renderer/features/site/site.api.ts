import type { Credential, Device, DeviceTest } from '../../../shared/model.ts';
import { api } from '../../composables/use-client.ts';

export interface NewDevice {
  readonly address: string;
  readonly name?: string;
  readonly credentialId?: string;
  readonly profile?: { readonly pathPrefix?: string };
}
export interface NewCredential {
  /** Changes this one instead of adding another. */
  readonly id?: string;
  readonly label: string;
  readonly userName: string;
  readonly password: string;
  readonly deviceIds?: string[];
}

export function addDevice(device: NewDevice): Promise<Device> {
  return api().devices.add(device);
}
export function updateDevice(change: { readonly id: string; readonly name?: string; readonly tags?: string[]; readonly profile?: { readonly pathPrefix?: string } }): Promise<Device> {
  return api().devices.update(change);
}
export function removeDevices(ids: string[]): Promise<{ removed: number }> {
  return api().devices.remove({ ids });
}
/** One sign-in attempt each; the engine never repeats it by itself. */
export function testDevices(ids: string[]): Promise<readonly DeviceTest[]> {
  return api().devices.test({ ids });
}
export function listCredentials(): Promise<readonly Credential[]> {
  return api().credentials.list();
}
export function saveCredential(credential: NewCredential): Promise<Credential> {
  return api().credentials.save(credential);
}
export function assignCredential(credentialId: string | null, deviceIds: string[]): Promise<{ changed: number }> {
  return api().credentials.assign({ credentialId, deviceIds });
}
export function startSimulatedSite(devices: number): Promise<{ added: number }> {
  return api().app.startSimulatedSite({ devices });
}
