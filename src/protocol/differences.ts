/**
 * Changes of a section as people read them: a week by its days, regions by their outlines, everything else field by field.
 * The plan, results, history, undo and the command line show the same.
 */
import { createDetail, type Detail } from '#shared/details.ts';
import type { Change, ChangedList } from '#shared/model.ts';
import { isCorner, readPoints, type Point } from './corners.ts';
import type { ListField } from './definition.ts';
import { changeLabel, findSectionField, formatComposite, type FieldLabels } from './field-labels.ts';
import { listFieldsBelow } from './fields/field-at.ts';
import { appendIndex, isWithin, joinPath, toGeneralPath } from './fields/path.ts';
import { getValueAt, setAt } from './fields/values.ts';
import { getFreeNumber, readPartKey } from './list-parts.ts';
import { isPlain } from './value.ts';
import { DAYS, findWeekShape, formatTimeOfDay, type Period } from './week-shape.ts';

export interface WeekDay {
  /** 1 is Monday. */
  readonly day: number;
  readonly from: readonly Period[];
  readonly to: readonly Period[];
  readonly isChanged: boolean;
}
export interface WeekDifference {
  readonly kind: 'week';
  readonly path: string;
  /** English name of the list. */
  readonly label: string;
  /** All seven, Monday first. */
  readonly days: readonly WeekDay[];
}
export interface RegionsDifference {
  readonly kind: 'regions';
  readonly path: string;
  /** English name of the list. */
  readonly label: string;
  readonly corners: ListField;
  /** Each region with its corners before and after; `change` names it if it changes. */
  readonly regions: readonly {
    readonly name: string;
    readonly change?: Pick<Change, 'path' | 'label' | 'items'>;
    readonly from: readonly Point[];
    readonly to: readonly Point[];
  }[];
}
export type Difference =
  { readonly kind: 'setting'; readonly change: Change } | WeekDifference | RegionsDifference;

/** Groups the changes of a section of that name. Changes that no picture says completely stay beside it. */
export function groupChanges(set: string, changes: readonly Change[]): readonly Difference[] {
  const taken = new Set<Change>();
  return changes.flatMap((change): readonly Difference[] => {
    if (taken.has(change)) return [];
    const list = findChangedList(set, change);
    const inside = list && changes.filter(({ path }) => isWithin(path, list.path));
    const found = list && inside && (toWeek(set, list, inside) ?? toRegions(set, list, inside));
    if (found === undefined) return [{ kind: 'setting', change }];
    for (const one of found.said) taken.add(one);
    for (const one of inside ?? []) taken.add(one);
    return [found.picture, ...found.left.map((one): Difference => ({ kind: 'setting', change: one }))];
  });
}

interface Found {
  readonly picture: Difference;
  /** Changes that the picture says. */
  readonly said: readonly Change[];
  /** Changes of the list that it does not. */
  readonly left: readonly Change[];
}

/** The list that a change carries, or that it adds or removes as a whole. */
function findChangedList(set: string, { path, from, to, list, sensitive }: Change): ChangedList | undefined {
  if (list !== undefined) return list;
  if (sensitive === true || (!Array.isArray(from) && !Array.isArray(to))) return undefined;
  if (findSectionField(set, path)?.kind !== 'list') return undefined;
  const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return { path, from: items(from), to: items(to) };
}

