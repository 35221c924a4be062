/**
 * Getting into one device with as few requests as possible, and never twice with a wrong password:
 * devices lock accounts. One attempt with credentials; when it fails the gate closes and every
 * queued and later request ends here, until a person acts (`lift`).
 */
import { FieldwrightError } from '../../shared/errors.ts';
import type { StatusReport } from '../../shared/errors.ts';
import type { ConnectionProfile } from '../../shared/model.ts';
import { parseChallenges, parseParams } from './challenge.ts';
import type { Challenge } from './challenge.ts';
import { chooseDigest, DigestNonce, digestLabel, digestUser, realmKey } from './digest.ts';
import type { DigestChallenge } from './digest.ts';
import { createQueue } from './queue.ts';
import { accountLocked, basicRefused, noCommonScheme, otherDevice, signInFailed, signInPaused, signInRequired } from './sign-in-errors.ts';
import type { Lock } from './sign-in-errors.ts';
import type { HttpAnswer } from './transport.ts';

export interface SignInRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly uri: string;
  readonly body?: string;
  readonly signal: AbortSignal;
}
/** The value of `Authorization`; made anew each time a request goes out, as a nonce count is good for one. */
export type Authorize = () => string;
/** Sends the request signed by this, or unsigned. */
export type Exchange = (authorize: Authorize | undefined) => Promise<HttpAnswer>;

interface Credentials {
  readonly userName: string;
  readonly password: string;
}

export interface SignInHost {
  readonly auth: ConnectionProfile['auth'];
  readonly secure: boolean;
  /** Asked for when needed, so that no password is kept here. May throw `vault-locked`, and `sign-in-required` where it is not clear which to use. */
  credentials(): Credentials | undefined;
  /** The device has offered Digest at some time. */
  readonly digestSeen: boolean;
  sawDigest(): void;
  /** Stands for the realm in which the device let us in last; another one is another device, as far as anybody can tell. */
  readonly realm: string | undefined;
  sawRealm(realm: string): void;
  /** Until when (ISO 8601) the device said an account is locked. */
  readonly accountLock: { readonly userName: string; readonly until: string } | undefined;
  sawLock(userName: string, until: string): void;
  now(): Date;
  /** What an error answer says: `refused` where it turns the sign-in away, whatever its HTTP status. */
  inspect(answer: HttpAnswer): { readonly report: StatusReport; readonly refused: boolean; readonly lock?: Lock };
  changed(state: 'ok' | 'needed' | 'failed' | 'locked', error?: FieldwrightError): void;
}

