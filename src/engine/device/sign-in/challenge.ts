/**
 * `WWW-Authenticate` and its kin, as devices really write them (RFC 9110, 11.6.1). Values stay the
 * bytes they were, one character each: they are hashed and sent back, whatever character set is meant.
 */

export interface Challenge {
  /** Lower case. */
  readonly scheme: string;
  /** Names lower case, values unquoted; the first of equal names counts. */
  readonly params: ReadonlyMap<string, string>;
}

type HeaderValue = string | readonly string[] | undefined;

const TOKEN_END = new Set([' ', '\t', ',', '=', '"']);
const QOP = new Set(['auth', 'auth-int']);
const MAX_HEADER = 16_384;

/** Every challenge of one or several headers, in order; what cannot be understood is skipped. */
export function parseChallenges(header: HeaderValue): Challenge[] {
  const challenges: Challenge[] = [];
  for (const line of typeof header === 'string' ? [header] : (header ?? []))
    parseLine(line.slice(0, MAX_HEADER), challenges);
  return challenges;
}

/** Parameters of a header without a scheme, as `Authentication-Info`. */
export function parseParams(header: HeaderValue): ReadonlyMap<string, string> {
  const line = typeof header === 'string' ? header : header?.[0];
  return line === undefined ? new Map() : (parseChallenges(`params ${line}`)[0]?.params ?? new Map());
}

function parseLine(line: string, challenges: Challenge[]): void {
  let params: Map<string, string> | undefined;
  let at = 0;
  while (at < line.length) {
    const start = at;
    while (at < line.length && !TOKEN_END.has(line.charAt(at))) at += 1;
    if (at === start) {
      at += 1;
      continue;
    }
    const name = line.slice(start, at).toLowerCase();
    const next = skipSpace(line, at);
    if (line.charAt(next) === '=' && params !== undefined) {
      const value = readValue(line, skipSpace(line, next + 1));
      if (!params.has(name)) params.set(name, value.text);
      at = value.end;
    } else if (QOP.has(name) && params?.has('qop') === true) {
      // A list without its quotes: `qop=auth,auth-int`.
      params.set('qop', `${params.get('qop') ?? ''},${name}`);
    } else {
      params = new Map();
      challenges.push({ scheme: name, params });
      at = skipToken68(line, next);
    }
  }
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === ' ' || line.charAt(at) === '\t') at += 1;
  return at;
}

/** A blob instead of parameters (`Negotiate abc==`): of no use here. */
function skipToken68(line: string, from: number): number {
  const pattern = /[A-Za-z0-9._~+/-]+=*(?=\s*(?:,|$))/y;
  pattern.lastIndex = from;
  return pattern.test(line) ? pattern.lastIndex : from;
}

function readValue(line: string, from: number): { readonly text: string; readonly end: number } {
  let at = from;
  if (line.charAt(at) !== '"') {
    while (at < line.length && line.charAt(at) !== ',' && line.charAt(at) !== ' ' && line.charAt(at) !== '\t')
      at += 1;
    return { text: line.slice(from, at), end: at };
  }
  let text = '';
  for (at += 1; at < line.length && line.charAt(at) !== '"'; at += 1) {
    if (line.charAt(at) === '\\') at += 1;
    text += line.charAt(at);
  }
  return { text, end: at + 1 };
}
