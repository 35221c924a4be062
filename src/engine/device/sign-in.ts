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
import { chooseDigest, DigestNonce, digestLabel, digestUser, realmKey, strengthOf } from './digest.ts';
import type { DigestChallenge } from './digest.ts';
import type { AccountLock } from './directory.ts';
import { LockEnd } from './lock-end.ts';
import { NonceLife } from './nonce-life.ts';
import type { Credentials, Proofs } from './proofs.ts';
import { createQueue } from './queue.ts';
import {
  accountLocked,
  basicRefused,
  noCommonScheme,
  otherDevice,
  refusedElsewhere,
  signInFailed,
  signInPaused,
  signInRequired,
  weakerDigest,
} from './sign-in-errors.ts';
import type { Lock } from './sign-in-errors.ts';
import type { HttpAnswer } from './transport.ts';

export interface SignInRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly uri: string;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Hears how long it waited for another device's sign-in: that is not this device's slowness. */
  readonly waited?: (ms: number) => void;
  /** See `Proofs`. */
  readonly isTrial?: boolean;
}
/** The value of `Authorization`; made anew each time a request goes out, as a nonce count is good for one. */
export type Authorize = () => string;
/** Sends the request signed by this, or unsigned. */
export type Exchange = (authorize: Authorize | undefined) => Promise<HttpAnswer>;

export interface SignInHost {
  readonly auth: ConnectionProfile['auth'];
  readonly secure: boolean;
  /** Asked for when needed, so that no password is kept here. May throw `vault-locked`, and `sign-in-required` where it is not clear which to use. */
  credentials(): Credentials | undefined;
  /** Of the strongest sign-in that the device has offered at some time, see `strengthOf`: nothing weaker is answered. */
  readonly strength: number;
  sawOffer(strength: number): void;
  /** Stands for the realm in which the device let us in last; another one is another device, as far as anybody can tell. */
  readonly realm: string | undefined;
  sawRealm(realm: string): void;
  readonly accountLock: AccountLock | undefined;
  sawLock(lock: AccountLock): void;
  /** Whether these have let us in anywhere, as far as is stored. */
  hasWorked(): boolean;
  /** Of this name and password on other devices. */
  readonly proofs: Pick<Proofs, 'through'>;
  now(): Date;
  /** What an error answer says: `refused` where it turns the sign-in away, whatever its HTTP status. */
  inspect(answer: HttpAnswer): {
    readonly report: StatusReport;
    readonly refused: boolean;
    readonly lock?: Lock;
  };
  changed(state: 'ok' | 'needed' | 'failed' | 'locked', error?: FieldwrightError): void;
}