export interface SignIn {
  /** Resolves with an answer that is no sign-in matter any more, or throws `sign-in-*`, `account-locked`, `basic-refused`. */
  perform(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer>;
  /** A person tests again or changed the sign-in: forget failure and challenge. */
  lift(): void;
  /** `digest SHA-256`, `basic`, `none`; undefined before it is settled. */
  scheme(): string | undefined;
}

type Method =
  | { readonly kind: 'digest'; readonly challenge: DigestChallenge }
  | { readonly kind: 'basic'; readonly realm: string };

/** In how many consecutive cases a nonce has to fail at its second use before it counts as good for one only. */
const SINGLE_USE_AFTER = 2;
/** A nonce that fails only later than this after its first use was too old. */
const SECOND_USE_SOON_MS = 3_000;
/** A readable password is not sent unasked after a pause in which another device may have come to this address. */
const BASIC_PAUSE_MS = 15_000;
/** A device that claims a longer lock than this is asked again after it. */
const LONGEST_WAIT_MS = 86_400_000;

export function createSignIn(host: SignInHost): SignIn {
  const lock = createQueue(1);
  /** `open`: the device answered without credentials; `verified`: it accepted them. */
  let state: 'unknown' | 'open' | 'verified' = 'unknown';
  let closed: FieldwrightError | undefined;
  let nonce: DigestNonce | undefined;
  let basic = false;
  let acceptedAt = -Infinity;
  let label: string | undefined;
  let secondUseFailures = 0;
  /** Grows with each `lift`: an answer to an older sign-in says nothing about the newer. */
  let epoch = 0;

  function assertOpen(): void {
    if (closed === undefined) return;
    throw closed.code === 'sign-in-failed' || closed.code === 'account-locked' ? signInPaused(closed) : closed;
  }
  function close(at: number, error: FieldwrightError, as: 'needed' | 'failed' | 'locked'): FieldwrightError {
    if (at === epoch && closed === undefined) {
      closed = error;
      host.changed(as, error);
      const { unlocksAt } = error.shape.lock ?? {};
      const userName = as === 'locked' ? userInUse() : undefined;
      if (userName !== undefined && unlocksAt !== undefined) host.sawLock(userName, unlocksAt);
    }
    return error;
  }
  function userInUse(): string | undefined {
    try {
      return host.credentials()?.userName;
    } catch {
      // Locked or gone meanwhile: nobody signs in with it then.
      return undefined;
    }
  }
  function accepted(at: number, answer: HttpAnswer, used: DigestNonce | undefined): HttpAnswer {
    if (at !== epoch) return answer;
    const next = used === undefined ? undefined : parseParams(answer.headers['authentication-info']).get('nextnonce');
    if (used !== undefined && next !== undefined && next !== '') nonce = used.next(next);
    else if (used !== undefined && used.uses > 1) secondUseFailures = 0;
    acceptedAt = performance.now();
    if (state !== 'verified') {
      state = 'verified';
      host.changed('ok');
    }
    return answer;
  }

  /** What to send along without being asked. */
  function preemptive(request: SignInRequest): { readonly header: Authorize; readonly used: DigestNonce | undefined } | undefined {
    if (state !== 'verified') return undefined;
    if (basic) {
      if (!host.secure && performance.now() - acceptedAt > BASIC_PAUSE_MS) return undefined;
      const credentials = host.credentials();
      return credentials === undefined ? undefined : { header: () => basicHeader(credentials), used: undefined };
    }
    const isSingleUse = secondUseFailures >= SINGLE_USE_AFTER;
    const current = nonce;
    return current === undefined || (isSingleUse && current.uses > 0) ? undefined : { header: () => current.authorize(request), used: current };
  }

  /** The first exchanges, one request at a time; undefined when somebody else settled it meanwhile. */
  async function first(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer | undefined> {
    assertOpen();
    if (state !== 'unknown') return undefined;
    const at = epoch;
    const answer = await exchange(undefined);
    if (answer.http === 401) return resolve(at, request, answer, undefined, false, exchange);
    // Who sends on elsewhere, or knows nothing of what was asked for, has not let anybody in.
    if (at === epoch && state === 'unknown' && answer.http < 300) {
      state = 'open';
      label = 'none';
      host.changed('ok');
    }
    return answer;
  }

  async function settled(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer> {
    assertOpen();
    const at = epoch;
    const signed = preemptive(request);
    const answer = await exchange(signed?.header);
    if (answer.http !== 401) return signed === undefined ? answer : checked(at, answer, signed.used);
    const go = () => resolve(at, request, answer, signed?.used, signed !== undefined, exchange);
    // A sign-in that worked before and was merely not sent along this time needs no queue.
    return state === 'verified' && signed === undefined ? go() : lock.run(go, request);
  }

  /** Deals with a 401: signs, or signs anew where the nonce alone was refused, at most once. */
  async function resolve(at: number, request: SignInRequest, answer: HttpAnswer, used: DigestNonce | undefined, credentialed: boolean, exchange: Exchange): Promise<HttpAnswer> {
    assertOpen();
    const challenges = parseChallenges(answer.headers['www-authenticate']);
    const { report, lock: lockInfo } = host.inspect(answer);
    if (isOther(challenges)) throw close(at, otherDevice(report), 'needed');
    if (credentialed && !nonceAlone(chooseDigest(challenges), used, lockInfo)) throw failed(at, report, lockInfo);
    if (lockInfo?.locked === true) throw close(at, accountLocked(report, lockInfo, host.now()), 'locked');
    if (host.auth === 'none') throw close(at, signInRequired(report, 'profile'), 'needed');
    const method = choose(at, challenges, report);
    const credentials = usable(at, report);
    if (credentials === undefined) throw close(at, signInRequired(report, 'no-credentials'), 'needed');
    const now = host.now();
    const wait = lockInfo?.locked === false ? 0 : msLocked(credentials.userName, now);
    if (wait > 0) throw close(at, accountLocked(report, { locked: true, unlockSeconds: wait / 1000 }, now), 'locked');
    if (credentialed && used?.uses === 2 && performance.now() - acceptedAt < SECOND_USE_SOON_MS) secondUseFailures += 1;
    return attempt(at, request, method, credentials, credentialed ? 1 : 2, exchange);
  }

  /** Asks for a sign-in, but never in the realm that this device let us in. */
  function isOther(challenges: readonly Challenge[]): boolean {
    const asked = challenges.filter(({ scheme }) => scheme === 'digest' || scheme === 'basic');
    return host.realm !== undefined && asked.length > 0 && asked.every(({ params }) => realmKey(params.get('realm')) !== host.realm);
  }

  /** How long this account still has to be left alone; every attempt before may start the wait anew. */
  function msLocked(userName: string, now: Date): number {
    const lock = host.accountLock;
    const left = lock?.userName === userName ? Date.parse(lock.until) - now.getTime() : 0;
    return left > 0 && left <= LONGEST_WAIT_MS ? left : 0;
  }

  /** Saved sign-ins that contradict each other are as good as none, and everything waits for a person too. */
  function usable(at: number, status: StatusReport): Credentials | undefined {
    try {
      return host.credentials();
    } catch (error) {
      throw error instanceof FieldwrightError && error.code === 'sign-in-required' ? close(at, error.with({ status }), 'needed') : error;
    }
  }

  async function attempt(
    at: number, request: SignInRequest, method: Method, credentials: Credentials, tries: number, exchange: Exchange,
  ): Promise<HttpAnswer> {
    const fresh = method.kind === 'digest' ? new DigestNonce(method.challenge, digestUser(method.challenge, credentials)) : undefined;
    const answer = await exchange(() => (fresh === undefined ? basicHeader(credentials) : fresh.authorize(request)));
    if (answer.http !== 401) {
      if (at === epoch) {
        nonce = fresh;
        basic = fresh === undefined;
        label = method.kind === 'digest' ? digestLabel(method.challenge) : 'basic';
      }
      const letIn = checked(at, answer, fresh);
      if (at === epoch) host.sawRealm(realmKey(method.kind === 'digest' ? method.challenge.realm : method.realm));
      return letIn;
    }
    const again = chooseDigest(parseChallenges(answer.headers['www-authenticate']));
    const { report, lock: lockInfo } = host.inspect(answer);
    if (tries > 1 && fresh !== undefined && again?.stale === true && again.realm === fresh.challenge.realm && lockInfo?.locked !== true) {
      return attempt(at, request, { kind: 'digest', challenge: again }, credentials, tries - 1, exchange);
    }
    throw failed(at, report, lockInfo);
  }

  function checked(at: number, answer: HttpAnswer, used: DigestNonce | undefined): HttpAnswer {
    // Some devices say "wrong password" or "locked" with another status than 401.
    if (answer.http >= 400) {
      const { report, refused, lock: lockInfo } = host.inspect(answer);
      if (refused) throw failed(at, report, lockInfo);
    }
    return accepted(at, answer, used);
  }

  function failed(at: number, report: StatusReport, lockInfo: Lock | undefined): FieldwrightError {
    return close(at, signInFailed(report, lockInfo, host.now()), lockInfo?.locked === true ? 'locked' : 'failed');
  }

  /**
   * Whether a 401 to credentials that this device accepted before is about the nonce. `stale` says
   * so; devices that forget to say it show another nonce and count no failed attempt.
   */
  function nonceAlone(challenge: DigestChallenge | undefined, used: DigestNonce | undefined, lockInfo: Lock | undefined): boolean {
    if (challenge === undefined || used === undefined || lockInfo?.locked === true) return false;
    if (challenge.stale) return true;
    return challenge.nonce !== used.challenge.nonce && lockInfo?.attemptsLeft === undefined;
  }

  function choose(at: number, challenges: readonly Challenge[], report: StatusReport): Method {
    const digest = chooseDigest(challenges);
    const basicOffer = challenges.find((challenge) => challenge.scheme === 'basic');
    // Also one that cannot be answered counts: the device is no stranger to better than Basic.
    if (challenges.some((challenge) => challenge.scheme === 'digest')) host.sawDigest();
    if (digest !== undefined) return { kind: 'digest', challenge: digest };
    if (basicOffer === undefined) throw close(at, noCommonScheme(report, challenges.map((challenge) => challenge.scheme)), 'needed');
    if (host.auth === 'digest') throw close(at, basicRefused(report, 'profile'), 'needed');
    if (host.digestSeen) throw close(at, basicRefused(report, 'downgrade'), 'needed');
    if (!host.secure && host.auth !== 'basic') throw close(at, basicRefused(report, 'plain'), 'needed');
    return { kind: 'basic', realm: basicOffer.params.get('realm') ?? '' };
  }

  return {
    async perform(request, exchange) {
      assertOpen();
      const early = state === 'unknown' ? await lock.run(() => first(request, exchange), request) : undefined;
      return early ?? settled(request, exchange);
    },
    lift() {
      epoch += 1;
      state = 'unknown';
      closed = undefined;
      nonce = undefined;
      basic = false;
      label = undefined;
      secondUseFailures = 0;
    },
    scheme: () => label,
  };
}

function basicHeader({ userName, password }: Credentials): string {
  return `Basic ${Buffer.from(`${userName}:${password}`, 'utf8').toString('base64')}`;
}
