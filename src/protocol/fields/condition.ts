/** "Only when …": whether the conditions of a field hold under the values beside it, and which fields decide. */
import type { Condition, Field, Payload } from '../definition.ts';
import { listFieldsAlong } from './field-at.ts';
import { EVERY, joinPath, getParentPath, joinSteps, parsePath, type Step } from './path.ts';
import { getMember } from './values.ts';

/**
 * Function that looks up the value a condition depends on. `undefined` decides nothing: the device may still
 * have the field.
 */
export type Look = (condition: Condition) => { readonly held: unknown } | undefined;

/** The first condition that is known not to hold; absent (`null` too) counts as `absentAs`. */
export function findFirstUnmet(
  conditions: readonly Condition[] | undefined,
  look: Look,
): Condition | undefined {
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
export function getDecidingValue(condition: Condition, holders: readonly unknown[]): unknown {
  const { outwards, names } = locateController(condition);
  return names.reduce<unknown>(
    (value, name) => (value === null ? null : getMember(value, name)),
    outwards === 0 ? holders.at(-1) : holders[outwards - 1],
  );
}

/** The first condition of the field at `path` that does not hold in the whole value `root`. */
export function findUnmetCondition(field: Field, path: string, root: unknown): Condition | undefined {
  if (field.when === undefined) return undefined;
  const holders = holdersAt(path, root);
  return findFirstUnmet(field.when, (condition) => ({ held: getDecidingValue(condition, holders) }));
}

/** The objects around the field at `path`, the nearest first; lists in between do not count. */
function holdersAt(path: string, root: unknown): readonly unknown[] {
  const holders: unknown[] = Array.isArray(root) ? [] : [root];
  let at = root;
  for (const step of parsePath(path).slice(0, -1)) {
    at = getMember(at, step);
    if (!Array.isArray(at)) holders.unshift(at);
  }
  return holders;
}

/** How far out the field that decides is looked for (0: from the root, 1: beside the field), and by which names. */
export function locateController({ path }: Pick<Condition, 'path'>): {
  readonly outwards: number;
  readonly names: readonly Step[];
} {
  const steps = parsePath(path);
  const outwards = steps.findIndex((step) => step !== '^');
  return { outwards, names: outwards === 0 ? steps : steps.slice(outwards) };
}

/** Returns the name of the field that decides: `analysisMode`. */
export function getControllerName(condition: Condition): string {
  return joinSteps(locateController(condition).names);
}

/** Path of the field that decides, as seen from the one at `path`: `analysisParam.analysisMode`. */
export function getControllerPath(condition: Condition, path: string): string {
  const { outwards } = locateController(condition);
  const name = getControllerName(condition);
  if (outwards === 0) return name;
  let holder = path;
  for (let level = 0; level < outwards; level += 1) holder = holderPath(holder);
  return joinPath(holder, name);
}

/** Returns the path of the enclosing object, skipping lists. */
function holderPath(path: string): string {
  let at = path;
  for (
    let step = parsePath(at).at(-1);
    typeof step === 'number' || step === EVERY;
    step = parsePath(at).at(-1)
  )
    at = getParentPath(at);
  return getParentPath(at);
}

/** Paths that decide whether the field at `path` means something. */
export function listControllerPaths(root: Payload | Field, path: string): readonly string[] {
  return listFieldsAlong(root, path).flatMap((place) =>
    (place.field.when ?? [])
      .flatMap(({ given, ...condition }) => (given === undefined ? [condition] : [condition, given]))
      .map((condition) => getControllerPath(condition, place.path)),
  );
}
