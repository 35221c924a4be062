/** Reading an Authorization header (RFC 9110, 11.4): a scheme, then a token or parameters in any order. */

export interface Authorization {
  /** Lower case. */
  readonly scheme: string;
  /** The single token68, as Basic sends it. */
  readonly token?: string;
  /** Parameter names in lower case. */
  readonly params: ReadonlyMap<string, string>;
}

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*/y;
const SPACE = /[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/sy;

/**
 * Returns undefined if the header cannot be read: no scheme, an unterminated string, text between the
 * parameters, a parameter given twice. Header bytes above ASCII are taken as UTF-8.
 */
export function parseAuthorization(header: string): Authorization | undefined {
  const text = Buffer.from(header, 'latin1').toString('utf8').trim();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match;
  };

  const scheme = take(TOKEN)?.[0]?.toLowerCase();
  if (scheme === undefined || (at < text.length && text[at] !== ' ' && text[at] !== '\t')) return undefined;
  take(SPACE);

  const start = at;
  const token = take(TOKEN68)?.[0];
  if (token !== undefined && at === text.length) return { scheme, token, params: new Map() };
  at = start;

  const params = new Map<string, string>();
  while (at < text.length) {
    take(SPACE);
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    if (at >= text.length) break;
    const name = take(TOKEN)?.[0]?.toLowerCase();
    take(SPACE);
    if (name === undefined || text[at] !== '=') return undefined;
    at += 1;
    take(SPACE);
    const quoted = take(QUOTED);
    const value = quoted ? (quoted[1] ?? '').replace(/\\(.)/gs, '$1') : take(TOKEN)?.[0];
    if (value === undefined || params.has(name)) return undefined;
    params.set(name, value);
    take(SPACE);
    if (at < text.length && text[at] !== ',') return undefined;
  }
  return { scheme, params };
}
