/** Resolves the limits of a device for one payload and the value to be written. */
import type { Payload } from '../definition.ts';
import { listFieldsBelow, rootField } from '../fields/field-at.ts';
import { isWithin } from '../fields/path.ts';
import { getValueAt } from '../fields/values.ts';
import type { Constraint, Constraints } from './types.ts';
import { computeOncePer } from '#shared/once.ts';

/**
 * Maps reported limits to paths of this payload; if the payload is a list that the report holds as a member,
 * to members of the list. A size that the value itself carries is used if none was reported.
 */
export function resolveLimits(
  payload: Payload,
  value: unknown,
  reported: Constraints | undefined,
): Constraints | undefined {
  const here =
    payload.rootItem === undefined || reported === undefined
      ? reported
      : insideOf(payload.root ?? '', reported);
  const carried = followedPaths(payload).flatMap((path): (readonly [string, Constraint])[] => {
    const size = here?.has(path) ? undefined : numberAt(value, path);
    return size === undefined ? [] : [[path, { state: 'reported', text: String(size) }]];
  });
  return carried.length === 0 ? here : new Map([...(here ?? []), ...carried]);
}

function insideOf(root: string, reported: Constraints): Constraints {
  return new Map(
    [...reported].map(([path, constraint]) => [
      isWithin(path, root) ? path.slice(root.length) : path,
      constraint,
    ]),
  );
}

/** Paths of the numbers that limit others of the payload. */
const followedPaths = computeOncePer((payload: Payload): readonly string[] => {
  const limited = listFieldsBelow(rootField(payload)).flatMap(({ field }) =>
    'maxAt' in field && field.maxAt !== undefined ? [field.maxAt] : [],
  );
  return [...new Set(limited)];
});

function numberAt(value: unknown, path: string): number | undefined {
  const found = getValueAt(value, path);
  return typeof found === 'number' && found > 0 ? found : undefined;
}
