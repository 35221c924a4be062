/** Finds secrets that a device does not show and that a write of its whole document therefore may lose. */
import {
  isPlain,
  isSensitivePath,
  mapLeaves,
  joinPath,
  itemPath,
  own,
  rootField,
  type Field,
  type Payload,
} from '../../protocol/index.ts';
import type { Desired, DeviceState } from './desired.ts';

/** Nothing, or the dots and stars that stand for a secret. */
const NOT_SHOWN = /^[\s*•●]*$/u;

/**
 * Returns the paths of secrets that the desired document holds without their value: fields of the definition, and members that
 * the definition does not know and whose names are those of secrets. A secret that is only given along with a change, such
 * as a present password, is not required and does not count where it is absent.
 */
export function unshownSecrets(payload: Payload, state: DeviceState, desired: Desired): readonly string[] {
  if (desired.changes.length === 0) return [];
  const paths: string[] = [];
  gather(rootField(payload), desired.value, '', paths);
  for (const { path, read } of state.unlisted ?? [])
    mapLeaves(read(), (leaf, inner) => {
      const whole = inner === '' ? path : joinPath(path, inner);
      if (isSensitivePath(payload, whole) && isUnshown(leaf)) paths.push(whole);
    });
  return paths;
}

function gather(field: Field, value: unknown, path: string, paths: string[]): void {
  if (field.kind === 'object' && isPlain(value))
    for (const inner of field.fields)
      gather(inner, own(value, inner.name), joinPath(path, inner.name), paths);
  else if (field.kind === 'list' && Array.isArray(value))
    value.forEach((item: unknown, index) => gather(field.item, item, itemPath(path, index), paths));
  else if (field.sensitive === true && (value === undefined ? field.required === true : isUnshown(value)))
    paths.push(path);
}

function isUnshown(value: unknown): boolean {
  return value === null || (typeof value === 'string' && NOT_SHOWN.test(value));
}
