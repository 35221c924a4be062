/** Merges own templates: their versions are those of both sides, numbered by the time at which they were saved. */
import type { SiteFileConflict } from '#shared/site-file.ts';
import type { Columns, Store } from '../store/index.ts';
import { stageName } from './tables.ts';

interface Version {
  readonly saved_at: string;
  readonly by_user: string;
  readonly note: string | null;
  readonly hash: string;
  readonly name: string;
  readonly text: string;
}

const COLUMNS = 'saved_at, by_user, note, hash, name, text';
const ORDER = 'ORDER BY saved_at, hash';

export function mergeTemplates(store: Store): {
  readonly added: number;
  readonly merged: number;
  readonly conflicts: readonly SiteFileConflict[];
} {
  const conflicts: SiteFileConflict[] = [];
  let [added, merged] = [0, 0];
  for (const row of store.all<Columns & { readonly id: string }>(`SELECT * FROM ${stageName('templates')}`)) {
    const { id } = row;
    const of = (table: string): readonly Version[] =>
      store.all<Version>(`SELECT ${COLUMNS} FROM ${table} WHERE template_id = ? ${ORDER}`, id);
    const [ours, theirs] = [of('main.template_versions'), of(stageName('template_versions'))];
    const missing = theirs.filter((one) => !ours.some((other) => isSame(one, other)));
    if (missing.length === 0) continue;
    if (ours.length === 0) {
      store.insert('templates', row, 'ignore');
      added += 1;
    } else {
      merged += 1;
      conflicts.push(...findConflict(ours, theirs));
    }
    const all = [...ours, ...missing].sort((one, other) => (toKey(one) < toKey(other) ? -1 : 1));
    store.remove('template_versions', { template_id: id });
    for (const [nth, version] of all.entries())
      store.insert('template_versions', { template_id: id, version: nth + 1, ...version });
    const last = all.at(-1);
    if (last !== undefined)
      store.update('templates', { name: last.name, text: last.text, updated_at: last.saved_at }, { id });
  }
  return { added, merged, conflicts };
}

function isSame(one: Version, other: Version): boolean {
  return toKey(one) === toKey(other);
}

function toKey({ saved_at: at, hash }: Version): string {
  return `${at} ${hash}`;
}

/** Both sides saved a version that the other has not: the later one counts, the other stays among the versions. */
function findConflict(ours: readonly Version[], theirs: readonly Version[]): readonly SiteFileConflict[] {
  const [mine, other] = [ours.at(-1), theirs.at(-1)];
  if (mine === undefined || other === undefined || mine.hash === other.hash) return [];
  if (theirs.some((one) => isSame(one, mine)) || ours.some((one) => isSame(one, other))) return [];
  return [
    {
      what: 'template',
      name: mine.name,
      field: 'text',
      here: mine.by_user,
      file: other.by_user,
      hereAt: mine.saved_at,
      fileAt: other.saved_at,
      kept: toKey(other) > toKey(mine) ? 'file' : 'here',
    },
  ];
}
