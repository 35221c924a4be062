import type { ConnectionProfile, Device, DeviceAdditions, DeviceImport } from '../../../shared/model.ts';
import { api } from '../../client/use-client.ts';

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
/** The same on many: tags not named stay. */
export interface ChangeOfMany {
  readonly addTags?: string[];
  readonly removeTags?: string[];
  /** Null: without a site. */
  readonly siteId?: string | null;
  /** Settings of this connection profile instead of their own. */
  readonly profileId?: string;
}
export interface DeviceChange {
  readonly id: string;
  readonly name?: string;
  readonly tags?: string[];
  readonly siteId?: string | null;
  readonly address?: string;
  /** Takes over this connection profile; `profile` then says what differs from it. */
  readonly profileId?: string;
  readonly profile?: Partial<Pick<ConnectionProfile, 'pathPrefix' | 'auth'>>;
}

export function addDevice(device: NewDevice): Promise<Device> {
  return api().devices.add(device);
}
/** Those refused come back with the reason. */
export function addDevices(devices: NewDevice[]): Promise<DeviceAdditions> {
  return api().devices.addMany({ devices });
}
export function updateDevices(ids: string[], change: ChangeOfMany): Promise<{ changed: number }> {
  return api().devices.updateMany({ ids, ...change });
}
export function updateDevice(change: DeviceChange): Promise<Device> {
  return api().devices.update(change);
}
export function removeDevices(ids: string[]): Promise<{ removed: number }> {
  return api().devices.remove({ ids });
}
/** Rows that were not added come back with the reason. */
export function importDevices(file: {
  readonly text: string;
  readonly tags?: string[];
  readonly siteId?: string;
}): Promise<DeviceImport> {
  return api().devices.importCsv(file);
}
export function startSimulatedSite(devices: number): Promise<{ added: number }> {
  return api().app.startSimulatedSite({ devices });
}
