/** Compares two values of a payload, field by field, for plans and screens. */
import { MASK } from '#shared/exchange.ts';
import type { Change, NamedItem } from '#shared/model.ts';
import type { Field, ListField, Payload } from './definition.ts';
import { resolveUnit, type UnitScope } from './units.ts';
import { matchItems } from './fulfils.ts';
import { formatItem, identifyItems } from './item-names.ts';
import { appendIndex, joinPath } from './fields/path.ts';
import { isCorner } from './corners.ts';
import { mapFields, rootField } from './fields/field-at.ts';
import { isPlain, getOwn, isSameValue } from './value.ts';

/**
 * Returns the changes that turn `before` into `after`, in the specification's order. Numbers compare by
 * value; sensitive values are masked, but a change of one is reported. A number whose unit changes is a
 * change although it stays the same. Labels of nested fields name their holders: `Time block Tuesday ›
 * Begin`.
 */
export function computeChanges(
  payload: Payload,
  before: unknown,
  after: unknown,
  { scope = 'whole' }: { /** `patch`: both are parts of documents. */ readonly scope?: UnitScope } = {},
): readonly Change[] {
  const changes: Change[] = [];
  const units = (field: Field): Units =>
    'unitFrom' in field
      ? [resolveUnit(field, before, scope).unit, resolveUnit(field, after, scope).unit]
      : [field.unit, field.unit];
  compare(
    rootField(payload),
    before,
    after,
    { path: '', labels: [], items: [], sensitive: false, units },
    changes,
  );
  return changes;
}

/** Most pairs of items without a key that are compared; longer lists are compared place by place. */
const MOST_COMPARED = 10_000;
/** Name of an item that nothing identifies and that a change shows as a whole. */
const BY_CONTENT: NamedItem = [{ path: '', value: '' }];

/** Units before and after. */
type Units = readonly [string | undefined, string | undefined];

interface Spot {
  readonly path: string;
  /** The list around it carries the picture. */
  readonly isInList?: boolean;
  readonly labels: readonly string[];
  readonly items: readonly NamedItem[];
  readonly sensitive: boolean;
  readonly units: (field: Field) => Units;
}

function compare(field: Field, before: unknown, after: unknown, spot: Spot, changes: Change[]): void {
  if (
    field.kind === 'object' &&
    (isPlain(before) || before === undefined) &&
    (isPlain(after) || after === undefined) &&
    bothOrFull(before, after)
  ) {
    for (const inner of field.fields) {
      compare(
        inner,
        isPlain(before) ? getOwn(before, inner.name) : undefined,
        isPlain(after) ? getOwn(after, inner.name) : undefined,
        {
          ...spot,
          path: joinPath(spot.path, inner.name),
          labels: [...spot.labels, inner.label],
          sensitive: spot.sensitive || inner.sensitive === true,
        },
        changes,
      );
    }
    return;
  }
  if (field.kind === 'list' && Array.isArray(before) && Array.isArray(after)) {
    compareItems(field, before, after, spot, changes);
    return;
  }
  if (!isSameValue(field, before, after) || meansAnother(field, before, spot))
    changes.push(changeOf(field, before, after, spot));
}

function meansAnother(field: Field, value: unknown, { units }: Spot): boolean {
  const [from, to] = units(field);
  return from !== to && value !== undefined && value !== null;
}

/**
 * Returns whether to compare the fields of an object. Adding or removing an empty object is a change of its
 * own.
 */
function bothOrFull(before: unknown, after: unknown): boolean {
  if (before !== undefined && after !== undefined) return true;
  const one = before ?? after;
  return isPlain(one) && Object.values(one).some((value) => value !== undefined && value !== null);
}

/**
 * Compares items one by one. A kept or new item has the position that it will have, a removed one the position that it
 * has now. Each is named by what identifies it: a kept or removed one by its values before, a new one by its new values.
 * A new or removed item without a key is named by its content, which the change shows.
 */
function compareItems(
  field: ListField,
  before: readonly unknown[],
  after: readonly unknown[],
  spot: Spot,
  changes: Change[],
): void {
  const at = (index: number, named: NamedItem): Spot => ({
    ...spot,
    path: appendIndex(spot.path, index),
    labels: [...spot.labels, formatItem(field.item, { word: field.item.label, named, position: index })],
    items: [...spot.items, named],
    sensitive: spot.sensitive || field.item.sensitive === true,
    isInList: spot.isInList === true || carriesList,
  });
  const carriesList = isPictured(field) && spot.isInList !== true && !spot.sensitive;
  const start = changes.length;
  const [namedBefore, namedAfter] = [identifyItems(field, before), identifyItems(field, after)];
  const nameKept = (held: number, index: number): NamedItem => {
    const named = namedBefore(held);
    return named.length > 0 ? named : namedAfter(index);
  };
  const nameAlone = (named: NamedItem): NamedItem =>
    named.length === 0 && field.key === undefined ? BY_CONTENT : named;
  const from = placesBefore(field, before, after);
  const kept = new Set(from);
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const held = from[index];
    if (index < before.length && !kept.has(index))
      changes.push(changeOf(field.item, before[index], undefined, at(index, nameAlone(namedBefore(index)))));
    if (index < after.length && held === undefined)
      changes.push(changeOf(field.item, undefined, after[index], at(index, nameAlone(namedAfter(index)))));
    if (held !== undefined)
      compare(field.item, before[held], after[index], at(index, nameKept(held, index)), changes);
  }
  const first = changes[start];
  if (first === undefined || !carriesList || before.length + after.length > MOST_PICTURED) return;
  const show = (items: readonly unknown[]): readonly unknown[] => shown(field, items, false) as unknown[];
  changes[start] = { ...first, list: { path: spot.path, from: show(before), to: show(after) } };
}

