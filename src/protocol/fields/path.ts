/**
 * Paths of fields and values: `TimeBlockList[0].dayOfWeek`. `[]` stands for every item of a list, `["odd key"]`
 * for a name that is no plain word, `''` for the root itself. Conditions begin with `^` for the holder of a field.
 */
import { readJsonOrNothing } from '#shared/read-json.ts';

/** A name, the number of an item, or `EVERY` item. */
export type Step = string | number;
export const EVERY = '[]';

const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;
const STEP = /\[(\d*)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g;

/** The same few paths are asked for over and over; those of hostile documents push out no more than this. */
const MOST_REMEMBERED = 4_000;
const LONGEST_REMEMBERED = 200;
const remembered = new Map<string, readonly Step[]>();

export function parsePath(path: string): readonly Step[] {
  const known = remembered.get(path);
  if (known !== undefined) return known;
  const steps = [...path.matchAll(STEP)].map(([, index, quoted, name]) => {
    if (index !== undefined) return index === '' ? EVERY : Number(index);
    return quoted === undefined ? (name ?? '') : unquoted(quoted);
  });
  if (path.length > LONGEST_REMEMBERED) return steps;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(path, steps);
  return steps;
}

function unquoted(text: string): string {
  return String(readJsonOrNothing(text) ?? text);
}

export function joinSteps(steps: readonly Step[]): string {
  return steps.reduce<string>(
    (path, step) =>
      typeof step === 'number'
        ? appendIndex(path, step)
        : step === EVERY
          ? path + EVERY
          : appendKey(path, step),
    '',
  );
}

/** Puts a path (a name, `[0].day`, or nothing) below another. */
export function joinPath(parent: string, inner: string): string {
  if (inner === '' || parent === '') return parent + inner;
  return inner.startsWith('[') ? parent + inner : `${parent}.${inner}`;
}

/** `parent.key`, or `parent["odd key"]` where the key is no plain name. */
export function appendKey(parent: string, key: string): string {
  return joinPath(parent, PLAIN_NAME.test(key) ? key : `[${JSON.stringify(key)}]`);
}

/** Returns the path of the setting that holds a value: the field itself, or the list around it as a whole. */
export function getSettingPath(path: string): string {
  const steps = parsePath(path);
  const item = steps.findIndex((step) => typeof step === 'number');
  return item < 0 ? path : joinSteps(steps.slice(0, item));
}

export function appendIndex(parent: string, index: number): string {
  return `${parent}[${index}]`;
}

/** The path one step up; '' of the root and of its members. */
export function getParentPath(path: string): string {
  return joinSteps(parsePath(path).slice(0, -1));
}

/** The name at the end; that of the list for an item. */
export function getLastName(path: string): string {
  return String(parsePath(path).findLast((step) => typeof step === 'string' && step !== EVERY) ?? '');
}

/** `TimeBlockList[3].id` as it stands for all items: `TimeBlockList[].id`. */
export function toGeneralPath(path: string): string {
  return path.includes('[') ? path.replace(/\[\d+\]/g, EVERY) : path;
}

/** True where `path` is `outer` or lies inside it. */
export function isWithin(path: string, outer: string): boolean {
  return (
    outer === '' ||
    path === outer ||
    (path.startsWith(outer) && (path[outer.length] === '.' || path[outer.length] === '['))
  );
}

/** True where one of the two lies inside the other. */
export function isRelated(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}
