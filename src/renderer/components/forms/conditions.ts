/** "Only when …": whether a field counts under the values that stand in the form now. */
import type { Condition, Field } from '../../../protocol/definition.ts';
import { isPlain, joinPath, own } from '../../../protocol/value.ts';

/** The first condition of the field at `path` that does not hold in `root`; absent counts as `absentAs`. */
export function unmetCondition(field: Field, path: string, root: unknown): Condition | undefined {
  return field.when?.find((condition) => {
    const found = valueOf(condition, path, root) ?? condition.absentAs;
    return found === undefined || !condition.oneOf.some((allowed) => String(allowed) === String(found));
  });
}

function valueOf(condition: Condition, path: string, root: unknown): unknown {
  const found = lookDown(controllerNames(condition), holderOf(condition, path, root));
  return found === null ? undefined : found;
}

function controllerNames(condition: Condition): readonly string[] {
  return condition.path.replace(/^(?:\^\.)+/, '').split('.');
}

function outwards(condition: Condition): number {
  return (/^(?:\^\.)*/.exec(condition.path)?.[0].length ?? 0) / 2;
}

function holderOf(condition: Condition, path: string, root: unknown): unknown {
  const levels = outwards(condition);
  if (levels === 0) return root;
  return holders(path, root)[levels - 1];
}

/** The objects around the field at `path`, the nearest first; lists in between do not count. */
function holders(path: string, root: unknown): readonly unknown[] {
  const found: unknown[] = [root];
  let at: unknown = root;
  const steps = [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)];
  for (const [, name, index] of steps.slice(0, -1)) {
    at = name === undefined ? (Array.isArray(at) ? at[Number(index)] : undefined) : isPlain(at) ? own(at, name) : undefined;
    if (!Array.isArray(at)) found.unshift(at);
  }
  return found;
}

function lookDown(names: readonly string[], from: unknown): unknown {
  return names.reduce<unknown>((value, name) => (isPlain(value) ? own(value, name) : undefined), from);
}

/** Path of the field that decides, as seen from the one at `path`: `analysisParam.analysisMode`. */
export function controllerPath(condition: Condition, path: string): string {
  const name = controllerNames(condition).join('.');
  const levels = outwards(condition);
  if (levels === 0) return name;
  let holder = path;
  for (let level = 0; level < levels; level += 1) holder = holder.replace(/(?:\[\d+\])+$/, '').replace(/(?:^|\.)[^.[\]]+$/, '');
  return joinPath(holder, name);
}
