/**
 * Digest access authentication, RFC 7616, with the older form without `qop` (RFC 2069) that some
 * devices still speak. Pure but for the client nonce, which can be given.
 */
import { getHashes, hash as hashOf, randomBytes } from 'node:crypto';
import type { Challenge } from './challenge.ts';

/** Texts from the device are bytes, one character each, as `challenge.ts` reads them. */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** Algorithm as the device spelled it; undefined if it named none, which means MD5. */
  readonly algorithm: string | undefined;
  readonly hash: HashName;
  /** The `-sess` variants. */
  readonly session: boolean;
  readonly qop: 'auth' | 'auth-int' | undefined;
  /** The nonce was too old, not the password wrong. */
  readonly stale: boolean;
  /** The device asks for UTF-8 and understands `username*`. */
  readonly utf8: boolean;
  /** The device can look users up by the hash of their name; we send the name and say so. */
  readonly userhash: boolean;
}

type HashName = 'sha512-256' | 'sha256' | 'md5';

/** Weakest first. */
const STRENGTH: readonly HashName[] = ['md5', 'sha256', 'sha512-256'];
const HASHES: Readonly<Record<string, HashName>> = {
  md5: 'md5',
  'sha-256': 'sha256',
  'sha-512-256': 'sha512-256',
};
const available = new Set(getHashes());

/** Formats the name for people: `digest SHA-256`. */
export function formatDigestLabel(challenge: DigestChallenge): string {
  const name = { md5: 'MD5', sha256: 'SHA-256', 'sha512-256': 'SHA-512-256' }[challenge.hash];
  return `digest ${name}${challenge.session ? '-sess' : ''}`;
}

/** Returns the strongest Digest challenge that can be answered; of equal ones the first. */
export function chooseDigest(challenges: readonly Challenge[]): DigestChallenge | undefined {
  const usable = challenges.map(readDigest).filter((challenge) => challenge !== undefined);
  return usable.reduce<DigestChallenge | undefined>(
    (best, challenge) => (best === undefined || rank(challenge) > rank(best) ? challenge : best),
    undefined,
  );
}

/**
 * Ranks the best sign-in of an answer: 0 is no Digest at all, 1 a Digest that cannot be answered; then the
 * hashes, weakest first, each without `qop` before itself with one. Stored with devices.
 */
export function rankDigest(challenges: readonly Challenge[]): number {
  const best = chooseDigest(challenges);
  if (best !== undefined) return rank(best);
  return challenges.some(({ scheme }) => scheme === 'digest') ? 1 : 0;
}

/** Ranks a challenge. Without `qop` the hash covers neither a count nor a nonce of ours. */
function rank({ hash, qop }: DigestChallenge): number {
  return 1 + 2 * STRENGTH.indexOf(hash) + (qop === undefined ? 0 : 1);
}

function readDigest({ scheme, params }: Challenge): DigestChallenge | undefined {
  if (scheme !== 'digest') return undefined;
  const nonce = params.get('nonce');
  const algorithm = params.get('algorithm');
  const name = (algorithm ?? 'MD5').toLowerCase();
  const session = name.endsWith('-sess');
  const hash = HASHES[session ? name.slice(0, -5) : name];
  if (nonce === undefined || hash === undefined || !available.has(hash)) return undefined;
  const qop = chooseQop(params.get('qop'));
  if (qop === 'unknown') return undefined;
  return {
    realm: params.get('realm') ?? '',
    nonce,
    opaque: params.get('opaque'),
    algorithm,
    hash,
    session,
    qop,
    stale: params.get('stale')?.trim().toLowerCase() === 'true',
    utf8: params.get('charset')?.toLowerCase() === 'utf-8',
    userhash: params.get('userhash')?.toLowerCase() === 'true',
  };
}

function chooseQop(offered: string | undefined): DigestChallenge['qop'] | 'unknown' {
  const options = (offered ?? '')
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '');
  if (options.length === 0) return undefined;
  if (options.includes('auth')) return 'auth';
  return options.includes('auth-int') ? 'auth-int' : 'unknown';
}

interface DigestRequest {
  readonly method: string;
  /** Exactly as in the request line. */
  readonly uri: string;
  readonly body?: string;
}

/** The user as the hash needs it; the password itself is not kept. */
interface DigestUser {
  readonly name: string;
  /** H(user:realm:password). */
  readonly hash: string;
  /** The key of a `-sess` session that goes on: it is made once, of its first nonces (RFC 7616, 3.4.2). */
  readonly session?: string;
}

