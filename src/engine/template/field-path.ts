/** Finding the definition of a field by its path inside a payload. */
import type { Condition, Field, Payload } from '../../protocol/index.ts';

export type PathStep = string | number;

/** `TimeBlockList[0].dayOfWeek` to its steps. */
export function stepsOf(path: string): readonly PathStep[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? '') : Number(index),
  );
}

/** The fields from the payload's root down to the one at `path`; shorter where the path leaves the definition. */
export function fieldsAlong(payload: Payload, path: string): readonly Field[] {
  const along: Field[] = [];
  let inside: readonly Field[] | undefined = payload.rootItem === undefined ? payload.fields : undefined;
  let item: Field | undefined = payload.rootItem;
  for (const step of stepsOf(path)) {
    const field = typeof step === 'number' ? item : inside?.find((candidate) => candidate.name === step);
    if (field === undefined) return along;
    along.push(field);
    inside = field.kind === 'object' ? field.fields : undefined;
    item = field.kind === 'list' ? field.item : undefined;
  }
  return along;
}

/** The field at `path`, or undefined where the definition has none. */
export function fieldAt(payload: Payload, path: string): Field | undefined {
  const along = fieldsAlong(payload, path);
  return along.length === stepsOf(path).length ? along.at(-1) : undefined;
}

/** True where the field or one around it is secret or biometric. */
export function isSensitiveAt(payload: Payload, path: string): boolean {
  return fieldsAlong(payload, path).some((field) => field.sensitive === true);
}

/** Paths (from the payload's root) that decide whether the field at `path` means something. */
export function controllersOf(payload: Payload, path: string): readonly string[] {
  const steps = stepsOf(path);
  return fieldsAlong(payload, path).flatMap((field, depth) =>
    (field.when ?? [])
      .flatMap(({ given, ...condition }) => [condition, ...(given === undefined ? [] : [given])])
      .map((condition) => controllerPath(condition, pathOf(steps.slice(0, depth)))),
  );
}

function pathOf(steps: readonly PathStep[]): string {
  return steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}

function controllerPath(condition: Condition, holder: string): string {
  if (!condition.path.startsWith('^.')) return condition.path;
  const inner = condition.path.slice(2);
  return holder === '' ? inner : `${holder}.${inner}`;
}
