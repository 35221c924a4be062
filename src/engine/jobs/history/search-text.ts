/** What a search of the history looks into: one text a job, and one a device that any job was about. */
import type { Store } from '#engine/store/index.ts';
import { detailOf, foldText } from '../job-columns.ts';
import type { DeviceEntry, JobEntry, UnitHistory } from '../types.ts';

/** Everything of a job but its devices, which stand once for all jobs. */
export function searchTextOf(
  { id, title, devices }: Pick<JobEntry, 'id' | 'title' | 'devices'>,
  by: string,
  history: UnitHistory | undefined,
): string {
  const units = new Set(
    devices.flatMap((device) =>
      device.units.map(({ result }) => `${history?.words?.(detailOf(result)) ?? ''} ${result.label}`.trim()),
    ),
  );
  return foldText([title, by, id, ...units].join('\n'));
}

/** Once, however often it comes up: a job may be resumed many times. */
export function addSearchText(store: Store, jobId: string, text: string): void {
  const words = foldText(text);
  store.run(
    'UPDATE jobs SET search_text = search_text || char(10) || ? WHERE id = ? AND instr(search_text, ?) = 0',
    words,
    jobId,
    words,
  );
}

/** The row of this device among those that any job was about. */
export function targetOf(
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

/** Before a text that is not folded yet. */
const UNFOLDED = '\t';

interface OldJob {
  readonly id: string;
  readonly text: string;
}
interface OldTarget {
  readonly id: number;
  readonly device_id: string;
  readonly name: string;
  readonly url: string;
}

/** For what an older version wrote: SQLite by itself knows no case but that of A to Z. */
export function fillSearchTexts(store: Store): void {
  const jobs = store.all<OldJob>(
    'SELECT id, search_text AS text FROM jobs WHERE substr(search_text, 1, 1) = ?',
    UNFOLDED,
  );
  const targets = store.all<OldTarget>(
    "SELECT id, device_id, name, url FROM journal_targets WHERE search_text = ''",
  );
  if (jobs.length + targets.length === 0) return;
  store.transaction(() => {
    for (const { id, text } of jobs)
      store.update('jobs', { search_text: foldText(text.slice(UNFOLDED.length)) }, { id });
    for (const { id, device_id: deviceId, name, url } of targets)
      store.update('journal_targets', { search_text: targetText({ deviceId, name, url }) }, { id });
  });
}
