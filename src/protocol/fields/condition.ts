/** "Only when …": whether the conditions of a field hold under the values beside it, and which fields decide. */
import type { Condition, Field, Payload } from '../definition.ts';
import { fieldsAlong } from './field-at.ts';
import { EVERY, joinPath, parentPath, pathOf, stepsOf, type Step } from './path.ts';
import { memberOf } from './values.ts';

/** What stands where a condition looks. `undefined` judges nothing: the field may still stand on the device. */
export type Look = (condition: Condition) => { readonly held: unknown } | undefined;

/** The first condition that is known not to hold; absent (`null` too) counts as `absentAs`. */
export function firstUnmet(conditions: readonly Condition[] | undefined, look: Look): Condition | undefined {
  return conditions?.find(
    (condition) =>
      isMet(condition, look) === false &&
      (condition.given === undefined || isMet(condition.given, look) === true),
  );
}

function isMet(condition: Condition, look: Look): boolean | undefined {
  const found = look(condition);
  if (found === undefined) return undefined;
  const held = found.held ?? condition.absentAs;
  return held !== undefined && condition.oneOf.some((allowed) => String(allowed) === String(held));
}

/**
 * The value that decides, from the objects around the field, the nearest first and the outermost last (of a root that
 * is a list, the item); `null` where it or what holds it is taken away.
 */
export function deciding(condition: Condition, holders: readonly unknown[]): unknown {
  const { outwards, names } = controllerOf(condition);
  return names.reduce<unknown>(
    (value, name) => (value === null ? null : memberOf(value, name)),
    outwards === 0 ? holders.at(-1) : holders[outwards - 1],
  );
}

/** The first condition of the field at `path` that does not hold in the whole value `root`. */
export function unmetAt(field: Field, path: string, root: unknown): Condition | undefined {
  if (field.when === undefined) return undefined;
  const holders = holdersAt(path, root);
  return firstUnmet(field.when, (condition) => ({ held: deciding(condition, holders) }));
}

/** The objects around the field at `path`, the nearest first; lists in between do not count. */
function holdersAt(path: string, root: unknown): readonly unknown[] {
  const holders: unknown[] = Array.isArray(root) ? [] : [root];
  let at = root;
  for (const step of stepsOf(path).slice(0, -1)) {
    at = memberOf(at, step);
    if (!Array.isArray(at)) holders.unshift(at);
  }
  return holders;
}

/** How far out the field that decides is looked for (0: from the root, 1: beside the field), and by which names. */
export function controllerOf({ path }: Pick<Condition, 'path'>): {
  readonly outwards: number;
  readonly names: readonly Step[];
} {
  const steps = stepsOf(path);
  const outwards = steps.findIndex((step) => step !== '^');
  return { outwards, names: outwards === 0 ? steps : steps.slice(outwards) };
}

/** What the field that decides is called: `analysisMode`. */
export function controllerName(condition: Condition): string {
  return pathOf(controllerOf(condition).names);
}

/** Path of the field that decides, as seen from the one at `path`: `analysisParam.analysisMode`. */
export function controllerPath(condition: Condition, path: string): string {
  const { outwards } = controllerOf(condition);
  const name = controllerName(condition);
  if (outwards === 0) return name;
  let holder = path;
  for (let level = 0; level < outwards; level += 1) holder = holderPath(holder);
  return joinPath(holder, name);
}

/** That of the object around, lists left out. */
function holderPath(path: string): string {
  let at = path;
  for (let step = stepsOf(at).at(-1); typeof step === 'number' || step === EVERY; step = stepsOf(at).at(-1))
    at = parentPath(at);
  return parentPath(at);
}

/** Paths that decide whether the field at `path` means something. */
export function controllersOf(root: Payload | Field, path: string): readonly string[] {
  return fieldsAlong(root, path).flatMap((place) =>
    (place.field.when ?? [])
      .flatMap(({ given, ...condition }) => (given === undefined ? [condition] : [condition, given]))
      .map((condition) => controllerPath(condition, place.path)),
  );
}
