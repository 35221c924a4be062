/** The limits of a device as they stand to one payload and to the value that is to be written. */
import type { Field, Payload } from '../definition.ts';
import { isPlain, own, rootField } from '../value.ts';
import type { Constraint, Constraints } from './constraints.ts';

/**
 * What was reported, by paths in this payload: where it is a list that the report holds as a member, as members
 * of the list. A size that the value itself carries beside what it limits counts where none was reported.
 */
export function limitsFor(
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
  const isInside = (path: string): boolean =>
    path === root || path.startsWith(`${root}[`) || path.startsWith(`${root}.`);
  return new Map(
    [...reported].map(([path, constraint]) => [isInside(path) ? path.slice(root.length) : path, constraint]),
  );
}

const followed = new WeakMap<Payload, readonly string[]>();

/** Paths of the numbers that limit others of the payload. */
function followedPaths(payload: Payload): readonly string[] {
  const known = followed.get(payload) ?? [...new Set(maxPaths(rootField(payload)))];
  followed.set(payload, known);
  return known;
}

function maxPaths(field: Field): readonly string[] {
  if (field.kind === 'object') return field.fields.flatMap(maxPaths);
  if (field.kind === 'list') return maxPaths(field.item);
  return 'maxAt' in field && field.maxAt !== undefined ? [field.maxAt] : [];
}

function numberAt(value: unknown, path: string): number | undefined {
  const found = path
    .split('.')
    .reduce<unknown>((at, name) => (isPlain(at) ? own(at, name) : undefined), value);
  return typeof found === 'number' && found > 0 ? found : undefined;
}
