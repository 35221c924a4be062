/** Devices of a report: as the inventory knows them now, with what was read of them. */
import { defined } from '../../shared/defined.ts';
import type { DevicesApi, SitesApi } from '../api.ts';
import type { Subject } from './document.ts';
import type { Readings } from './readings.ts';

export interface SubjectsContext {
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly sites: Pick<SitesApi, 'list'>;
  readonly readings: Readings;
}

/** Each once, in the order named. Throws `unknown-device`. */
export function subjectsOf(
  deviceIds: readonly string[],
  { devices, sites, readings }: SubjectsContext,
): readonly Subject[] {
  const named = new Map(sites.list().map((site) => [site.id, site]));
  return [...new Set(deviceIds)].map((wanted) => {
    const { id, name, url, tags, siteId } = devices.find(wanted);
    const site = siteId === undefined ? undefined : named.get(siteId);
    return { id, name, url, tags, known: readings.known(id), ...defined({ site }) };
  });
}
