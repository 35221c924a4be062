import { searchText, searchWords } from '#renderer/common/devices/device-list.ts';
import type { DeviceKind } from '#shared/model.ts';
import {
  isInState,
  isOther,
  type HeadingRow,
  type ListRow,
  type RowGroup,
  type RowState,
  type SiteRow,
} from './site-rows.ts';

export interface RowFilter {
  readonly search: string;
  readonly kind: DeviceKind | 'all';
  readonly state: RowState | 'all';
  /** A site's id; `none`: devices without one. */
  readonly site: string;
  readonly tag: string;
}
export const NO_FILTER: RowFilter = { search: '', kind: 'all', state: 'all', site: 'all', tag: '' };

/** Rows are new objects whenever they change, so what was put together for one holds for good. */
const texts = new WeakMap<ListRow, string>();

function textOf(row: ListRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const { sighting } = row;
  const seen =
    sighting === undefined
      ? []
      : [sighting.name, sighting.url, sighting.previousUrl ?? '', ...sighting.addresses];
  const text = `${row.kind === 'device' ? searchText(row.device) : ''} ${seen.join(' ').toLowerCase()}`;
  texts.set(row, text);
  return text;
}

/**
 * Returns whether a row matches the filter. Found rows belong to no site yet and match any, so that they can
 * be added there.
 */
function belongs(row: ListRow, { kind, site, tag }: RowFilter): boolean {
  if (row.kind === 'found') return kind === 'all' && tag === '';
  const { device } = row;
  if (kind !== 'all' && !device.kinds.includes(kind)) return false;
  if (tag !== '' && !device.tags.includes(tag)) return false;
  return site === 'all' || (device.siteId ?? 'none') === site;
}

/** `withOthers`: also printers and other web services. */
export function filterRows(
  rows: readonly ListRow[],
  filter: RowFilter,
  withOthers = false,
): readonly ListRow[] {
  const words = searchWords(filter.search);
  const { state } = filter;
  return rows.filter(
    (row) =>
      (withOthers || !isOther(row)) &&
      belongs(row, filter) &&
      (state === 'all' || isInState(row, state)) &&
      (words.length === 0 || words.every((word) => textOf(row).includes(word))),
  );
}

/**
 * Groups rows: found devices first; with `siteOrder` the others by site in that order, those without one
 * last.
 */
export function groupRows(
  rows: readonly ListRow[],
  siteOrder: readonly string[] | undefined,
): readonly SiteRow[] {
  const found: ListRow[] = [];
  const bySite = new Map<string, ListRow[]>((siteOrder ?? []).map((id) => [id, []]));
  const rest: ListRow[] = [];
  for (const row of rows) {
    if (row.kind === 'found') found.push(row);
    else (bySite.get(row.device.siteId ?? '') ?? rest).push(row);
  }
  const groups: [RowGroup, ListRow[]][] = [
    [{ of: 'found' }, found],
    ...[...bySite].map(([siteId, members]): [RowGroup, ListRow[]] => [{ of: 'site', siteId }, members]),
    [{ of: siteOrder === undefined ? 'devices' : 'no-site' }, rest],
  ];
  const filled = groups.filter(([, members]) => members.length > 0);
  // One kind of rows alone needs no heading, unless it says that these are not added yet.
  if (filled.length === 1 && filled[0]?.[0].of === 'devices') return rest;
  return filled.flatMap(([group, members]): readonly SiteRow[] => [
    headingOf(group, members.length),
    ...members,
  ]);
}

function headingOf(group: RowGroup, count: number): HeadingRow {
  return {
    kind: 'heading',
    key: `heading:${group.of}${group.of === 'site' ? group.siteId : ''}`,
    group,
    count,
  };
}
