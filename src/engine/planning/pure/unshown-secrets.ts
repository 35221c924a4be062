/** Finds secrets that a device does not show and that a write of its whole document therefore may lose. */
import {
  isPlain,
  joinPath,
  appendIndex,
  getOwn,
  rootField,
  type Field,
  type Payload,
} from '#protocol/index.ts';
import { say, formatSomeNames } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Desired } from './desired.ts';

/** Nothing, or the dots and stars that stand for a secret. */
const NOT_SHOWN = /^[\s*•●]*$/u;

/** Returns the warning that writing `desired` may lose secrets, for the plan and for the result; undefined where it loses none. */
export function warnOfUnshown(
  payload: Payload,
  desired: Desired,
  context: Pick<ErrorShape, 'operation' | 'device'>,
): ErrorShape | undefined {
  const unshown = listUnshownSecrets(payload, desired);
  const [path] = unshown;
  if (path === undefined) return undefined;
  return {
    ...context,
    ...{ code: 'unusual', source: 'app', path },
    ...say('secret-not-shown', { names: formatSomeNames(unshown) }),
  };
}

/**
 * Returns the paths of secrets of the definition that the desired document holds without their value. A secret that is
 * only given along with a change, such as a present password, is not required and does not count where it is absent.
 */
function listUnshownSecrets(payload: Payload, desired: Desired): readonly string[] {
  if (desired.changes.length === 0) return [];
  const paths: string[] = [];
  gather(rootField(payload), desired.value, '', paths);
  return paths;
}

function gather(field: Field, value: unknown, path: string, paths: string[]): void {
  if (field.kind === 'object' && isPlain(value))
    for (const inner of field.fields)
      gather(inner, getOwn(value, inner.name), joinPath(path, inner.name), paths);
  else if (field.kind === 'list' && Array.isArray(value))
    value.forEach((item: unknown, index) => gather(field.item, item, appendIndex(path, index), paths));
  else if (field.sensitive === true && (value === undefined ? field.required === true : isUnshown(value)))
    paths.push(path);
}

function isUnshown(value: unknown): boolean {
  return value === null || (typeof value === 'string' && NOT_SHOWN.test(value));
}
