/**
 * Reads the `change` of a section: lists that are changed in part. What is wrong is left to the caller, which hears of it
 * with its path below `change`.
 */
import {
  appendIndex,
  appendKey,
  findField,
  findNearestName,
  getFreeNumber,
  getPartKey,
  getValueAt,
  hasSharedKeys,
  isPlain,
  joinPath,
  parsePath,
  readPartKey,
  rootField,
  setAt,
  type Field,
  type ListField,
  type Payload,
} from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { KEEP_OPTIONS, listMemberNames, MISSING_OPTIONS } from './grammar.ts';
import { describeKind } from './source-tree.ts';

/** A list that is changed in part; its items stand in the value of the section, at the path of the list. */
export interface ListChange {
  /** Path of the list in the payload; '' if the root itself is a list. */
  readonly path: string;
  readonly missing: (typeof MISSING_OPTIONS)[number];
  /** Positions of the items that only name a key, which is removed. */
  readonly removed: readonly number[];
}

interface Complaint {
  readonly code: ErrorCode;
  readonly detail: Detail;
  readonly nearest?: string | undefined;
  readonly atKey?: boolean;
}
export type Complain = (path: string, complaint: Complaint) => void;

interface ReadChange {
  /** The value with the items of all lists that are changed in part. */
  readonly value: unknown;
  readonly lists: readonly ListChange[];
}

/** Returns true if the field is a list that can be changed in part, or holds one outside of lists. */
export function holdsPartList(field: Field): boolean {
  if (field.readOnly === true) return false;
  if (field.kind === 'list') return getPartKey(field) !== undefined;
  return field.kind === 'object' && field.fields.some(holdsPartList);
}

/** Reads what stands behind `change:`. `value` is what stands behind `value:`, undefined if nothing does. */
export function readListChanges(
  payload: Payload,
  change: unknown,
  value: unknown,
  complain: Complain,
): ReadChange {
  const read = { value, lists: [] as ListChange[] };
  const take = (field: Field, given: unknown, path: string, place: string): void => {
    if (field.kind === 'list') takeList(field, given, path, place, read, complain);
    else if (!isPlain(given))
      complain(place, {
        code: 'wrong-type',
        detail: createDetail('takes', { name: field.name, takes: 'an object', given: describeKind(given) }),
      });
    else if (field.kind === 'object')
      for (const [name, inner] of Object.entries(given)) {
        const at = appendKey(place, name);
        const found = field.fields.find((one) => one.name === name);
        if (found !== undefined && holdsPartList(found)) take(found, inner, joinPath(path, name), at);
        else complain(at, complainAbout(field.fields, found, name));
      }
  };
  take(rootField(payload), change, '', '');
  return read;
}

function complainAbout(fields: readonly Field[], found: Field | undefined, name: string): Complaint {
  const known = fields.filter(holdsPartList).map((field) => field.name);
  if (found !== undefined)
    return { code: 'not-allowed', detail: createDetail('change-takes-lists', { field: name }), atKey: true };
  return {
    code: 'unknown-field',
    detail: createDetail('not-known', { field: name }),
    nearest: findNearestName(name, known),
    atKey: true,
  };
}

function takeList(
  list: ListField,
  given: unknown,
  path: string,
  place: string,
  read: { value: unknown; lists: ListChange[] },
  complain: Complain,
): void {
  if (isInValue(read.value, path))
    complain(place, {
      code: 'not-allowed',
      detail: createDetail('changed-and-set', { field: list.name }),
      atKey: true,
    });
  if (!isPlain(given)) {
    complain(place, {
      code: 'wrong-type',
      detail: createDetail('change-shape', { field: list.name, given: describeKind(given) }),
    });
    return;
  }
  const names = listMemberNames('listChange');
  for (const name of Object.keys(given))
    if (!names.includes(name))
      complain(appendKey(place, name), {
        code: 'unknown-field',
        detail: createDetail('unknown-member-known', { what: '"change"', name, known: names.join(', ') }),
        nearest: findNearestName(name, names),
        atKey: true,
      });
  const options = { keep: KEEP_OPTIONS, missing: MISSING_OPTIONS } as const;
  for (const name of ['keep', 'missing'] as const)
    if (given[name] !== undefined && !options[name].some((one) => one === given[name]))
      complain(appendKey(place, name), {
        code: 'not-allowed',
        detail: createDetail('one-of', { options: options[name].join(', ') }),
      });
  const items = given['items'];
  const itemsAt = appendKey(place, 'items');
  if (!Array.isArray(items) || items.length === 0) {
    complain(items === undefined ? place : itemsAt, {
      code: items === undefined ? 'missing-field' : 'wrong-type',
      detail: createDetail('change-needs-items', { field: list.name, key: getPartKey(list) ?? '' }),
    });
    return;
  }
  const removed: number[] = [];
  const taken = items.map((item: unknown, index) => {
    const { item: kept, isRemoved } = readItem(list, item, appendIndex(itemsAt, index), complain);
    if (isRemoved) removed.push(index);
    return kept;
  });
  const missing = MISSING_OPTIONS.find((one) => one === given['missing']) ?? 'add';
  read.value = setAt(read.value, path, taken);
  read.lists.push({ path, missing, removed });
}

