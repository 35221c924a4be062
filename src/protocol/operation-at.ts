/** Finds the operation that a request is, by its method and path. */
import { computeOncePer } from '#shared/once.ts';
import type { Params } from '#shared/model.ts';
import { operations } from './catalogue.ts';
import type { Operation } from './definition.ts';

interface OperationAt {
  readonly operation: Operation;
  /** Variables of the path. */
  readonly params: Params;
}

/**
 * Finds the operation that a device takes a request for. Reads the path as forgivingly as a device may: in any case,
 * with doubled or trailing slashes, whatever its query says. `prefix` is what the device has instead of `/API`.
 */
export function findOperationAt(
  { method, path }: { readonly method: string; readonly path: string },
  prefix: string,
): OperationAt | undefined {
  const wanted = method.toUpperCase();
  const places = [plainPath(path), withoutPrefix(plainPath(path), plainPath(prefix))];
  let best: OperationAt | undefined;
  for (const operation of operations) {
    if (operation.method !== wanted) continue;
    const found = places.map((place) => patternOf(operation).exec(place)).find((match) => match !== null);
    if (found === undefined) continue;
    const params = { ...found.groups };
    // A literal path segment is more specific than a variable.
    if (best === undefined || Object.keys(params).length < Object.keys(best.params).length)
      best = { operation, params };
  }
  return best;
}

const patternOf = computeOncePer((operation: Operation): RegExp => {
  const [path = ''] = operation.path.split('?', 1);
  const source = path
    .split(/(<\w+>)/)
    .map((part) => (part.startsWith('<') ? `(?${part}[^/]+)` : part.replace(/[^\w/-]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 'i');
});

function withoutPrefix(path: string, prefix: string): string {
  return path.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)
    ? `/API${path.slice(prefix.length)}`
    : path;
}

function plainPath(path: string): string {
  const [place = ''] = path.split(/[?#]/, 1);
  return place
    .split('/')
    .map(decoded)
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => `/${segment}`)
    .join('');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
