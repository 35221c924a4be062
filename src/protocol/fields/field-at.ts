/** Fields of a payload by path, and values walked along their fields. */
import type { Field, ListField, ObjectField, Payload } from '../definition.ts';
import { isPlain, getOwn } from '../value.ts';
import { EVERY, appendIndex, joinPath, joinSteps, parsePath, type Step } from './path.ts';
import { computeOncePer } from '#shared/once.ts';

/** The payload as one field: an object of its fields, or a list where the root itself is one. */
export const rootField = computeOncePer(
  ({ root: name = '', fields, rootItem, rootKey: key, maxItems }: Payload): ObjectField | ListField =>
    rootItem === undefined
      ? { kind: 'object', name, label: name, fields }
      : { kind: 'list', name, label: name, item: rootItem, key, ...(maxItems !== undefined && { maxItems }) },
);

interface FieldPlace {
  readonly field: Field;
  /** Items of lists have their number, or are written `[]`. */
  readonly path: string;
}

/**
 * The fields from the root (not among them) down to the one at `path`, items too; shorter where the path leaves the
 * definition. Items may be numbered, `[]`, named as on the wire, or left out: conditions and devices do that.
 */
export function listFieldsAlong(root: Payload | Field, path: string): readonly FieldPlace[] {
  return walk(root, path).along;
}

/** The field at `path`; undefined where the definition has none. */
export function findField(root: Payload | Field, path: string): Field | undefined {
  return walk(root, path).found;
}

/** True where the field at the path or one around it is secret or biometric. */
export function isSensitiveAt(root: Payload | Field, path: string): boolean {
  return listFieldsAlong(root, path).some(({ field }) => field.sensitive === true);
}

/** True where a wrong value at the path may cut a device off or keep people out. */
export function mayCutOff(root: Payload | Field, path: string): boolean {
  return listFieldsAlong(root, path).some(({ field }) => field.cutsOff === true);
}

function walk(
  root: Payload | Field,
  path: string,
): { readonly along: readonly FieldPlace[]; readonly found: Field | undefined } {
  const along: FieldPlace[] = [];
  let at: FieldPlace = { field: 'kind' in root ? root : rootField(root), path: '' };
  const go = (field: Field, step: Step): void => {
    at = { field, path: joinPath(at.path, joinSteps([step])) };
    along.push(at);
  };
  for (const step of parsePath(path)) {
    let isThere = false;
    while (at.field.kind === 'list' && typeof step === 'string' && step !== EVERY && !isThere) {
      isThere = at.field.item.name === step;
      go(at.field.item, EVERY);
    }
    if (isThere) continue;
    const next = inside(at.field, step);
    if (next === undefined) return { along, found: undefined };
    go(next, step);
  }
  return { along, found: at.field };
}

function inside(field: Field, step: Step): Field | undefined {
  if (typeof step === 'number' || step === EVERY) return field.kind === 'list' ? field.item : undefined;
  return field.kind === 'object' ? field.fields.find(({ name }) => name === step) : undefined;
}

/** Every field below this one, holders before what they hold; items are written `[]`. */
export function listFieldsBelow(field: Field, path = ''): readonly FieldPlace[] {
  const inner =
    field.kind === 'object'
      ? field.fields.map((member) => ({ field: member, path: joinPath(path, member.name) }))
      : field.kind === 'list'
        ? [{ field: field.item, path: path + EVERY }]
        : [];
  return inner.flatMap((place) => [place, ...listFieldsBelow(place.field, place.path)]);
}

interface ValuePlace extends FieldPlace {
  readonly value: unknown;
  /** The value with what `change` says in place of its members or items; the value itself where it holds none. */
  readonly inside: () => unknown;
}
type Change = (place: ValuePlace) => unknown;

/**
 * A copy along the definition, as `change` says from the root inwards: `inside()` goes on. A member for which it says
 * nothing is left out, and so is one that no field describes; items keep their places.
 */
export function mapFields(field: Field, value: unknown, change: Change, path = ''): unknown {
  return change({ field, value, path, inside: () => mapInside(field, value, change, path) });
}

function mapInside(field: Field, value: unknown, change: Change, path: string): unknown {
  if (field.kind === 'list' && Array.isArray(value))
    return value.map((item: unknown, index) => mapFields(field.item, item, change, appendIndex(path, index)));
  if (field.kind !== 'object' || !isPlain(value)) return value;
  const members = field.fields.flatMap((inner) => {
    const held = getOwn(value, inner.name);
    const mapped =
      held === undefined ? undefined : mapFields(inner, held, change, joinPath(path, inner.name));
    return mapped === undefined ? [] : [[inner.name, mapped] as const];
  });
  return Object.fromEntries(members);
}

export interface Leaf extends FieldPlace {
  readonly value: unknown;
  /** The field or one around it is. */
  readonly sensitive: boolean;
}

/** The single values of a value with their fields; what is no object or list where one is due counts as one. */
export function listFieldLeaves(field: Field, value: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  gather({ field, value, path: '', sensitive: false }, leaves);
  return leaves;
}

function gather({ field, value, path, sensitive: around }: Leaf, leaves: Leaf[]): void {
  if (value === undefined) return;
  const sensitive = around || field.sensitive === true;
  if (field.kind === 'object' && isPlain(value)) {
    for (const inner of field.fields)
      gather(
        { field: inner, value: getOwn(value, inner.name), path: joinPath(path, inner.name), sensitive },
        leaves,
      );
  } else if (field.kind === 'list' && Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      gather({ field: field.item, value: item, path: appendIndex(path, index), sensitive }, leaves);
    });
  } else leaves.push({ field, value, path, sensitive });
}
