/** "Only when …": whether a field counts under the values that stand in the form now. */
import { controllerOf, firstUnmet } from '../../../../protocol/condition.ts';
import type { Condition, Field } from '../../../../protocol/definition.ts';
import { isPlain, joinPath, own } from '../../../../protocol/value.ts';

/** The first condition of the field at `path` that does not hold in `root`; absent counts as `absentAs`. */
export function unmetCondition(field: Field, path: string, root: unknown): Condition | undefined {
  return field.when === undefined
    ? undefined
    : firstUnmet(field.when, { holders: holders(path, root), root, judgesAbsent: () => true });
}

/** The objects around the field at `path`, the nearest first; lists in between do not count. */
function holders(path: string, root: unknown): readonly unknown[] {
  const found: unknown[] = [root];
  let at: unknown = root;
  const steps = [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)];
  for (const [, name, index] of steps.slice(0, -1)) {
    at =
      name === undefined
        ? Array.isArray(at)
          ? at[Number(index)]
          : undefined
        : isPlain(at)
          ? own(at, name)
          : undefined;
    if (!Array.isArray(at)) found.unshift(at);
  }
  return found;
}

/** Path of the field that decides, as seen from the one at `path`: `analysisParam.analysisMode`. */
export function controllerPath(condition: Condition, path: string): string {
  const { names, outwards } = controllerOf(condition);
  const name = names.join('.');
  if (outwards === 0) return name;
  let holder = path;
  for (let level = 0; level < outwards; level += 1)
    holder = holder.replace(/(?:\[\d+\])+$/, '').replace(/(?:^|\.)[^.[\]]+$/, '');
  return joinPath(holder, name);
}
