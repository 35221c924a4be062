/** Says whether settings that are about to be written were others at an earlier time. */
import { findResource, getValueAt } from '#protocol/index.ts';
import type { PlanSection } from '#shared/model.ts';
import type { Store } from '../store/index.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { readDocumentValue } from './compare-documents.ts';
import { noteWritten, readDocumentsAt } from './document-versions.ts';

/**
 * Returns true if the device showed another value when the job was made than the one that it would now replace. What had not
 * been seen by then says nothing.
 */
export function isChangedSince(
  store: Store,
  { deviceId, jobId }: { readonly deviceId: string; readonly jobId: string },
  sections: readonly PlanSection[],
): boolean {
  const job = store.get<{ readonly at: string }>('SELECT created_at AS at FROM jobs WHERE id = ?', jobId);
  if (job === undefined) return false;
  noteWritten(store, deviceId);
  const seen = new Map(
    readDocumentsAt(store, deviceId, job.at).map(({ operation, params, text }) => [
      encodeCanonicalJson([operation, params]),
      text,
    ]),
  );
  return sections.some(({ set, params, changes }) => {
    const resource = findResource(set);
    const text = resource && seen.get(encodeCanonicalJson([resource.get.id, params]));
    const before = resource && text !== undefined ? readDocumentValue(resource, text) : undefined;
    if (before === undefined) return false;
    return changes.some(
      ({ path, from, sensitive }) =>
        sensitive !== true &&
        encodeCanonicalJson(getValueAt(before, path) ?? null) !== encodeCanonicalJson(from ?? null),
    );
  });
}
