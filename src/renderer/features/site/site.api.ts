import type { Device, DeviceImport } from '../../../shared/model.ts';
import { api } from '../../composables/use-client.ts';

export interface NewDevice {
  readonly address: string;
  readonly name?: string;
  readonly tags?: string[];
  readonly siteId?: string;
  readonly credentialId?: string;
  readonly profileId?: string;
  /** Who discovery says it is. */
  readonly identity?: string;
  readonly profile?: { readonly pathPrefix?: string; readonly namespace?: string };
}
export interface DeviceChange {
  readonly id: string;
  readonly name?: string;
  readonly tags?: string[];
  readonly siteId?: string | null;
  readonly profile?: { readonly pathPrefix?: string };
}

export function addDevice(device: NewDevice): Promise<Device> {
  return api().devices.add(device);
}
export function updateDevice(change: DeviceChange): Promise<Device> {
  return api().devices.update(change);
}
export function removeDevices(ids: string[]): Promise<{ removed: number }> {
  return api().devices.remove({ ids });
}
/** Rows that were not added come back with the reason. */
export function importDevices(file: { readonly text: string; readonly tags?: string[]; readonly siteId?: string }): Promise<DeviceImport> {
  return api().devices.importCsv(file);
}
export function startSimulatedSite(devices: number): Promise<{ added: number }> {
  return api().app.startSimulatedSite({ devices });
}
