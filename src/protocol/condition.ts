/** "Only when …": whether the conditions of a field hold under the values beside it. */
import type { Condition } from './definition.ts';
import { isPlain, own } from './value.ts';

export interface ConditionPlace {
  /** The objects from the field's holder outwards; lists in between do not count. */
  readonly holders: readonly unknown[];
  readonly root: unknown;
  /** Does an absent value count as its default? Of a patch it may still stand on the device. */
  readonly judgesAbsent: (isRelative: boolean) => boolean;
}

/** The first condition that is known not to hold. */
export function firstUnmet(
  conditions: readonly Condition[] | undefined,
  place: ConditionPlace,
): Condition | undefined {
  return conditions?.find(
    (condition) =>
      standing(condition, place) === 'unmet' &&
      (condition.given === undefined || standing(condition.given, place) === 'met'),
  );
}

function standing(
  condition: Condition,
  { holders, root, judgesAbsent }: ConditionPlace,
): 'met' | 'unmet' | 'open' {
  const { names, outwards } = controllerOf(condition);
  const found = lookDown(names, outwards === 0 ? root : holders[outwards - 1]);
  if (found === undefined && !judgesAbsent(outwards > 0)) return 'open';
  const held = found ?? condition.absentAs;
  return held !== undefined && condition.oneOf.some((allowed) => String(allowed) === String(held))
    ? 'met'
    : 'unmet';
}

/** The names that lead to the field that decides, and from which holder: 0 is the root, 1 the object that holds the field. */
export function controllerOf({ path }: Pick<Condition, 'path'>): {
  readonly names: readonly string[];
  readonly outwards: number;
} {
  const upwards = /^(?:\^\.)*/.exec(path)?.[0].length ?? 0;
  return { names: path.slice(upwards).split('.'), outwards: upwards / 2 };
}

function lookDown(names: readonly string[], from: unknown): unknown {
  return (
    names.reduce<unknown>((value, name) => (isPlain(value) ? own(value, name) : undefined), from) ?? undefined
  );
}
