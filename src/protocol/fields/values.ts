/**
 * Looking into plain values by path, and copies with something else there. Own members only, so that names such as
 * `__proto__` do nothing; nothing is changed in place.
 */
import { isPlain, getOwn } from '../value.ts';
import { appendIndex, appendKey, parsePath, type Step } from './path.ts';

/** Returns the value at the path, or undefined if there is none. `''` is the value itself. */
export function getValueAt(value: unknown, path: string): unknown {
  return parsePath(path).reduce(getMember, value);
}

/** The member or item of that step. */
export function getMember(value: unknown, step: Step): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isPlain(value) && typeof step === 'string' ? getOwn(value, step) : undefined;
}

/** A copy with `next` at the path; what holds it is made where it is missing. Undefined takes the member away. */
export function setAt(value: unknown, path: string, next: unknown): unknown {
  return put(value, parsePath(path), next);
}

function put(value: unknown, [step, ...rest]: readonly Step[], next: unknown): unknown {
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const items: unknown[] = Array.isArray(value) ? [...value] : [];
    items[step] = put(items[step], rest, next);
    return items;
  }
  const holder = isPlain(value) ? value : {};
  const inner = put(getOwn(holder, step), rest, next);
  if (inner !== undefined) return { ...holder, [step]: inner };
  const { [step]: _gone, ...others } = holder;
  return others;
}

/**
 * A copy without what stands at the path, undefined where nothing is left: an object that held nothing else goes too.
 * An item leaves its list, or, with `keepsPlaces`, says nothing (`{}`) in its place.
 */
export function removeAt(value: unknown, path: string, keepsPlaces = false): unknown {
  return removed(value, parsePath(path), keepsPlaces);
}

function removed(value: unknown, [step, ...rest]: readonly Step[], keepsPlaces: boolean): unknown {
  if (step === undefined) return undefined;
  if (getMember(value, step) === undefined) return value;
  const left =
    removed(getMember(value, step), rest, keepsPlaces) ??
    (keepsPlaces && Array.isArray(value) ? {} : undefined);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      index !== step ? [item] : left === undefined ? [] : [left],
    );
  const others = put(value, [step], left);
  return isPlain(others) && Object.keys(others).length === 0 ? undefined : others;
}

/** A copy in which `change` says what stands for everything that is no object and no list. */
export function mapLeaves(
  value: unknown,
  change: (leaf: unknown, path: string) => unknown,
  path = '',
): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => mapLeaves(item, change, appendIndex(path, index)));
  if (typeof value !== 'object' || value === null) return change(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapLeaves(item, change, appendKey(path, key))]),
  );
}
