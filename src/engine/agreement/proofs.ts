/** Reads from the journal when the settings of devices were last proved, accepted or undone. */
import { readOwnJson } from '#shared/read-json.ts';
import type { Params } from '#shared/model.ts';
import { selectContent } from '../jobs/job-columns.ts';
import type { Store } from '../store/index.ts';
import { getSectionKey } from '../template/document.ts';
import { PROVED } from './agreed-sections.ts';

/** Times in ISO 8601. */
export interface Proof {
  /** Time at which a job last proved a setting, or a person accepted one. */
  readonly provedAt?: string;
  readonly undoneAt?: string;
}

/** Devices without an agreement are not in the map. */
export function readProofs(store: Store, deviceIds: readonly string[]): ReadonlyMap<string, Proof> {
  const rows = store.all<{
    readonly device_id: string;
    readonly proved: string | null;
    readonly undone: string | null;
  }>(
    `SELECT device_id, max(proved) AS proved, max(undone) AS undone FROM (
       SELECT device_id, iif(undo_of IS NULL, at, NULL) AS proved, iif(undo_of IS NULL, NULL, at) AS undone FROM (
         SELECT device_id, kind, undo_of, coalesce(result_at, created_at) AS at, ${selectContent('detail')}
         FROM job_devices JOIN jobs ON jobs.id = job_devices.job_id
           JOIN job_units ON job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
         WHERE device_id IN (SELECT value FROM json_each(?1)) AND outcome IN ${PROVED}
       ) WHERE kind IN ('apply', 'undo') OR json_array_length(detail, '$.changes') > 0
       UNION ALL SELECT device_id, at, NULL FROM accepted_values WHERE device_id IN (SELECT value FROM json_each(?1))
     ) GROUP BY device_id HAVING max(proved) IS NOT NULL`,
    JSON.stringify(deviceIds),
  );
  return new Map(
    rows.map(({ device_id: id, proved, undone }) => [
      id,
      { ...(proved !== null && { provedAt: proved }), ...(undone !== null && { undoneAt: undone }) },
    ]),
  );
}

/** Returns the sections of a device that jobs proved after that time. */
export function readProvedPlaces(store: Store, deviceId: string, after: string): ReadonlySet<string> {
  const rows = store.all<{ readonly detail: string }>(
    `SELECT ${selectContent('detail')} FROM job_devices JOIN jobs ON jobs.id = job_devices.job_id
       JOIN job_units ON job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
     WHERE device_id = ? AND undo_of IS NULL AND outcome IN ${PROVED} AND coalesce(result_at, created_at) > ?`,
    deviceId,
    after,
  );
  return new Set(
    rows.map(({ detail }) => {
      const { set = '', params = {} } = readOwnJson(detail) as {
        readonly set?: string;
        readonly params?: Params;
      };
      return getSectionKey(set, params);
    }),
  );
}
