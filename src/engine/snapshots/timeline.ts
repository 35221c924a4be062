/** Lists what changed on a device: what jobs wrote, and what was changed outside of Fieldwright between two looks. */
import type { ChangeEntry } from '#shared/history.ts';
import type { TimelineEntry } from '#shared/snapshots.ts';
import { compareDocuments, findDocumentResource } from './compare-documents.ts';
import { encodeSide } from '../planning/pure/drift.ts';
import { getSectionKey } from '../template/document.ts';
import { compareText, encodeCanonicalJson } from '../text/canonical-json.ts';
import type { DocumentVersion } from './document-versions.ts';

/** Returns the entries, newest first. `written`: what jobs wrote to the device. */
export function buildTimeline(
  versions: readonly DocumentVersion[],
  written: readonly ChangeEntry[],
): readonly TimelineEntry[] {
  const byPlace = Map.groupBy(written, ({ set, params, path }) => settingKey({ set, params, path }));
  const outside = [...Map.groupBy(versions, placeOfVersion).values()].flatMap((own) =>
    own.slice(1).flatMap((after, nth): readonly TimelineEntry[] => {
      const before = own[nth];
      return before === undefined ? [] : compareVersions(before, after, byPlace);
    }),
  );
  return [...written.map(toEntry), ...outside].sort((a, b) => compareText(b.at, a.at));
}

function toEntry({
  at,
  set,
  label,
  params,
  path,
  changes,
  jobId: id,
  title,
  by: user,
}: ChangeEntry): TimelineEntry {
  return { at, set, label, params, path, changes, job: { id, title, user } };
}

function placeOfVersion({ operation, params }: DocumentVersion): string {
  return encodeCanonicalJson([operation, params]);
}

function settingKey({ set, params, path }: Pick<TimelineEntry, 'set' | 'params' | 'path'>): string {
  return `${getSectionKey(set, params)} ${path}`;
}

/** Compares two documents of a setting; what a job wrote between them is its own entry already. */
function compareVersions(
  before: DocumentVersion,
  after: DocumentVersion,
  written: ReadonlyMap<string, readonly ChangeEntry[]>,
): readonly TimelineEntry[] {
  const resource = findDocumentResource(before);
  if (resource === undefined) return [];
  return compareDocuments(resource, before.text(), after.text()).settings.flatMap(({ path, changes }) => {
    const entry = {
      at: after.at,
      after: before.until,
      set: resource.name,
      label: resource.get.label,
      params: after.params,
      path,
      changes,
    };
    const job = written.get(settingKey(entry))?.find(({ at }) => at >= before.at && at <= after.at);
    return job !== undefined && encodeSide(job.changes, 'to') === encodeSide(changes, 'to') ? [] : [entry];
  });
}