/** Items before and after together up to which a list is kept along with its changes. */
const MOST_PICTURED = 200;

/** Lists that people read as a whole: items with a key, such as a week, and the corners of a region. */
function isPictured({ key, item }: ListField): boolean {
  return key !== undefined || isCorner(item);
}

/** Returns for each item its previous position. */
function placesBefore(
  field: ListField,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly (number | undefined)[] {
  const from: (number | undefined)[] = after.map(() => undefined);
  if (field.key === undefined && field.item.kind !== 'object') return inOrder(field, before, after);
  for (const { want, held } of matchItems(field, before, after, isSameValue)) from[want] = held;
  const kept = from.filter((place) => place !== undefined);
  const isInOrder =
    field.key !== undefined || kept.every((place, at) => at === 0 || place > (kept[at - 1] ?? 0));
  return isInOrder ? from : inOrder(field, before, after);
}

/**
 * Returns for each item without a key its previous position: a longest common subsequence of equal items, and
 * between two of these the items one by one.
 */
function inOrder(
  field: ListField,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly (number | undefined)[] {
  const isSame = (held: number, index: number): boolean =>
    isSameValue(field.item, before[held], after[index]);
  const from: (number | undefined)[] = after.map(() => undefined);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(start, start)) start += 1;
  let tail = 0;
  while (tail < shorter - start && isSame(before.length - 1 - tail, after.length - 1 - tail)) tail += 1;
  for (let index = 0; index < start; index += 1) from[index] = index;
  for (let nth = 1; nth <= tail; nth += 1) from[after.length - nth] = before.length - nth;

  const [heldEnd, end] = [before.length - tail, after.length - tail];
  let [heldAt, at] = [start, start];
  for (const [held, index] of [
    ...equalPairs([start, heldEnd], [start, end], isSame),
    [heldEnd, end] as const,
  ]) {
    for (; heldAt < held && at < index; heldAt += 1, at += 1) from[at] = heldAt;
    if (index < end) from[index] = held;
    [heldAt, at] = [held + 1, index + 1];
  }
  return from;
}

type Range = readonly [from: number, to: number];

/** Longest common subsequence of two ranges, as pairs of places; none where there are too many pairs to compare. */
function equalPairs(
  [heldFrom, heldTo]: Range,
  [from, to]: Range,
  isSame: (held: number, index: number) => boolean,
): readonly Range[] {
  const width = to - from + 1;
  if ((heldTo - heldFrom) * (to - from) > MOST_COMPARED) return [];
  /** Length of the longest one from a pair of places on. */
  const lengths = new Uint32Array((heldTo - heldFrom + 1) * width);
  const cell = (held: number, index: number): number => (held - heldFrom) * width + index - from;
  const lengthFrom = (held: number, index: number): number => lengths[cell(held, index)] ?? 0;
  for (let held = heldTo - 1; held >= heldFrom; held -= 1)
    for (let index = to - 1; index >= from; index -= 1)
      lengths[cell(held, index)] = isSame(held, index)
        ? lengthFrom(held + 1, index + 1) + 1
        : Math.max(lengthFrom(held + 1, index), lengthFrom(held, index + 1));

  const pairs: Range[] = [];
  for (let [held, index] = [heldFrom, from]; held < heldTo && index < to;) {
    if (isSame(held, index)) pairs.push([held++, index++]);
    else if (lengthFrom(held + 1, index) >= lengthFrom(held, index + 1)) held += 1;
    else index += 1;
  }
  return pairs;
}

function changeOf(field: Field, from: unknown, to: unknown, spot: Spot): Change {
  const label = spot.labels.join(' › ') || field.label;
  const [fromUnit, unit] = spot.units(field);
  return {
    path: spot.path,
    label,
    ...(spot.items.some((named) => named.length > 0) && { items: spot.items }),
    ...(unit !== undefined && { unit }),
    ...(fromUnit !== undefined && fromUnit !== unit && from !== undefined && { fromUnit }),
    ...(from !== undefined && { from: shown(field, from, spot.sensitive) }),
    ...(to !== undefined && { to: shown(field, to, spot.sensitive) }),
    ...(spot.sensitive && { sensitive: true }),
  };
}

function shown(field: Field, value: unknown, sensitive: boolean): unknown {
  if (sensitive) return MASK;
  return mapFields(field, value, ({ field: inner, inside }) => (inner.sensitive ? MASK : inside()));
}

/** The value with every sensitive part masked, for logs of answers, captures and screens. */
export function maskSecrets(payload: Payload, value: unknown): unknown {
  return shown(rootField(payload), value, false);
}
