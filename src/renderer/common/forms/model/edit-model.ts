/** Model of a form: the whole edited value beside the value as read, and what follows from the two. */
import type { Field, Payload } from '#protocol/definition.ts';
import { buildReplacingPatch } from '#protocol/fulfils.ts';
import { joinPath } from '#protocol/fields/path.ts';
import { mapFields, rootField } from '#protocol/fields/field-at.ts';
import { isPlain, getOwn, isSameValue } from '#protocol/value.ts';
import { findUnmetCondition } from '#protocol/fields/condition.ts';

/**
 * The merge patch that turns `original` into `edited`: objects deep, lists with all their items, `null` takes away.
 * Undefined where nothing changes. Fields that do not count under the edited settings stay as they are.
 */
export function patchBetween(payload: Payload, original: unknown, edited: unknown): unknown {
  return patchOf(rootField(payload), original, edited, { path: '', root: edited });
}

interface Spot {
  readonly path: string;
  /** The whole edited value, for conditions. */
  readonly root: unknown;
}

function patchOf(field: Field, before: unknown, after: unknown, spot: Spot): unknown {
  if (field.readOnly === true || isSameValue(field, before, after)) return undefined;
  if (after === undefined || after === null) return null;
  if (field.kind !== 'object' || !isPlain(after))
    return buildReplacingPatch(field, before, tidy(field, after, spot));
  const patch: Record<string, unknown> = {};
  for (const inner of field.fields) {
    const path = joinPath(spot.path, inner.name);
    if (findUnmetCondition(inner, path, spot.root) !== undefined) continue;
    const change = patchOf(
      inner,
      isPlain(before) ? getOwn(before, inner.name) : undefined,
      getOwn(after, inner.name),
      { ...spot, path },
    );
    if (change !== undefined) patch[inner.name] = change;
  }
  return Object.keys(patch).length > 0 || before === undefined ? patch : undefined;
}

/** The edited value as it would be sent whole: without fields that do not count and without gaps. */
export function buildBody(payload: Payload, edited: unknown): unknown {
  return tidy(rootField(payload), edited, { path: '', root: edited });
}

function tidy(of: Field, edited: unknown, { path: from, root }: Spot): unknown {
  return mapFields(
    of,
    edited,
    ({ field, path, value, inside }) =>
      path !== from &&
      !path.endsWith(']') &&
      (value === null || findUnmetCondition(field, path, root) !== undefined)
        ? undefined
        : inside(),
    from,
  );
}

/** The value without anything secret: a form never shows what a device tells of its secrets. */
export function removeSecrets(payload: Payload, value: unknown): unknown {
  return mapFields(rootField(payload), value, ({ field, inside }) =>
    field.sensitive ? undefined : inside(),
  );
}

/** Returns the initial value of a new list entry or an added group: defaults and required fields. */
export function blankValue(field: Field): unknown {
  switch (field.kind) {
    case 'object':
      return Object.fromEntries(
        field.fields.flatMap((inner) => {
          const value = inner.required === true ? blankValue(inner) : undefined;
          return value === undefined ? [] : [[inner.name, value]];
        }),
      );
    case 'list':
      return [];
    case 'bool':
      return field.default ?? false;
    case 'opaque':
      return {};
    default:
      return field.default;
  }
}

/** Creates the entry that `add` appends, with the next free number if entries are identified by numbers. */
export function createItem(field: Extract<Field, { kind: 'list' }>, items: readonly unknown[]): unknown {
  const blank = blankValue(field.item);
  if (field.item.kind !== 'object')
    return blank ?? (field.item.kind === 'int' || field.item.kind === 'float' ? (field.item.min ?? 1) : '');
  const key = field.item.fields.find((inner) => inner.name === (field.key ?? 'id'));
  if (
    key === undefined ||
    key.readOnly === true ||
    (key.kind !== 'int' && key.kind !== 'string') ||
    !isPlain(blank)
  )
    return blank;
  const taken = items
    .map((item) => (isPlain(item) ? Number(getOwn(item, key.name)) : Number.NaN))
    .filter((number) => Number.isInteger(number));
  if (taken.length < items.length) return blank;
  const next = Math.max(0, ...taken) + 1;
  return { ...blank, [key.name]: key.kind === 'int' ? next : String(next) };
}

/** The list with one entry moved by one place. */
export function moveItem<T>(items: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const to = index + by;
  if (index < 0 || index >= items.length || to < 0 || to >= items.length) return items;
  const copy = [...items];
  [copy[index], copy[to]] = [copy[to] as T, copy[index] as T];
  return copy;
}
