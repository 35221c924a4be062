/** Documents that devices showed after jobs had written them, read from the journal. */
import { readOwnJson } from '#shared/read-json.ts';
import type { Params } from '#shared/model.ts';
import type { SnapshotDocument } from '#shared/snapshots.ts';
import { findResource, redactBody } from '#protocol/index.ts';
import { selectContent, type Content } from '../jobs/job-columns.ts';
import type { Store } from '../store/index.ts';

interface WrittenRow {
  readonly detail: string;
  readonly at: string;
  readonly sent: Content | null;
  readonly after: Content | null;
}

/**
 * Lists those written after a time, the oldest first. Where the device showed exactly what was sent, that is it. Documents with
 * secrets are sealed in the journal and stay there.
 */
export function readWrittenDocuments(
  store: Store,
  deviceId: string,
  after: string,
): readonly SnapshotDocument[] {
  const rows = store.all<WrittenRow>(
    `SELECT ${selectContent('detail')}, result_at AS at, ${selectContent('sent_document', 'sent')}, ${selectContent('after_document', 'after')}
     FROM job_devices JOIN job_units ON job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
     WHERE device_id = ? AND outcome = 'effective' AND sent_document IS NOT NULL AND result_at > ?
     ORDER BY result_at`,
    deviceId,
    after,
  );
  return rows.flatMap(({ detail, at: since, sent, after: shown }) => {
    const { set, params = {} } = readOwnJson(detail) as { readonly set?: string; readonly params?: Params };
    const resource = set === undefined ? undefined : findResource(set);
    const text = shown ?? sent;
    if (resource === undefined || typeof text !== 'string') return [];
    const { id: operation, response: payload } = resource.get;
    return [
      {
        operation,
        params,
        since,
        until: since,
        text: redactBody(text, { sensitive: true, payload }),
      },
    ];
  });
}
