import { collator } from '#renderer/common/devices/device-list.ts';
import type { HeadingRow, ListRow, RowGroup, SiteRow } from './site-rows.ts';

export const GROUPINGS = ['site', 'kind', 'tag', 'none'] as const;
type Grouping = (typeof GROUPINGS)[number];

interface GroupOptions {
  readonly by: Grouping;
  /** Ids of the sites, in the order of their names. */
  readonly sites: readonly string[];
  readonly folded: ReadonlySet<string>;
}

interface Groups {
  readonly named: Map<string, { readonly group: RowGroup; readonly members: ListRow[] }>;
  readonly rest: ListRow[];
}

/**
 * Groups rows: found devices first, the others by what was chosen, those without it last. A device with several tags has
 * a row below each of them.
 */
export function groupRows(rows: readonly ListRow[], { by, sites, folded }: GroupOptions): readonly SiteRow[] {
  const found: ListRow[] = [];
  const groups: Groups = { named: new Map(), rest: [] };
  if (by === 'site')
    for (const siteId of sites) groups.named.set(siteId, { group: { of: 'site', siteId }, members: [] });
  for (const row of rows) {
    if (row.kind === 'found') found.push(row);
    else place(row, by, groups);
  }
  const named = [...groups.named].filter(([, { members }]) => members.length > 0);
  if (by !== 'site') named.sort(([a], [b]) => collator.compare(a, b));
  const rest = { group: { of: restOf(by, named.length) }, members: groups.rest } as const;
  const filled = [
    { group: { of: 'found' } as RowGroup, members: found },
    ...named.map(([, each]) => each),
    rest,
  ].filter(({ members }) => members.length > 0);
  // One kind of rows alone needs no heading, unless it says that these are not added yet.
  if (filled.length === 1 && filled[0] === rest && rest.group.of === 'devices') return groups.rest;
  return filled.flatMap(({ group, members }): readonly SiteRow[] => {
    const key = `heading:${buildGroupKey(group)}`;
    const heading: HeadingRow = { kind: 'heading', key, group, members, folded: folded.has(key) };
    return heading.folded ? [heading] : [heading, ...members];
  });
}

function place(row: ListRow & { readonly kind: 'device' }, by: Grouping, { named, rest }: Groups): void {
  const { tags, kinds, siteId } = row.device;
  function put(key: string, group: RowGroup, member: ListRow): void {
    const known = named.get(key);
    if (known === undefined) named.set(key, { group, members: [member] });
    else known.members.push(member);
  }
  if (by === 'site' && siteId !== undefined && named.has(siteId)) named.get(siteId)?.members.push(row);
  else if (by === 'kind' && kinds.length > 0) put(kinds.join(' '), { of: 'kind', kinds }, row);
  else if (by === 'tag' && tags.length > 0)
    for (const tag of tags)
      put(tag, { of: 'tag', tag }, tags.length === 1 ? row : { ...row, key: `${row.key} ${tag}` });
  else rest.push(row);
}

function restOf(by: Grouping, named: number): 'devices' | 'no-site' | 'no-kind' | 'no-tag' {
  return by === 'none' || named === 0 ? 'devices' : `no-${by}`;
}

function buildGroupKey(group: RowGroup): string {
  switch (group.of) {
    case 'site':
      return `site ${group.siteId}`;
    case 'tag':
      return `tag ${group.tag}`;
    case 'kind':
      return `kind ${group.kinds.join(' ')}`;
    default:
      return group.of;
  }
}
