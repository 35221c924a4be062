/**
 * Texts that a search of the history looks into: one for a job, and one for each device that any job was
 * about.
 */
import type { Store } from '#engine/store/index.ts';
import { getUnitDetail, foldText } from '../job-columns.ts';
import type { DeviceEntry, JobEntry, UnitHistory } from '../types.ts';

/** Returns the search text of a job without its devices, whose texts are stored once for all jobs. */
export function searchTextOf(
  { id, title, devices }: Pick<JobEntry, 'id' | 'title' | 'devices'>,
  by: string,
  history: UnitHistory | undefined,
): string {
  const units = new Set(
    devices.flatMap((device) =>
      device.units.map(({ result }) =>
        `${history?.words?.(getUnitDetail(result)) ?? ''} ${result.label}`.trim(),
      ),
    ),
  );
  return foldText([title, by, id, ...units].join('\n'));
}

/** Adds the text once, however often it comes up: a job may be resumed many times. */
export function addSearchText(store: Store, jobId: string, text: string): void {
  const words = foldText(text);
  store.run(
    'UPDATE jobs SET search_text = search_text || char(10) || ? WHERE id = ? AND instr(search_text, ?) = 0',
    words,
    jobId,
    words,
  );
}

/** Returns the row of this device among those that any job was about; adds it if there is none. */
export function ensureJournalTarget(
  store: Store,
  { deviceId, name, url }: Pick<DeviceEntry, 'deviceId' | 'name' | 'url'>,
): number {
  const known = (): number | undefined =>
    store.get<{ readonly id: number }>(
      'SELECT id FROM journal_targets WHERE device_id = ? AND name = ? AND url = ?',
      deviceId,
      name,
      url,
    )?.id;
  const found = known();
  if (found !== undefined) return found;
  store.insert('journal_targets', {
    device_id: deviceId,
    name,
    url,
    search_text: targetText({ deviceId, name, url }),
  });
  return known() ?? 0;
}

function targetText({ deviceId, name, url }: Pick<DeviceEntry, 'deviceId' | 'name' | 'url'>): string {
  return foldText([name, url, deviceId].join('\n'));
}
