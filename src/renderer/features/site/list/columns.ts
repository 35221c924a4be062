/** Columns of the list and their order; kept on this computer. */
import { shallowRef, watch } from 'vue';
import { readPreference, remember } from '#renderer/composables/preferences.ts';

export const LIST_COLUMNS = ['address', 'kinds', 'tags', 'site', 'signInFrom', 'lastSeen', 'state'] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

/** Width in px, and how much a column is missed in a narrow window: the highest goes first. */
export const COLUMN_SIZES: Readonly<Record<ListColumn, { readonly width: number; readonly missed: number }>> =
  {
    state: { width: 160, missed: 0 },
    address: { width: 170, missed: 1 },
    kinds: { width: 110, missed: 2 },
    tags: { width: 190, missed: 3 },
    site: { width: 140, missed: 4 },
    lastSeen: { width: 110, missed: 5 },
    signInFrom: { width: 140, missed: 6 },
  };
const NAME_WIDTH = 210;

const STANDARD: readonly ListColumn[] = ['address', 'kinds', 'tags', 'state'];

/** Reads a stored choice: unknown and repeated names are left out, the state is always there. */
export function readColumns(stored: string | null): readonly ListColumn[] {
  if (stored === null) return STANDARD;
  const known = [...new Set(stored.split(' '))].filter((name): name is ListColumn =>
    (LIST_COLUMNS as readonly string[]).includes(name),
  );
  return known.includes('state') ? known : [...known, 'state'];
}

/** Returns the columns with one of them put where another one is. */
export function moveColumn(
  columns: readonly ListColumn[],
  from: ListColumn,
  to: ListColumn,
): readonly ListColumn[] {
  const at = columns.indexOf(to);
  const rest = columns.filter((name) => name !== from);
  return at < 0 || rest.length === columns.length ? columns : rest.toSpliced(at, 0, from);
}

/** Returns the least width of the list at which a column is shown, besides those that are missed more. */
export function findDropWidth(
  columns: readonly ListColumn[],
  column: ListColumn,
  selectWidth: number,
): number {
  const { missed } = COLUMN_SIZES[column];
  if (missed === 0) return 0;
  return columns
    .filter((name) => COLUMN_SIZES[name].missed <= missed)
    .reduce((sum, name) => sum + COLUMN_SIZES[name].width, NAME_WIDTH + selectWidth);
}

const KEY = 'list-columns';
const DENSITY = 'list-density';
const GROUPS = 'list-groups';

type Density = 'compact' | 'comfortable';

export function createListLook<G extends string>(groupings: readonly G[], standard: G) {
  const columns = shallowRef(readColumns(readPreference(KEY)));
  const density = shallowRef<Density>(readPreference(DENSITY) === 'comfortable' ? 'comfortable' : 'compact');
  const stored = readPreference(GROUPS);
  const grouping = shallowRef<G>(groupings.find((each) => each === stored) ?? standard);
  watch(columns, (now) => remember(KEY, now.join(' ')));
  watch(density, (now) => remember(DENSITY, now));
  watch(grouping, (now) => remember(GROUPS, now));
  return { columns, density, grouping };
}
