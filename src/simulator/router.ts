/** Finds the operation of an address, by the paths of the site's own table of operations. */
import { OPERATIONS, type Operation } from './specification/operations.ts';

interface Segment {
  readonly before: string;
  readonly variable: string | undefined;
}

interface Route {
  readonly operation: Operation;
  readonly segments: readonly Segment[];
  readonly json: boolean;
  /** Query name to variable name: `Channel` to `channelID`. */
  readonly query: readonly (readonly [name: string, variable: string])[];
}

export interface Match {
  readonly operation: Operation;
  /** Decoded; a query variable that was not given is absent. */
  readonly params: Readonly<Record<string, string>>;
}

type Routing =
  | { readonly kind: 'unreadable' }
  /** Operations that have this address, with any method. */
  | { readonly kind: 'found'; readonly matches: readonly Match[]; readonly json: boolean }
  | { readonly kind: 'unknown'; readonly json: boolean };

const ROUTES: ReadonlyMap<number, readonly Route[]> = Map.groupBy(
  OPERATIONS.map(compile),
  (route) => route.segments.length,
);

function compile(operation: Operation): Route {
  const [path = '', query = ''] = operation.path.split('?');
  const pairs = query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => part.split('=') as [string, string]);
  return {
    operation,
    json: operation.format === 'json',
    segments: path.split('/').slice(1).map(segmentOf),
    query: pairs
      .filter(([name]) => name !== 'format')
      .map(([name, value]) => [name, value.replace(/[<>]/g, '')]),
  };
}

/**
 * Parses a segment. `thermometry-<channelID>` is text followed by a variable; a variable is always last in
 * its segment.
 */
function segmentOf(text: string): Segment {
  const [, before = text, variable] = /^([^<]*)<(\w+)>$/.exec(text) ?? [];
  return { before, variable };
}

/** Routes a target from the request line; `prefix` replaces the leading `/API`. */
export function route(target: string, prefix: string): Routing {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1));
  const json = query.get('format') === 'json';
  if (!path.startsWith(`${prefix}/`)) return { kind: 'unknown', json };

  const parts = path.slice(prefix.length + 1).split('/');
  const decoded: string[] = [];
  for (const part of parts) {
    const text = decodePart(part);
    if (text === undefined) return { kind: 'unreadable' };
    decoded.push(text);
  }
  const matches = (ROUTES.get(decoded.length) ?? [])
    .filter((candidate) => candidate.json === json)
    .flatMap((candidate) => {
      const params = matchSegments(candidate, decoded);
      return params
        ? [{ operation: candidate.operation, params: { ...params, ...matchQuery(candidate, query) } }]
        : [];
    });
  const literal = matches.filter((match) => !match.operation.path.includes('<'));
  if (matches.length === 0) return { kind: 'unknown', json };
  // A path without variables goes before one whose variable happens to match that text.
  return { kind: 'found', matches: literal.length > 0 ? literal : matches, json };
}

function matchSegments(candidate: Route, decoded: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of candidate.segments.entries()) {
    const text = decoded[index] ?? '';
    if (segment.variable === undefined) {
      if (text !== segment.before) return undefined;
    } else {
      if (!text.startsWith(segment.before) || text.length === segment.before.length) return undefined;
      params[segment.variable] = text.slice(segment.before.length);
    }
  }
  return params;
}

function matchQuery(candidate: Route, query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    candidate.query.flatMap(([name, variable]) => {
      const value = query.get(name);
      return value === null ? [] : [[variable, value] as const];
    }),
  );
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
