/**
 * Signs in to one device with as few requests as possible, and never sends a wrong password twice:
 * devices lock accounts. It makes one attempt with credentials; if that fails, the gate is shut and
 * every queued and later request fails until a person acts (`lift`).
 */
import { FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { DeviceDirectory, DeviceSettings } from '../directory.ts';
import { createQueue } from '../queue.ts';
import { readAnswer } from '../read-answer.ts';
import type { HttpAnswer } from '../transport/transport.ts';
import { parseParams } from './challenge.ts';
import {
  CredentialGuard,
  getMethodKey,
  type Authorize,
  type Entry,
  type Exchange,
  type Ready,
  type SignInRequest,
} from './credential-guard.ts';
import { chooseDigest, DigestNonce, formatDigestLabel, createDigestUser } from './digest.ts';
import { NonceLife } from './nonce-life.ts';
import type { OwnCredentials } from './own-credentials.ts';
import type { Proofs } from './proofs.ts';
import {
  isSignInRequired,
  isOtherScheme,
  AttemptsLeft,
  readRefusal,
  isSignInProven,
  hasAttemptCount,
  type Refusal,
} from './refusal.ts';
import { createOtherDeviceError, signInFailed } from './sign-in-errors.ts';
import { SignInGate } from './sign-in-gate.ts';
import { formatBasicHeader, isOtherRealm, getMethodRealm, type Method } from './sign-in-method.ts';

export interface SignInOptions {
  readonly devices: DeviceDirectory;
  readonly own: OwnCredentials;
  /** Sign-ins with the same name and password on other devices. */
  readonly proofs: Pick<Proofs, 'through'>;
  readonly clock: Clock;
  /** Returns the path of a document that, as far as is known, every account may read. */
  readonly readableByAll: () => string;
}

interface Attempt extends Ready {
  readonly method: Method;
  /** Attempts at most: two if the first nonce may be refused as stale. */
  readonly tries: number;
  /**
   * Proof that a refusal concerns the path and not the password. `made`: another path accepted the password just before.
   * `wanted`: sign in elsewhere after a refusal. `if-not-counted`: like `wanted`, but only if the device reports its
   * attempts and did not count one. `none`: a refusal means that the password is wrong.
   */
  readonly proof: 'made' | 'wanted' | 'if-not-counted' | 'none';
}

/** Nonce sent with a request, and its count (`nc`). */
interface Use {
  readonly nonce: DigestNonce;
  count: number;
}

/** Milliseconds since the last accepted request. A nonce refused sooner ran out of uses; one refused later was too old. */
const NEXT_USE_SOON_MS = 3_000;
const MOST_READ = 500;
/** Longest pause after which a Basic password is sent unasked over HTTP; later another device may have the address. */
const BASIC_PAUSE_MS = 15_000;

export class SignIn {
  readonly #deviceId: string;
  readonly #options: SignInOptions;
  readonly #gate: SignInGate;
  readonly #guard: CredentialGuard;
  /** Queue of the first exchanges and of those after a refusal, one at a time. */
  readonly #turn = createQueue(1);
  /** `open`: the device answered without credentials; `verified`: it accepted them. */
  #state: 'unknown' | 'open' | 'verified' = 'unknown';
  #nonce: DigestNonce | undefined;
  #isBasic = false;
  #acceptedAt = -Infinity;
  #label: string | undefined;
  #life = new NonceLife();
  /** Scheme and realm of the last accepted sign-in. */
  #way = '';
  #attempts = new AttemptsLeft();
  /** Time of the last request that was accepted once signed, after the device had asked for a sign-in. */
  #provedAt = -Infinity;
  /** Path of a document that requires a sign-in and accepted this account. */
  #provenPath: string | undefined;
  readonly #read = new Set<string>();

  constructor(deviceId: string, options: SignInOptions) {
    this.#deviceId = deviceId;
    this.#options = options;
    this.#gate = new SignInGate(deviceId, options);
    this.#guard = new CredentialGuard(deviceId, { ...options, gate: this.#gate });
  }

  /** Scheme of the sign-in: `digest SHA-256`, `basic` or `none`; undefined until the device has answered. */
  get scheme(): string | undefined {
    return this.#label;
  }

  get isVerified(): boolean {
    return this.#state === 'verified';
  }

  /** Sends a request, signing in if needed. @throws `sign-in-*`, `account-locked`, `basic-refused` */
  perform(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer> {
    return this.#state === 'unknown' ? this.#begun(request, exchange) : this.#settled(request, exchange);
  }

  /** Forgets failure and challenge; called when a person tests again or has changed the sign-in. */
  lift(): void {
    this.#gate.open();
    this.#options.own.forget();
    this.#state = 'unknown';
    this.#nonce = undefined;
    this.#isBasic = false;
    this.#label = undefined;
    this.#life = new NonceLife();
    this.#attempts = new AttemptsLeft();
    this.#provedAt = -Infinity;
    this.#provenPath = undefined;
    this.#read.clear();
  }

  get #settings(): DeviceSettings {
    return this.#options.devices.settings(this.#deviceId);
  }

  #entry(request: SignInRequest, exchange: Exchange): Entry {
    return { epoch: this.#gate.epoch, request, exchange };
  }

  #isCurrent({ epoch }: Entry): boolean {
    return epoch === this.#gate.epoch;
  }

  async #begun(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer> {
    this.#gate.assertOpen();
    const early = await this.#turn.run(() => this.#first(request, exchange), request);
    return early ?? this.#settled(request, exchange);
  }

  /** Makes the first exchange; undefined if another request settled the sign-in in the meantime. */
  async #first(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer | undefined> {
    this.#gate.assertOpen();
    if (this.#state !== 'unknown') return undefined;
    const entry = this.#entry(request, exchange);
    const answer = await exchange(undefined);
    if (isSignInRequired(answer)) return this.#introduce(entry, answer);
    // A redirect or an error does not show that the device is open.
    if (this.#isCurrent(entry) && this.#state === 'unknown' && answer.http < 300) {
      this.#state = 'open';
      this.#label = 'none';
      this.#letIn();
    }
    return answer;
  }

  async #settled(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer> {
    this.#gate.assertOpen();
    const entry = this.#entry(request, exchange);
    const signed = this.#preemptive(request);
    const answer = await exchange(signed?.header);
    if (!isSignInRequired(answer))
      return signed === undefined ? answer : this.#checked(entry, answer, signed.used);
    if (signed !== undefined) {
      const refused = { answer, used: signed.used, at: performance.now() };
      return this.#turn.run(() => this.#refused(entry, refused), request);
    }
    // A sign-in that worked before and was merely not sent along this time needs no queue.
    const introduce = () => this.#introduce(entry, answer);
    return this.#state === 'verified' ? introduce() : this.#turn.run(introduce, request);
  }

  /** Returns the header to send without being asked; undefined if the request goes out unsigned. */
  #preemptive(
    request: SignInRequest,
  ): { readonly header: Authorize; readonly used: Use | undefined } | undefined {
    if (this.#state !== 'verified') return undefined;
    if (this.#isBasic) {
      if (!this.#isSecure && performance.now() - this.#acceptedAt > BASIC_PAUSE_MS) return undefined;
      const credentials = this.#options.own.read();
      return credentials === undefined
        ? undefined
        : { header: () => formatBasicHeader(credentials), used: undefined };
    }
    if (this.#nonce === undefined || !this.#life.allows(this.#nonce.uses)) return undefined;
    const used: Use = { nonce: this.#nonce, count: 0 };
    return { header: () => this.#signedBy(used, request), used };
  }

  get #isSecure(): boolean {
    return this.#settings.url.startsWith('https:');
  }

  #signedBy(used: Use, request: SignInRequest): string {
    const header = used.nonce.authorize(request);
    used.count = used.nonce.uses;
    this.#options.own.madeOfThem(used.nonce.keys);
    return header;
  }

  /**
   * Signs a request that was refused unsigned. Until this sign-in has been accepted once, and if the device reports no
   * number of attempts, the first signature goes to a document that every account may read. If the device refuses it, the
   * password is wrong and cost one attempt; if not, a refusal of the request concerns its path. In the opposite order a
   * wrong password would cost two attempts.
   */
  async #introduce(entry: Entry, answer: HttpAnswer): Promise<HttpAnswer> {
    this.#gate.assertOpen();
    const isVerified = this.#state === 'verified';
    const refusal = this.#refusalOf(entry, answer);
    this.#attempts.isCounted(refusal);
    const asked = await this.#withChallenge(entry, refusal);
    const { ready, method } = this.#guard.prepare(entry, asked);
    return this.#guard.sendInTurn(entry, ready, async () => {
      const isProved = !isVerified && !hasAttemptCount(refusal) && (await this.#prove(entry, ready));
      const proof = isProved ? 'made' : isVerified ? 'wanted' : 'if-not-counted';
      return this.#attempt(entry, { ...ready, method, tries: 2, proof });
    });
  }

  /**
   * Finds out why the device refused a signature that it accepted before. The nonce may have expired: the request is
   * signed again with a new one. The password may have been changed: the proof elsewhere fails. Otherwise the account
   * has no access to this path: the refusal is returned as an answer, and the sign-in stays valid.
   */
  async #refused(
    entry: Entry,
    {
      answer,
      used,
      at,
    }: { readonly answer: HttpAnswer; readonly used: Use | undefined; readonly at: number },
  ): Promise<HttpAnswer> {
    this.#gate.assertOpen();
    const { request } = entry;
    const refusal = this.#refusalOf(entry, answer);
    const challenge = used === undefined ? undefined : chooseDigest(refusal.challenges);
    const isStale = challenge?.stale === true;
    if (!isStale && this.#isWrong(refusal, used)) throw this.#failed(entry, refusal);
    const wasSoon = at - this.#acceptedAt < NEXT_USE_SOON_MS;
    const mayBeNonce = isStale || (used !== undefined && challenge?.nonce !== used.nonce.challenge.nonce);
    // The account may read a path that it has read before, so the refusal can only ask for a new nonce.
    const isNonce = isStale || (mayBeNonce && request.method === 'GET' && this.#read.has(request.uri));
    const isProved = !isNonce && (this.#provedAt > at || (await this.#provedAnew(entry, refusal)));
    if (!mayBeNonce) {
      if (isProved) return answer;
      throw this.#failed(entry, refusal);
    }
    let asked = refusal;
    if (refusal.challenges.length === 0) {
      // The refusal holds no challenge: ask for a nonce unsigned, which counts as no attempt.
      const unsigned = await entry.exchange(undefined);
      if (!isSignInRequired(unsigned)) return unsigned;
      asked = await this.#withChallenge(entry, this.#refusalOf(entry, unsigned));
      if (this.#isWrong(asked, used) || asked.challenges.length === 0) throw this.#failed(entry, asked);
    }
    const { ready, method } = this.#guard.prepare(entry, asked);
    const proof = isProved ? 'made' : isStale ? 'wanted' : 'none';
    const result = await this.#guard.sendInTurn(entry, ready, () =>
      this.#attempt(entry, { ...ready, method, tries: 1, proof }),
    );
    if (used !== undefined && wasSoon && !isSignInRequired(result)) this.#life.ranOut(used.nonce, used.count);
    return result;
  }

  /** Reads a refusal. Throws if its realm is not that of the device that accepted us before. */
  #refusalOf(entry: Entry, answer: HttpAnswer): Refusal {
    const refusal = readRefusal(answer, this.#options.own.hide);
    if (isOtherRealm(refusal.challenges, this.#settings.realm))
      throw this.#gate.shut(entry.epoch, createOtherDeviceError(refusal.report()), 'needed');
    return refusal;
  }

  /** Returns a refusal with a challenge: a path may refuse without one, then another path is asked. */
  async #withChallenge(entry: Entry, refusal: Refusal): Promise<Refusal> {
    if (refusal.challenges.length > 0 || refusal.lock?.locked === true) return refusal;
    const elsewhere = this.#elsewhere(entry);
    return (elsewhere && (await this.#ask(elsewhere))) ?? refusal;
  }

  /** Returns a GET of a document that every account may read; undefined if the request is that GET. */
  #elsewhere({ epoch, request, exchange }: Entry): Entry | undefined {
    const path = this.#provenPath ?? this.#options.readableByAll();
    if (request.method === 'GET' && request.uri === path) return undefined;
    const { signal, waited } = request;
    return {
      epoch,
      request: { method: 'GET', uri: path, signal, waited },
      exchange: (authorize) => exchange(authorize, path),
    };
  }

  /** Sends an unsigned request and returns its challenge; undefined if the path asks for no sign-in. */
  async #ask(entry: Entry): Promise<Refusal | undefined> {
    try {
      const answer = await entry.exchange(undefined);
      if (!isSignInRequired(answer)) return undefined;
      const refusal = readRefusal(answer, this.#options.own.hide);
      const { challenges } = refusal;
      return challenges.length === 0 || isOtherRealm(challenges, this.#settings.realm) ? undefined : refusal;
    } catch (error) {
      // An error on this path says nothing about the path of the request.
      if (error instanceof FieldwrightError && error.code !== 'cancelled') return undefined;
      throw error;
    }
  }

  /**
   * Signs in at another path, and returns true if that proves that name and password are right; false if that path does
   * not ask for this sign-in. @throws `sign-in-failed`, `account-locked`
   */
  async #prove(entry: Entry, ready: Ready): Promise<boolean> {
    const since = performance.now();
    const elsewhere = this.#elsewhere(entry);
    const refusal = elsewhere && (await this.#ask(elsewhere));
    if (elsewhere === undefined || refusal === undefined) return false;
    // The number of attempts may count the signature that was refused before.
    if (this.#attempts.isCounted(refusal) || refusal.lock?.locked === true)
      throw this.#failed(entry, refusal, ready.way);
    const method = this.#guard.methodFor(refusal);
    if (method instanceof FieldwrightError || getMethodKey(method) !== ready.way) return false;
    await this.#attempt(elsewhere, { ...ready, method, tries: 2, proof: 'none' });
    return this.#provedAt >= since;
  }

  /** Proves like `#prove`, but with the last accepted sign-in. */
  #provedAnew(entry: Entry, refusal: Refusal): Promise<boolean> {
    const credentials = this.#guard.credentials(entry, refusal);
    const ready = { credentials, way: this.#way, report: refusal.report };
    return this.#guard.sendInTurn(entry, ready, () => this.#prove(entry, ready));
  }

  async #attempt(entry: Entry, attempt: Attempt): Promise<HttpAnswer> {
    const { method, credentials, way, tries, proof } = attempt;
    const fresh: Use | undefined =
      method.kind === 'digest'
        ? {
            nonce: new DigestNonce(method.challenge, createDigestUser(method.challenge, credentials)),
            count: 0,
          }
        : undefined;
    const since = performance.now();
    const answer = await entry.exchange(() =>
      fresh === undefined ? formatBasicHeader(credentials) : this.#signedBy(fresh, entry.request),
    );
    if (!isSignInRequired(answer)) {
      if (this.#isCurrent(entry)) {
        this.#nonce = fresh?.nonce;
        this.#isBasic = fresh === undefined;
        this.#label = method.kind === 'digest' ? formatDigestLabel(method.challenge) : 'basic';
        this.#way = way;
      }
      const letIn = this.#checked(entry, answer, fresh);
      if (this.#isCurrent(entry)) {
        this.#options.devices.observe(this.#deviceId, { type: 'realm', realm: getMethodRealm(method) });
        if (isSignInProven(answer)) {
          this.#provedAt = since;
          if (entry.request.method === 'GET') this.#provenPath ??= entry.request.uri;
        }
      }
      return letIn;
    }
    const refusal = readRefusal(answer, this.#options.own.hide);
    const again = chooseDigest(refusal.challenges);
    if (
      tries > 1 &&
      fresh !== undefined &&
      again?.stale === true &&
      again.realm === fresh.nonce.challenge.realm &&
      refusal.lock?.locked !== true
    )
      return this.#attempt(entry, {
        ...attempt,
        method: this.#guard.choose(entry, refusal),
        tries: tries - 1,
      });
    const isCounted = this.#attempts.isCounted(refusal) || refusal.lock?.locked === true;
    const mayProve = proof === 'wanted' || (proof === 'if-not-counted' && hasAttemptCount(refusal));
    if (!isCounted && (proof === 'made' || (mayProve && (await this.#prove(entry, attempt))))) return answer;
    throw this.#failed(entry, refusal, way);
  }

  #checked(entry: Entry, answer: HttpAnswer, used: Use | undefined): HttpAnswer {
    // Some devices say "wrong password" with another status than 401.
    if (answer.http >= 400 && readAnswer(answer).status.kind === 'sign-in')
      throw this.#failed(entry, readRefusal(answer, this.#options.own.hide));
    return this.#accepted(entry, answer, used);
  }

  #accepted(entry: Entry, answer: HttpAnswer, used: Use | undefined): HttpAnswer {
    const { request } = entry;
    if (!this.#isCurrent(entry)) return answer;
    const next =
      used === undefined ? undefined : parseParams(answer.headers['authentication-info']).get('nextnonce');
    if (used !== undefined && next !== undefined && next !== '') this.#nonce = used.nonce.next(next);
    else if (used !== undefined) this.#life.worked(used.count);
    this.#acceptedAt = performance.now();
    if (request.method === 'GET' && isSignInProven(answer)) {
      if (this.#read.size >= MOST_READ) this.#read.clear();
      this.#read.add(request.uri);
    }
    if (this.#state !== 'verified') {
      this.#state = 'verified';
      this.#letIn();
    }
    return answer;
  }

  #letIn(): void {
    this.#options.devices.observe(this.#deviceId, { type: 'sign-in', state: 'ok' });
  }

  /** Returns the error of a wrong password, and records it so that no later run sends it again; not if locked. */
  #failed(entry: Entry, { report, lock }: Refusal, way = this.#way): FieldwrightError {
    const { devices, own, clock } = this.#options;
    const isLocked = lock?.locked === true;
    const credentials = isLocked || !this.#isCurrent(entry) ? undefined : own.readIfPossible();
    if (credentials !== undefined) devices.refused?.note(this.#settings.url, credentials, way);
    const error = signInFailed(report(), lock, clock.now());
    return this.#gate.shut(entry.epoch, error, isLocked ? 'locked' : 'failed');
  }

  /** Returns true if a refusal shows that the password is wrong, the account locked or another scheme required. */
  #isWrong(refusal: Refusal, used: Use | undefined): boolean {
    const isCounted = this.#attempts.isCounted(refusal);
    return isCounted || refusal.lock?.locked === true || isOtherScheme(refusal, used !== undefined);
  }
}
