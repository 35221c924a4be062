/** Looking into and cutting out of plain values by path. */
import { stepsOf } from '../template/field-path.ts';
import type { PathStep } from '../template/field-path.ts';

function child(value: unknown, step: PathStep): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;
}

export function valueAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>(child, value);
}

/** The path itself, or the nearest one around it that the value has; empty where only the whole is left. */
export function nearestHeld(value: unknown, path: string): string {
  for (let at = path; at !== ''; at = outer(at)) if (valueAt(value, at) !== undefined) return at;
  return '';
}

/** `a.b[1]` is in `a.b`, that in `a`, that in the whole. */
function outer(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
}

/** A copy with something else there. */
export function replaced(value: unknown, path: string, given: unknown): unknown {
  return change(value, stepsOf(path), () => given);
}

/** A copy without it; an item leaves its list, an object that held nothing else goes too. */
export function without(value: unknown, path: string): unknown {
  return change(value, stepsOf(path), () => undefined);
}

function change(value: unknown, steps: readonly PathStep[], give: () => unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return give();
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (index !== step) return [item];
      const changed = change(item, rest, give);
      return changed === undefined ? [] : [changed];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, item]) => {
    if (name !== step) return [[name, item] as const];
    const changed: unknown = change(item, rest, give);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** True where `path` is `around` or lies inside it. */
export function isWithin(path: string, around: string): boolean {
  return (
    path === around ||
    around === '' ||
    (path.startsWith(around) && (path[around.length] === '.' || path[around.length] === '['))
  );
}