/** The life of one nonce: counts its uses, as the device may check (RFC 7616, 3.4). */
export class DigestNonce {
  readonly challenge: DigestChallenge;
  readonly #user: DigestUser;
  /** Fixed for the nonce: with `-sess` it is part of the session's key. */
  readonly #cnonce: string;
  readonly #ha1: string;
  /** Constant parts of every header: before the URI, between it and the count, at the end. */
  readonly #head: string;
  readonly #middle: string;
  readonly #tail: string;
  /** Hashes derived from user and password. */
  readonly keys: readonly string[];
  #uses = 0;

  constructor(
    challenge: DigestChallenge,
    user: DigestUser,
    cnonce: string = randomBytes(16).toString('hex'),
  ) {
    this.challenge = challenge;
    this.#user = user;
    this.#cnonce = cnonce;
    this.#ha1 = challenge.session
      ? (user.session ?? digestHash(challenge, `${user.hash}:${challenge.nonce}:${cnonce}`))
      : user.hash;
    this.keys = [user.hash, this.#ha1];
    this.#head = `Digest ${userField(user.name, challenge)}, realm=${quote(challenge.realm)}, nonce=${quote(challenge.nonce)}, uri=`;
    this.#middle =
      (challenge.algorithm === undefined ? '' : `, algorithm=${challenge.algorithm}`) +
      (challenge.qop === undefined ? '' : `, qop=${challenge.qop}, nc=`);
    this.#tail =
      (challenge.opaque === undefined ? '' : `, opaque=${quote(challenge.opaque)}`) +
      (challenge.userhash ? ', userhash=false' : '');
  }

  get uses(): number {
    return this.#uses;
  }

  /** Computes the value of the next `Authorization` header. */
  authorize(request: DigestRequest): string {
    const { challenge } = this;
    this.#uses += 1;
    const nc = this.#uses.toString(16).padStart(8, '0');
    const { qop, session } = challenge;
    const cnonce = qop === undefined && !session ? '' : `, cnonce=${quote(this.#cnonce)}`;
    return `${this.#head}${quote(request.uri)}${this.#middle}${qop === undefined ? '' : nc}${cnonce}, response="${this.#response(request, nc)}"${this.#tail}`;
  }

  #response({ method, uri, body }: DigestRequest, nc: string): string {
    const { challenge } = this;
    const { nonce, qop } = challenge;
    const ha2 =
      qop === 'auth-int'
        ? digestHash(challenge, `${method}:${uri}:${digestHash(challenge, bytesOf(body ?? ''))}`)
        : requestHash(challenge.hash, `${method}:${uri}`);
    return digestHash(
      challenge,
      qop === undefined
        ? `${this.#ha1}:${nonce}:${ha2}`
        : `${this.#ha1}:${nonce}:${nc}:${this.#cnonce}:${qop}:${ha2}`,
    );
  }

  /** Returns the nonce that follows by `Authentication-Info: nextnonce` (RFC 7616, 3.5). */
  next(nonce: string): DigestNonce {
    return new DigestNonce({ ...this.challenge, nonce, stale: false }, { ...this.#user, session: this.#ha1 });
  }
}

/** Creates the user for one challenge's realm and algorithm. */
export function createDigestUser(
  challenge: DigestChallenge,
  { userName, password }: { readonly userName: string; readonly password: string },
): DigestUser {
  return {
    name: userName,
    hash: digestHash(challenge, `${bytesOf(userName)}:${challenge.realm}:${bytesOf(password)}`),
  };
}

/** Hashes bytes, one character each. */
function digestHash({ hash }: Pick<DigestChallenge, 'hash'>, bytes: string): string {
  return hashOf(hash, Buffer.from(bytes, 'latin1'), 'hex');
}

/** Hashes of recent requests, which hundreds of devices get alike; holds nothing secret. */
const requestHashes = new Map<string, string>();
const MOST_REQUEST_HASHES = 500;

function requestHash(hash: HashName, request: string): string {
  const key = `${hash} ${request}`;
  const known = requestHashes.get(key);
  if (known !== undefined) return known;
  if (requestHashes.size >= MOST_REQUEST_HASHES) requestHashes.clear();
  const made = digestHash({ hash }, request);
  requestHashes.set(key, made);
  return made;
}

/** Encodes our own text as the bytes that go out: UTF-8. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * Hashes the realm of a challenge. Devices put their name or number into it, so the hash tells them apart.
 */
export function hashRealm(realm: string | undefined): string {
  return digestHash({ hash: 'sha256' }, realm ?? '').slice(0, 32);
}

function userField(userName: string, challenge: DigestChallenge): string {
  const ascii = /^[\x20-\x7e]*$/.test(userName);
  if (ascii || !challenge.utf8) return `username=${quote(bytesOf(userName))}`;
  return `username*=UTF-8''${encodeURIComponent(userName.toWellFormed()).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
