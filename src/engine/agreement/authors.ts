/** Finds the job that wrote the value which a device shows now. */
import type { DriftedSetting } from '#shared/agreement.ts';
import type { ChangeEntry } from '#shared/history.ts';
import { encodeSide } from '../planning/pure/drift.ts';
import { getSectionKey } from '../template/document.ts';

type Shown = Pick<DriftedSetting, 'set' | 'params' | 'path' | 'changes'>;

/** Returns the last job that wrote the setting, if it wrote what is shown. `written`: what jobs wrote to the device, newest first. */
export function findAuthor(
  written: readonly ChangeEntry[],
  { set, params, path, changes }: Shown,
): DriftedSetting['changedBy'] {
  const place = getSectionKey(set, params);
  const last = written.find(
    (entry) => entry.path === path && getSectionKey(entry.set, entry.params) === place,
  );
  return last !== undefined && encodeSide(last.changes, 'to') === encodeSide(changes, 'from')
    ? { jobId: last.jobId, title: last.title, user: last.by }
    : undefined;
}