function toWeek(set: string, list: ChangedList, inside: readonly Change[]): Found | undefined {
  const field = findSectionField(set, list.path);
  const shape = field?.kind === 'list' ? findWeekShape(field, list.from) : undefined;
  if (shape === undefined || field?.kind !== 'list') return undefined;
  const [from, to] = [list.from, list.to].map((items) => items.map((item) => shape.read(item)));
  if (from === undefined || to === undefined) return undefined;
  // Periods past midnight, and those that no screen could draw, are shown field by field.
  if ([...from, ...to].some((period) => period === undefined)) return undefined;
  const on = (day: number, periods: typeof from): readonly Period[] =>
    periods
      .filter((period) => period !== undefined)
      .filter((period) => period.day === day)
      .sort((one, other) => one.from - other.from);
  const days = DAYS.map((day): WeekDay => {
    const [before, after] = [on(day, from), on(day, to)];
    return { day, from: before, to: after, isChanged: formatTimes(before) !== formatTimes(after) };
  });
  const changed = new Set(days.filter(({ isChanged }) => isChanged).map(({ day }) => day));
  const isSaid = ({ path, from: old, to: now }: Change): boolean => {
    if (path === list.path) return true;
    const inItem = path.slice(list.path.length).replace(/^\[\d+\]\.?/, '');
    if (inItem === getFreeNumber(field)) return true;
    if (inItem !== '') return shape.paths.some((known) => isWithin(inItem, known));
    const period = shape.read(old ?? now);
    return period !== undefined && changed.has(period.day);
  };
  const said = inside.filter(isSaid);
  return changed.size === 0
    ? undefined
    : {
        picture: { kind: 'week', path: list.path, label: field.label, days },
        said,
        left: inside.filter((one) => !said.includes(one)),
      };
}

function toRegions(set: string, list: ChangedList, inside: readonly Change[]): Found | undefined {
  const field = findSectionField(set, list.path);
  if (field?.kind !== 'list') return undefined;
  const own = isCorner(field.item);
  const inner = own
    ? { field, path: '' }
    : listFieldsBelow(field.item).find(
        (one) => one.field.kind === 'list' && isCorner(one.field.item) && !one.path.includes('['),
      );
  if (inner?.field.kind !== 'list') return undefined;
  const corners = inner.field;
  const cornersOf = (item: unknown): readonly Point[] => readPoints(getValueAt(item, inner.path));
  const isOutline = ({ path }: Change): boolean =>
    own || toGeneralPath(path.slice(list.path.length)).startsWith(joinPath('[]', inner.path));
  const isWhole = ({ path }: Change): boolean => /^\[\d+\]$/.test(path.slice(list.path.length));
  if (!inside.some((one) => isOutline(one) || isWhole(one))) return undefined;
  const regions = own
    ? [
        regionOf(
          set,
          { name: '', path: list.path, from: readPoints(list.from), to: readPoints(list.to) },
          inside,
        ),
      ]
    : listKeys(field, list).map((key) => {
        const find = (items: readonly unknown[]): unknown =>
          items.find((item) => readPartKey(field, item) === key);
        const at = list.to.findIndex((item) => readPartKey(field, item) === key);
        const [from, to] = [cornersOf(find(list.from)), cornersOf(find(list.to))];
        const path = appendIndex(list.path, at < 0 ? list.from.indexOf(find(list.from)) : at);
        return regionOf(set, { name: key, path, from, to }, inside);
      });
  const without = (value: unknown): unknown => (isPlain(value) ? setAt(value, inner.path, undefined) : value);
  const left = inside
    .filter((one) => !isOutline(one) || (isWhole(one) && !own))
    .map((one) => (isWhole(one) ? { ...one, from: without(one.from), to: without(one.to) } : one));
  return {
    picture: { kind: 'regions', path: list.path, label: field.label, corners, regions },
    said: inside,
    left: left.map(({ list: _list, ...one }) => one),
  };
}

function listKeys(field: ListField, { from, to }: ChangedList): readonly string[] {
  const keys = [...from, ...to].map((item) => readPartKey(field, item));
  return [...new Set(keys.filter((key) => key !== undefined))];
}

type Region = RegionsDifference['regions'][number];

function regionOf(
  set: string,
  region: Omit<Region, 'change'> & { readonly path: string },
  inside: readonly Change[],
): Region {
  const { path, ...drawn } = region;
  if (JSON.stringify(drawn.from) === JSON.stringify(drawn.to)) return drawn;
  const known = inside.find((one) => isWithin(one.path, path));
  const label = findSectionField(set, path)?.label ?? path;
  const { items } = known ?? {};
  return { ...drawn, change: { path, label, ...(items !== undefined && { items }) } };
}