/** Returns true if the value says something about the path or about what holds it. */
function isInValue(value: unknown, path: string): boolean {
  if (path === '') return value !== undefined;
  const steps = parsePath(path);
  let held = value;
  for (const step of steps) {
    if (held === undefined) return false;
    if (!isPlain(held)) return true;
    held = held[step];
  }
  return held !== undefined;
}

function readItem(
  list: ListField,
  item: unknown,
  place: string,
  complain: Complain,
): { readonly item: unknown; readonly isRemoved: boolean } {
  const asIs = { item, isRemoved: false };
  // The check of the value says what is wrong with an item that is no object.
  if (!isPlain(item)) return asIs;
  const { remove, ...kept } = item;
  const key = getPartKey(list) ?? '';
  const number = getFreeNumber(list);
  if (number !== undefined && kept[number] !== undefined)
    complain(appendKey(place, number), {
      code: 'not-allowed',
      detail: createDetail('item-number-given', { number, key }),
      atKey: true,
    });
  if (remove !== undefined && remove !== true)
    complain(appendKey(place, 'remove'), {
      code: 'wrong-type',
      detail: createDetail('remove-is-true'),
    });
  if (remove !== true) return { item: kept, isRemoved: false };
  const others = Object.keys(kept).filter((name) => name !== parsePath(key)[0]);
  const [other] = others;
  if (other !== undefined)
    complain(appendKey(place, other), {
      code: 'not-allowed',
      detail: createDetail('removed-and-set', { field: other, key }),
      atKey: true,
    });
  return { item: kept, isRemoved: true };
}

/**
 * Complains about items without their key, and about keys that are named twice, in a value whose variables are filled in:
 * only periods of a day may share one, and what is removed is not set as well. The path is that of the key in the value.
 */
export function checkListKeys(
  payload: Payload,
  value: unknown,
  { path, removed }: ListChange,
  complain: (complaint: Complaint & { readonly path: string }) => void,
): void {
  const list = path === '' ? rootField(payload) : findField(payload, path);
  const items = getValueAt(value, path);
  if (list?.kind !== 'list' || !Array.isArray(items)) return;
  const key = getPartKey(list) ?? '';
  const seen = new Map<string, number>();
  items.forEach((item: unknown, index) => {
    const named = readPartKey(list, item);
    if (named === undefined) {
      if (isPlain(item) && getValueAt(item, key) === undefined)
        complain({
          path: joinPath(appendIndex(path, index), key),
          code: 'missing-field',
          detail: createDetail('item-needs-key', { field: list.name, key }),
        });
      return;
    }
    const first = seen.get(named);
    if (first === undefined) seen.set(named, index);
    else if (!hasSharedKeys(list) || removed.includes(index) || removed.includes(first))
      complain({
        path: joinPath(appendIndex(path, index), key),
        code: 'not-allowed',
        detail: createDetail('key-twice', { field: list.name, key, value: named }),
      });
  });
}

/**
 * Returns true for a complaint about a list as a whole: what is said in part is too little to judge it. The plan judges
 * the list that a device will have.
 */
export function isAboutWholeList({ path }: { readonly path: string }, lists: readonly ListChange[]): boolean {
  return lists.some((list) => list.path === path);
}

/** Returns the place in the file, below a section, of a path in its value. */
export function locateInSection(lists: readonly ListChange[], path: string): string {
  for (const list of lists) {
    if (path !== list.path && !path.startsWith(`${list.path}[`)) continue;
    const rest = path.slice(list.path.length);
    return joinPath(joinPath('change', list.path), rest === '' ? '' : `items${rest}`);
  }
  return joinPath('value', path);
}
