/** What differs between two values of a payload, field by field, for plans and screens. */
import { MASK } from '../shared/exchange.ts';
import type { Change, NamedItem } from '../shared/model.ts';
import type { Field, ListField, Payload } from './definition.ts';
import { inItsUnit, type UnitScope } from './units.ts';
import { matchItems } from './fulfils.ts';
import { formatItem, identifiesIn } from './item-names.ts';
import { itemPath, joinPath } from './fields/path.ts';
import { mapFields, rootField } from './fields/field-at.ts';
import { isPlain, own, sameValue } from './value.ts';

/**
 * Changes that turn `before` into `after`, in the specification's order. Numbers compare by value;
 * sensitive values are masked, and whether they changed is told without showing them. A number whose
 * unit changes is a change although it stays. Labels of nested fields name their holders: `Time block Tuesday › Begin`.
 */
export function diff(
  payload: Payload,
  before: unknown,
  after: unknown,
  { scope = 'whole' }: { /** `patch`: both are parts of documents. */ readonly scope?: UnitScope } = {},
): readonly Change[] {
  const changes: Change[] = [];
  const units = (field: Field): Units =>
    'unitFrom' in field
      ? [inItsUnit(field, before, scope).unit, inItsUnit(field, after, scope).unit]
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

/** Before and after. */
type Units = readonly [string | undefined, string | undefined];

interface Spot {
  readonly path: string;
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
        isPlain(before) ? own(before, inner.name) : undefined,
        isPlain(after) ? own(after, inner.name) : undefined,
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
  if (!sameValue(field, before, after) || meansAnother(field, before, spot))
    changes.push(changeOf(field, before, after, spot));
}

function meansAnother(field: Field, value: unknown, { units }: Spot): boolean {
  const [from, to] = units(field);
  return from !== to && value !== undefined && value !== null;
}

/** An empty object that comes or goes is a change of its own; a filled one is told by its fields. */
function bothOrFull(before: unknown, after: unknown): boolean {
  if (before !== undefined && after !== undefined) return true;
  const one = before ?? after;
  return isPlain(one) && Object.values(one).some((value) => value !== undefined && value !== null);
}

/**
 * Compares items one by one. A kept or new item has the position that it will have, a removed one the position that it
 * has now. Each is named by what identifies it: a kept or removed one by its values before, a new one by its new values.
 * Items without a key that change their order are compared position by position.
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
    path: itemPath(spot.path, index),
    labels: [...spot.labels, formatItem(field.item, { word: field.item.label, named, position: index })],
    items: [...spot.items, named],
    sensitive: spot.sensitive || field.item.sensitive === true,
  });
  const [namedBefore, namedAfter] = [identifiesIn(field, before), identifiesIn(field, after)];
  const nameKept = (held: number, index: number): NamedItem => {
    const named = namedBefore(held);
    return named.length > 0 ? named : namedAfter(index);
  };
  const from = placesBefore(field, before, after);
  const kept = new Set(from);
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const held = from[index];
    const removed = index < before.length && !kept.has(index) ? at(index, namedBefore(index)) : undefined;
    const added = index < after.length && held === undefined ? at(index, namedAfter(index)) : undefined;
    // Without a key, an item at the position of another replaces it.
    if (removed && added && (removed.items.at(-1)?.length ?? 0) + (added.items.at(-1)?.length ?? 0) === 0)
      changes.push(changeOf(field.item, before[index], after[index], added));
    else {
      if (removed) changes.push(changeOf(field.item, before[index], undefined, removed));
      if (added) changes.push(changeOf(field.item, undefined, after[index], added));
    }
    if (held !== undefined)
      compare(field.item, before[held], after[index], at(index, nameKept(held, index)), changes);
  }
}

/** For each item the place of the one that it was. */
function placesBefore(
  field: ListField,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly (number | undefined)[] {
  const from: (number | undefined)[] = after.map(() => undefined);
  for (const { want, held } of matchItems(field, before, after, sameValue)) from[want] = held;
  const kept = from.filter((place) => place !== undefined);
  const isInOrder =
    field.key !== undefined ||
    (field.item.kind === 'object' && kept.every((place, at) => at === 0 || place > (kept[at - 1] ?? 0)));
  return isInOrder ? from : after.map((_, index) => (index < before.length ? index : undefined));
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
export function masked(payload: Payload, value: unknown): unknown {
  return shown(rootField(payload), value, false);
}