export interface SignIn {
  /** Resolves with an answer that is no sign-in matter any more, or throws `sign-in-*`, `account-locked`, `basic-refused`. */
  perform(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer>;
  /** A person tests again or changed the sign-in: forget failure and challenge. */
  lift(): void;
  /** `digest SHA-256`, `basic`, `none`; undefined before it is settled. */
  scheme(): string | undefined;
  /** What Digest made of user and password when it was used last. */
  keys(): readonly string[];
}

/** A challenge that may be answered. */
interface Asked {
  readonly challenges: readonly Challenge[];
  readonly report: StatusReport;
  readonly lockInfo: Lock | undefined;
  /** How often at most: a second time where the nonce was too old at once. */
  readonly tries: number;
}
interface Attempt extends Pick<Asked, 'tries'> {
  readonly method: Method;
  readonly credentials: Credentials;
}

type Method =
  | { readonly kind: 'digest'; readonly challenge: DigestChallenge }
  | { readonly kind: 'basic'; readonly realm: string };

/** A nonce along with a request, and which of its uses that is. */
interface Use {
  readonly nonce: DigestNonce;
  count: number;
}

/** A nonce that fails only later than this after the use before was too old. */
const NEXT_USE_SOON_MS = 3_000;
/** A readable password is not sent unasked after a pause in which another device may have come to this address. */
const BASIC_PAUSE_MS = 15_000;

export function createSignIn(host: SignInHost): SignIn {
  const lock = createQueue(1);
  /** `open`: the device answered without credentials; `verified`: it accepted them. */
  let state: 'unknown' | 'open' | 'verified' = 'unknown';
  let closed: FieldwrightError | undefined;
  let nonce: DigestNonce | undefined;
  let basic = false;
  let acceptedAt = -Infinity;
  let label: string | undefined;
  let life = new NonceLife();
  /** What the device told, before it let us in, of the attempts that are left. */
  let attemptsBefore: number | undefined;
  const lockEnd = new LockEnd();
  let lastKeys: readonly string[] = [];
  /** Grows with each `lift`: an answer to an older sign-in says nothing about the newer. */
  let epoch = 0;

  function assertOpen(): void {
    if (closed === undefined) return;
    throw closed.code === 'sign-in-failed' || closed.code === 'account-locked'
      ? signInPaused(closed)
      : closed;
  }
  function close(at: number, error: FieldwrightError, as: 'needed' | 'failed' | 'locked'): FieldwrightError {
    if (at === epoch && closed === undefined) {
      closed = error;
      host.changed(as, error);
      const { unlocksAt } = error.shape.lock ?? {};
      const userName = as === 'locked' ? userInUse() : undefined;
      if (userName !== undefined && unlocksAt !== undefined)
        rememberLock({ userName, until: unlocksAt, since: host.now().toISOString() });
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
  function accepted(at: number, answer: HttpAnswer, used: Use | undefined): HttpAnswer {
    if (at !== epoch) return answer;
    const next =
      used === undefined ? undefined : parseParams(answer.headers['authentication-info']).get('nextnonce');
    if (used !== undefined && next !== undefined && next !== '') nonce = used.nonce.next(next);
    else if (used !== undefined) life.worked(used.count);
    acceptedAt = performance.now();
    if (state !== 'verified') {
      state = 'verified';
      host.changed('ok');
    }
    return answer;
  }

  /** What to send along without being asked. */
  function preemptive(
    request: SignInRequest,
  ): { readonly header: Authorize; readonly used: Use | undefined } | undefined {
    if (state !== 'verified') return undefined;
    if (basic) {
      if (!host.secure && performance.now() - acceptedAt > BASIC_PAUSE_MS) return undefined;
      const credentials = host.credentials();
      return credentials === undefined
        ? undefined
        : { header: () => basicHeader(credentials), used: undefined };
    }
    if (nonce === undefined || !life.allows(nonce.uses)) return undefined;
    const used: Use = { nonce, count: 0 };
    return { header: () => signedBy(used, request), used };
  }
  function signedBy(used: Use, request: SignInRequest): string {
    const header = used.nonce.authorize(request);
    used.count = used.nonce.uses;
    lastKeys = used.nonce.keys;
    return header;
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
  async function resolve(
    at: number,
    request: SignInRequest,
    answer: HttpAnswer,
    used: Use | undefined,
    credentialed: boolean,
    exchange: Exchange,
  ): Promise<HttpAnswer> {
    assertOpen();
    const challenges = parseChallenges(answer.headers['www-authenticate']);
    const { report, lock: lockInfo } = host.inspect(answer);
    if (isOther(challenges)) throw close(at, otherDevice(report), 'needed');
    if (credentialed && !nonceAlone(challenges, used, lockInfo)) throw failed(at, report, lockInfo);
    if (credentialed && used !== undefined && performance.now() - acceptedAt < NEXT_USE_SOON_MS)
      life.ranOut(used.nonce, used.count);
    if (credentialed && challenges.length === 0) return askedAnew(at, request, exchange);
    if (!credentialed) attemptsBefore = lockInfo?.attemptsLeft ?? attemptsBefore;
    return answered(at, request, { challenges, report, lockInfo, tries: credentialed ? 1 : 2 }, exchange);
  }

  /** The nonce ran out without a word about the next one: it is asked for unsigned, which counts as no attempt, and signed once. */
  async function askedAnew(at: number, request: SignInRequest, exchange: Exchange): Promise<HttpAnswer> {
    const answer = await exchange(undefined);
    if (answer.http !== 401) return answer;
    const challenges = parseChallenges(answer.headers['www-authenticate']);
    const { report, lock: lockInfo } = host.inspect(answer);
    if (isOther(challenges)) throw close(at, otherDevice(report), 'needed');
    if (challenges.length === 0 || isCounted(lockInfo)) throw failed(at, report, lockInfo);
    return answered(at, request, { challenges, report, lockInfo, tries: 1 }, exchange);
  }

  /** Answers a challenge, unless something speaks against sending anything at all. */
  async function answered(
    at: number,
    request: SignInRequest,
    { challenges, report, lockInfo, tries }: Asked,
    exchange: Exchange,
  ): Promise<HttpAnswer> {
    if (lockInfo?.locked === true) throw close(at, accountLocked(report, lockInfo, host.now()), 'locked');
    if (host.auth === 'none') throw close(at, signInRequired(report, 'profile'), 'needed');
    const method = choose(at, challenges, report);
    const credentials = usable(at, report);
    if (credentials === undefined) throw close(at, signInRequired(report, 'no-credentials'), 'needed');
    const now = host.now();
    const wait = lockInfo?.locked === false ? 0 : msLocked(credentials.userName, now);
    if (wait > 0)
      throw close(at, accountLocked(report, { locked: true, unlockSeconds: wait / 1000 }, now), 'locked');
    const since = performance.now();
    return host.proofs.through(
      credentials,
      {
        signal: request.signal,
        isTrial: request.isTrial === true,
        hasWorked: () => host.hasWorked(),
        refused: () => close(at, refusedElsewhere(report), 'needed'),
      },
      () => {
        request.waited?.(performance.now() - since);
        assertOpen();
        return attempt(at, request, { method, credentials, tries }, exchange);
      },
    );
  }

  /** Asks for a sign-in, but never in the realm that this device let us in. */
  function isOther(challenges: readonly Challenge[]): boolean {
    const asked = challenges.filter(({ scheme }) => scheme === 'digest' || scheme === 'basic');
    return (
      host.realm !== undefined &&
      asked.length > 0 &&
      asked.every(({ params }) => realmKey(params.get('realm')) !== host.realm)
    );
  }

  /** How long this account still has to be left alone; every attempt before may start the wait anew. */
  function msLocked(userName: string, now: Date): number {
    const lock = host.accountLock;
    return lock?.userName === userName ? lockEnd.msLeft(lock, now) : 0;
  }
  function rememberLock(lock: AccountLock): void {
    lockEnd.began(lock);
    host.sawLock(lock);
  }

  /** Saved sign-ins that contradict each other are as good as none, and everything waits for a person too. */
  function usable(at: number, status: StatusReport): Credentials | undefined {
    try {
      return host.credentials();
    } catch (error) {
      throw error instanceof FieldwrightError && error.code === 'sign-in-required'
        ? close(at, error.with({ status }), 'needed')
        : error;
    }
  }

  async function attempt(
    at: number,
    request: SignInRequest,
    { method, credentials, tries }: Attempt,
    exchange: Exchange,
  ): Promise<HttpAnswer> {
    const fresh =
      method.kind === 'digest'
        ? { nonce: new DigestNonce(method.challenge, digestUser(method.challenge, credentials)), count: 0 }
        : undefined;
    const answer = await exchange(() =>
      fresh === undefined ? basicHeader(credentials) : signedBy(fresh, request),
    );
    if (answer.http !== 401) {
      if (at === epoch) {
        nonce = fresh?.nonce;
        basic = fresh === undefined;
        label = method.kind === 'digest' ? digestLabel(method.challenge) : 'basic';
      }
      const letIn = checked(at, answer, fresh);
      if (at === epoch)
        host.sawRealm(realmKey(method.kind === 'digest' ? method.challenge.realm : method.realm));
      return letIn;
    }
    const challenges = parseChallenges(answer.headers['www-authenticate']);
    const again = chooseDigest(challenges);
    const { report, lock: lockInfo } = host.inspect(answer);
    if (
      tries > 1 &&
      fresh !== undefined &&
      again?.stale === true &&
      again.realm === fresh.nonce.challenge.realm &&
      lockInfo?.locked !== true
    ) {
      return attempt(
        at,
        request,
        { method: choose(at, challenges, report), credentials, tries: tries - 1 },
        exchange,
      );
    }
    throw failed(at, report, lockInfo);
  }

  function checked(at: number, answer: HttpAnswer, used: Use | undefined): HttpAnswer {
    // Some devices say "wrong password" or "locked" with another status than 401.
    if (answer.http >= 400) {
      const { report, refused, lock: lockInfo } = host.inspect(answer);
      if (refused) throw failed(at, report, lockInfo);
    }
    return accepted(at, answer, used);
  }

  function failed(at: number, report: StatusReport, lockInfo: Lock | undefined): FieldwrightError {
    return close(
      at,
      signInFailed(report, lockInfo, host.now()),
      lockInfo?.locked === true ? 'locked' : 'failed',
    );
  }

  /**
   * Whether a 401 to credentials that this device accepted before is about the nonce. `stale` says
   * so; devices that forget to say it show another nonce or none, and count no failed attempt.
   */
  function nonceAlone(
    challenges: readonly Challenge[],
    used: Use | undefined,
    lockInfo: Lock | undefined,
  ): boolean {
    if (used === undefined || lockInfo?.locked === true) return false;
    const challenge = chooseDigest(challenges);
    if (challenge?.stale === true) return true;
    if (challenges.length > 0 && (challenge === undefined || challenge.nonce === used.nonce.challenge.nonce))
      return false;
    return !isCounted(lockInfo);
  }

  /** Some devices tell in every answer how many attempts are left: fewer than before means that a password was wrong. */
  function isCounted(lockInfo: Lock | undefined): boolean {
    const left = lockInfo?.attemptsLeft;
    return (
      lockInfo?.locked === true ||
      (left !== undefined && (attemptsBefore === undefined || left < attemptsBefore))
    );
  }

  function choose(at: number, challenges: readonly Challenge[], report: StatusReport): Method {
    const digest = chooseDigest(challenges);
    const basicOffer = challenges.find((challenge) => challenge.scheme === 'basic');
    const strength = strengthOf(challenges);
    const isWeaker = strength < host.strength;
    // Also one that cannot be answered counts: the device is no stranger to better than Basic.
    if (strength > host.strength) host.sawOffer(strength);
    if (digest !== undefined && isWeaker) throw close(at, weakerDigest(report), 'needed');
    if (digest !== undefined) return { kind: 'digest', challenge: digest };
    if (basicOffer === undefined)
      throw close(
        at,
        noCommonScheme(
          report,
          challenges.map((challenge) => challenge.scheme),
        ),
        'needed',
      );
    if (host.auth === 'digest') throw close(at, basicRefused(report, 'profile'), 'needed');
    if (isWeaker || strength > 0) throw close(at, basicRefused(report, 'downgrade'), 'needed');
    // A certificate says nothing about who reads the password behind it.
    if (host.auth !== 'basic')
      throw close(at, basicRefused(report, host.secure ? 'unasked' : 'plain'), 'needed');
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
      life = new NonceLife();
      attemptsBefore = undefined;
    },
    scheme: () => label,
    keys: () => lastKeys,
  };
}

function basicHeader({ userName, password }: Credentials): string {
  return `Basic ${Buffer.from(`${userName}:${password}`, 'utf8').toString('base64')}`;
}
