/** Fingerprints that follow people onto another device, once these are proven to be there: the last unit of a copy of people. */
import type { Finder } from '../jobs/locate-device.ts';
import type { Following } from '../people/people-kind.ts';
import { deliver } from './deliver.ts';
import { runLane } from './lane.ts';
import type { PrintRows } from './print-rows.ts';
import { DeviceSource } from './source.ts';

/**
 * Creates the follower. Each fingerprint goes to the readers that it has at its source, and is asked for
 * afterwards; templates stay in memory.
 */
export function createFingerprintFollower(rows: PrintRows, finder: Finder): Following {
  const sources = new Map<string, DeviceSource>();
  return {
    ended: (jobId) => void sources.delete(jobId),
    async follow({ fromId, place, people, isThere }, { job, clients, clock, begin, progress }) {
      rows.open(job.id, { sealed: false });
      const known = sources.get(job.id);
      const source =
        known ??
        new DeviceSource({
          rows,
          jobId: job.id,
          client: clients.get(fromId),
          clock,
          device: finder.find(fromId).url,
          people,
        });
      sources.set(job.id, source);
      rows.reopen(job.id, place.position);
      await begin();
      const client = clients.get(place.deviceId);
      return runLane(
        {
          rows,
          jobId: job.id,
          position: place.position,
          source,
          inFlight: finder.find(place.deviceId).profile.inFlight,
          stopped: job.stopped,
          progress,
          work: async (item, turn) => {
            // The result of the person there is reported with the people.
            if (!isThere(item.employeeNo)) return { readers: [] };
            return deliver({
              ...turn,
              client,
              clock,
              device: place.url,
              stopped: job.stopped,
              item,
              readers: item.readers ?? [],
              template: () => source.template(item),
              checkPerson: true,
              verify: true,
            });
          },
        },
        source.fill(job.stopped),
      );
    },
  };
}
