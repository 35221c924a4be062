/** Finds the job that wrote the value which a device shows now. */
import { readOwnJson } from '#shared/read-json.ts';
import type { DriftedSetting } from '#shared/agreement.ts';
import type { Change, Params } from '#shared/model.ts';
import { getSettingPath } from '#protocol/index.ts';
import { selectContent } from '../jobs/job-columns.ts';
import type { Store } from '../store/index.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { getSectionKey } from '../template/document.ts';

type Shown = Pick<DriftedSetting, 'set' | 'params' | 'path' | 'changes'>;

interface WrittenRow {
  readonly job_id: string;
  readonly title: string;
  readonly by_user: string;
  readonly detail: string;
}

/** Returns a function that finds the last job which wrote a setting of the device, if it wrote what is shown. */
export function findAuthors(
  store: Store,
  deviceId: string,
): (setting: Shown) => NonNullable<DriftedSetting['changedBy']> | undefined {
  let rows: readonly WrittenRow[] | undefined;
  return ({ set, params, path, changes }) => {
    rows ??= store.all<WrittenRow>(
      `SELECT jobs.id AS job_id, title, by_user, ${selectContent('detail')} FROM job_devices JOIN jobs ON jobs.id = job_devices.job_id
         JOIN job_units ON job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
       WHERE device_id = ? AND attempts > 0 ORDER BY jobs.rowid DESC, idx DESC LIMIT 500`,
      deviceId,
    );
    for (const { job_id: jobId, title, by_user: user, detail } of rows) {
      const written = readOwnJson(detail) as {
        readonly set?: string;
        readonly params?: Params;
        readonly changes?: readonly Change[];
      };
      if (
        written.set === undefined ||
        getSectionKey(written.set, written.params ?? {}) !== getSectionKey(set, params)
      )
        continue;
      const own = (written.changes ?? []).filter((change) => getSettingPath(change.path) === path);
      if (own.length === 0) continue;
      const [first] = changes;
      const isShown =
        encodeCanonicalJson(own[0]?.list?.to ?? own[0]?.to) ===
        encodeCanonicalJson(first?.list?.from ?? first?.from);
      return isShown ? { jobId, title, user } : undefined;
    }
    return undefined;
  };
}