/** `06:30–22:00, 23:00–24:00`; empty if there is no period. */
export function formatTimes(periods: readonly Period[]): string {
  return periods.map(({ from, to }) => `${formatTimeOfDay(from)}–${formatTimeOfDay(to)}`).join(', ');
}

interface DifferenceWords {
  readonly words: FieldLabels;
  /** Language tag: `zh-CN`. */
  readonly language: string;
  readonly say: (detail: Detail) => string;
}

/**
 * Returns a week in words, one text for all days with which the same happens: `Tuesday 06:30–22:00 → 06:00–23:00`,
 * `Monday and Wednesday to Sunday removed`.
 */
export function describeWeek(
  set: string,
  { days, path }: WeekDifference,
  { words, language, say }: DifferenceWords,
): readonly string[] {
  const text = (periods: readonly Period[]): string =>
    periods.map((period) => formatTimes([period]) + formatRest(set, path, period, words)).join(', ');
  const lines = new Map<string, { readonly from: string; readonly to: string; readonly days: number[] }>();
  for (const { day, from: before, to: after, isChanged } of days) {
    if (!isChanged) continue;
    const to = text(after);
    // Days that lose all periods share a line, whatever they had.
    const from = to === '' ? '' : text(before);
    const line = lines.get(`${from} ${to}`) ?? { from, to, days: [] };
    lines.set(`${from} ${to}`, line);
    line.days.push(day);
  }
  return [...lines.values()].map(({ from, to, days: alike }) => {
    const names = formatDays(alike, language, say);
    if (to === '') return say(createDetail('week-removed', { days: names }));
    return from === ''
      ? say(createDetail('week-added', { days: names, to }))
      : say(createDetail('week-changed', { days: names, from, to }));
  });
}

/** Returns what a period says besides its times, in brackets; empty if that is nothing. */
function formatRest(set: string, path: string, { item }: Period, words: FieldLabels): string {
  const field = findSectionField(set, path);
  const shape = field?.kind === 'list' ? findWeekShape(field) : undefined;
  if (field?.kind !== 'list' || shape === undefined) return '';
  const number = getFreeNumber(field);
  const rest = [...shape.paths, ...(number === undefined ? [] : [number])].reduce<unknown>(
    (left, known) => setAt(left, known, undefined),
    item,
  );
  const full = Object.entries(isPlain(rest) ? rest : {}).filter(
    ([, value]) => !(isPlain(value) && Object.keys(value).length === 0),
  );
  const at = appendIndex(path, 0);
  const leaf = (inner: string, value: unknown): string => {
    const choice = findSectionField(set, inner);
    const option =
      choice?.kind === 'choice' ? choice.options.find((one) => one.value === value)?.label : undefined;
    return option ?? String(value);
  };
  return full.length === 0
    ? ''
    : ` (${formatComposite(words, set, at, Object.fromEntries(full), leaf) ?? '…'})`;
}

const MANY = 3;

/** `Monday and Wednesday to Sunday`: three and more days in a row are named by their first and last. */
function formatDays(days: readonly number[], language: string, say: DifferenceWords['say']): string {
  const name = (day: number): string =>
    new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const parts = runs.flatMap((run) =>
    run.length < MANY
      ? run.map(name)
      : [say(createDetail('days-range', { from: name(run[0] ?? 1), to: name(run.at(-1) ?? 7) }))],
  );
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);
}

/** Returns a line for each region whose outline changes: `Region 2: outline changed, 4 → 5 corners`. */
export function describeRegions(
  set: string,
  { regions }: RegionsDifference,
  { words, say }: DifferenceWords,
): readonly string[] {
  return regions.flatMap(({ change, from, to }) => {
    if (change === undefined) return [];
    const name = changeLabel(words, set, change);
    const counts = { name, from: from.length, to: to.length };
    if (from.length === 0) return say(createDetail('outline-added', { name, to: to.length }));
    if (to.length === 0) return say(createDetail('outline-removed', { name }));
    return say(createDetail('outline-changed', counts));
  });
}
