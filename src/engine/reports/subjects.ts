/** Devices of a report: as the inventory knows them now, with what was read of them. */
import type { DevicesApi, SitesApi } from '../api/routes.ts';
import type { Subject } from './document.ts';
import type { Known, Readings } from './readings.ts';

interface SubjectsContext {
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly sites: Pick<SitesApi, 'list'>;
  readonly readings: Readings;
}

/** Devices whose readings are held at once. */
const MOST_HELD = 16;

/** Each once, in the order named. Throws `unknown-device`. */
export function getSubjects(
  deviceIds: readonly string[],
  { devices, sites, readings }: SubjectsContext,
): readonly Subject[] {
  const named = new Map(sites.list().map((site) => [site.id, site]));
  const held = new Map<string, Known>();
  const knownOf = (id: string): Known => {
    let known = held.get(id);
    if (known === undefined) {
      known = readings.known(id);
      held.set(id, known);
      const [oldest] = held.keys();
      if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest);
    }
    return known;
  };
  return [...new Set(deviceIds)].map((wanted) => {
    const { id, name, url, tags, siteId, identity } = devices.find(wanted);
    const site = siteId === undefined ? undefined : named.get(siteId);
    const about = { id, name, url, tags, site, identity };
    return Object.defineProperty(about, 'known', { get: () => knownOf(id), enumerable: true }) as Subject;
  });
}
