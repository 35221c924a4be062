/** The device's side of Digest (RFC 7616): qop `auth`, MD5 or SHA-256. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Authorization } from './header.ts';

type DigestAlgorithm = 'MD5' | 'SHA-256';

export interface DigestAccount {
  readonly user: string;
  readonly password: string;
  readonly realm: string;
  readonly opaque: string;
  readonly algorithm: DigestAlgorithm;
}

type DigestCheck =
  /** The header cannot be what RFC 7616 asks for: 400. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'wrong'; readonly user: string }
  | { readonly kind: 'right'; readonly user: string; readonly nonce: string; readonly count: number };

const REQUIRED = ['username', 'realm', 'nonce', 'uri', 'response', 'qop', 'nc', 'cnonce'] as const;

export function formatDigestChallenge(account: DigestAccount, nonce: string, stale: boolean): string {
  return `Digest realm="${account.realm}", qop="auth", algorithm=${account.algorithm}, nonce="${nonce}", opaque="${account.opaque}"${stale ? ', stale=true' : ''}`;
}

/** Does the header prove the password for this request? Says nothing about the nonce's age. */
export function checkDigest(
  account: DigestAccount,
  header: Authorization,
  request: { readonly method: string; readonly target: string },
): DigestCheck {
  const params = header.params;
  const missing = REQUIRED.find(
    (name) => !params.has(name) && !(name === 'username' && params.has('username*')),
  );
  if (missing) return { kind: 'unreadable', detail: `Digest without ${missing}.` };
  const of = (name: string): string => params.get(name) ?? '';

  const user = params.has('username') ? of('username') : extendedText(of('username*'));
  if (user === undefined) return { kind: 'unreadable', detail: 'username* cannot be read.' };
  if (of('qop') !== 'auth') return { kind: 'unreadable', detail: 'Only qop auth was offered.' };
  if (!/^[0-9a-f]{8}$/i.test(of('nc')))
    return { kind: 'unreadable', detail: 'nc is not eight hexadecimal digits.' };
  // RFC 7616, 3.4: an absent algorithm is MD5
  if ((params.get('algorithm') ?? 'MD5').toUpperCase() !== account.algorithm)
    return { kind: 'unreadable', detail: 'This algorithm was not offered.' };
  if (!sameTarget(of('uri'), request.target))
    return { kind: 'unreadable', detail: 'The digest is for another address.' };

  const expected = digestResponse({
    algorithm: account.algorithm,
    user: account.user,
    realm: account.realm,
    password: account.password,
    method: request.method,
    uri: of('uri'),
    nonce: of('nonce'),
    nc: of('nc'),
    cnonce: of('cnonce'),
  });
  const proven = isEqualInConstantTime(expected, of('response').toLowerCase());
  const known = isEqualInConstantTime(digestOf('SHA-256', user), digestOf('SHA-256', account.user));
  const mine = of('realm') === account.realm && (!params.has('opaque') || of('opaque') === account.opaque);
  if (!proven || !known || !mine) return { kind: 'wrong', user };
  return { kind: 'right', user, nonce: of('nonce'), count: Number.parseInt(of('nc'), 16) };
}

interface DigestParts {
  readonly algorithm: DigestAlgorithm;
  readonly user: string;
  readonly realm: string;
  readonly password: string;
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
}

/** RFC 7616, 3.4.1 with qop auth. */
function digestResponse(parts: DigestParts): string {
  const secret = digestOf(parts.algorithm, `${parts.user}:${parts.realm}:${parts.password}`);
  const asked = digestOf(parts.algorithm, `${parts.method}:${parts.uri}`);
  return digestOf(parts.algorithm, `${secret}:${parts.nonce}:${parts.nc}:${parts.cnonce}:auth:${asked}`);
}

function digestOf(algorithm: DigestAlgorithm, text: string): string {
  return createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text, 'utf8')
    .digest('hex');
}

export function isEqualInConstantTime(one: string, other: string): boolean {
  const a = Buffer.from(one, 'utf8');
  const b = Buffer.from(other, 'utf8');
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The uri of the digest is the request's target, or the same target with scheme and host before it. */
function sameTarget(uri: string, target: string): boolean {
  return uri === target || uri.replace(/^https?:\/\/[^/]+/i, '') === target;
}

/** `UTF-8''J%C3%A4s%C3%B8n` (RFC 8187). */
function extendedText(value: string): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value);
  try {
    return match ? decodeURIComponent(match[1] ?? '') : undefined;
  } catch {
    return undefined;
  }
}
