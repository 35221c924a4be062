import { searchText, searchWords } from '#renderer/common/devices/device-list.ts';
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { isInState, isOther, ROW_STATES, type ListRow, type RowState } from './site-rows.ts';

/** Conditions that the list is narrowed to. Of several values of one part any will do; an empty part takes all. */
export interface RowFilter {
  readonly search: string;
  readonly kinds: readonly DeviceKind[];
  readonly states: readonly RowState[];
  /** Ids of sites; `none`: devices without one. */
  readonly sites: readonly string[];
  readonly tags: readonly string[];
}
export const NO_FILTER: RowFilter = { search: '', kinds: [], states: [], sites: [], tags: [] };

/** Names of the parts of a filter in the address of the list. */
const QUERY = { kinds: 'kind', states: 'state', sites: 'site', tags: 'tag' } as const;
const PARTS = ['kinds', 'states', 'sites', 'tags'] as const;
/** Values of one part at most: an address may come from anywhere. */
const MOST = 50;

type Query = Readonly<Record<string, string | readonly (string | null)[] | null | undefined>>;

export function toQuery(filter: RowFilter): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  if (filter.search.trim() !== '') query['q'] = filter.search.trim();
  for (const part of PARTS) if (filter[part].length > 0) query[QUERY[part]] = [...filter[part]];
  return query;
}

/** Reads a filter from an address; what no filter can hold is left out. */
export function readQuery(query: Query): RowFilter {
  const values = (name: string): readonly string[] =>
    [query[name] ?? []]
      .flat()
      .filter((value) => value !== null)
      .slice(0, MOST);
  return {
    search: (values('q')[0] ?? '').slice(0, 200),
    kinds: DEVICE_KINDS.filter((kind) => values(QUERY.kinds).includes(kind)),
    states: ROW_STATES.filter((state) => values(QUERY.states).includes(state)),
    sites: values(QUERY.sites),
    tags: values(QUERY.tags),
  };
}

/** Returns whether an address says anything about the filter. */
export function hasFilter(query: Query): boolean {
  return ['q', ...Object.values(QUERY)].some((name) => query[name] !== undefined);
}
export function isSameFilter(a: RowFilter, b: RowFilter): boolean {
  return JSON.stringify(toQuery(a)) === JSON.stringify(toQuery(b));
}

/** Rows are new objects whenever they change, so what was put together for one holds for good. */
const texts = new WeakMap<ListRow, string>();

function getText(row: ListRow): string {
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
function belongs(row: ListRow, { kinds, sites, tags }: RowFilter): boolean {
  if (row.kind === 'found') return kinds.length === 0 && tags.length === 0;
  const { device } = row;
  return (
    (kinds.length === 0 || device.kinds.some((kind) => kinds.includes(kind))) &&
    (tags.length === 0 || device.tags.some((tag) => tags.includes(tag))) &&
    (sites.length === 0 || sites.includes(device.siteId ?? 'none'))
  );
}

/** `withOthers`: also printers and other web services. */
export function filterRows(
  rows: readonly ListRow[],
  filter: RowFilter,
  withOthers = false,
): readonly ListRow[] {
  const words = searchWords(filter.search);
  const { states } = filter;
  return rows.filter(
    (row) =>
      (withOthers || !isOther(row)) &&
      belongs(row, filter) &&
      (states.length === 0 || states.some((state) => isInState(row, state))) &&
      (words.length === 0 || words.every((word) => getText(row).includes(word))),
  );
}
