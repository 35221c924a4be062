/**
 * Getting into one device with as few requests as possible, and never twice with a wrong password:
 * devices lock accounts. One attempt with credentials; when it fails the gate is shut and every
 * queued and later request ends there, until a person acts (`lift`).
 */
import { FieldwrightError, type StatusReport } from '../../../shared/errors.ts';
import type { Clock } from '../../api/host.ts';
import { parseChallenges, parseParams, type Challenge } from './challenge.ts';
import { chooseDigest, DigestNonce, digestLabel, digestUser, strengthOf } from './digest.ts';
import type { DeviceDirectory, DeviceSettings } from '../directory.ts';
import { NonceLife } from './nonce-life.ts';
import type { OwnCredentials } from './own-credentials.ts';
import type { Credentials, Proofs } from './proofs.ts';
import { createQueue } from '../queue.ts';
import { readAnswer } from '../read-answer.ts';
import {
  accountLocked,
  otherDevice,
  refusedBefore,
  refusedElsewhere,
  signInFailed,
  signInRequired,
  type Lock,
} from './sign-in-errors.ts';
import { SignInGate } from './sign-in-gate.ts';
import { basicHeader, chooseMethod, isOtherRealm, realmOf, type Method } from './sign-in-method.ts';
import type { HttpAnswer } from '../transport/transport.ts';

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

export interface SignInOptions {
  readonly devices: DeviceDirectory;
  readonly own: OwnCredentials;
  /** Of this name and password on other devices. */
  readonly proofs: Pick<Proofs, 'through'>;
  readonly clock: Clock;
}

/** A request that has to be let in, and by which sign-in: an answer to an older one says nothing about the newer. */
interface Entry {
  readonly epoch: number;
  readonly request: SignInRequest;
  readonly exchange: Exchange;
}

/** What an answer says that turns a request away. */
interface Refusal {
  readonly challenges: readonly Challenge[];
  /** For whoever is told; made when it is asked for, as every device turns its first request away. */
  readonly report: () => StatusReport;
  readonly lock: Lock | undefined;
}

interface Attempt {
  readonly method: Method;
  readonly credentials: Credentials;
  /** How often at most: a second time where the nonce was too old at once. */
  readonly tries: number;
}

/** A nonce along with a request, and which of its uses that is. */
interface Use {
  readonly nonce: DigestNonce;
  count: number;
}

/** A nonce that fails only later than this after the use before was too old. */
const NEXT_USE_SOON_MS = 3_000;
/** A readable password is not sent unasked after a pause in which another device may have come to this address. */
const BASIC_PAUSE_MS = 15_000;

export class SignIn {
  readonly #deviceId: string;
  readonly #options: SignInOptions;
  readonly #gate: SignInGate;
  /** The first exchanges and those after a refusal, one at a time. */
  readonly #turn = createQueue(1);
  /** `open`: the device answered without credentials; `verified`: it accepted them. */
  #state: 'unknown' | 'open' | 'verified' = 'unknown';
  #nonce: DigestNonce | undefined;
  #isBasic = false;
  #acceptedAt = -Infinity;
  #label: string | undefined;
  #life = new NonceLife();
  /** What the device told, before it let us in, of the attempts that are left. */
  #attemptsBefore: number | undefined;

  constructor(deviceId: string, options: SignInOptions) {
    this.#deviceId = deviceId;
    this.#options = options;
    this.#gate = new SignInGate(deviceId, options);
  }

  /** `digest SHA-256`, `basic`, `none`; undefined before it is settled. */
  get scheme(): string | undefined {
    return this.#label;
  }

  /** Resolves with an answer that is no sign-in matter any more, or throws `sign-in-*`, `account-locked`, `basic-refused`. */
  perform(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer> {
    return this.#state === 'unknown' ? this.#begun(request, exchange) : this.#settled(request, exchange);
  }

  /** A person tests again or changed the sign-in: forget failure and challenge. */
  lift(): void {
    this.#gate.open();
    this.#options.own.forget();
    this.#state = 'unknown';
    this.#nonce = undefined;
    this.#isBasic = false;
    this.#label = undefined;
    this.#life = new NonceLife();
    this.#attemptsBefore = undefined;
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

  /** The first exchange; undefined when somebody else settled it meanwhile. */
  async #first(request: SignInRequest, exchange: Exchange): Promise<HttpAnswer | undefined> {
    this.#gate.assertOpen();
    if (this.#state !== 'unknown') return undefined;
    const entry = this.#entry(request, exchange);
    const answer = await exchange(undefined);
    if (answer.http === 401) return this.#resolve(entry, answer, undefined);
    // Who sends on elsewhere, or knows nothing of what was asked for, has not let anybody in.
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
    if (answer.http !== 401) return signed === undefined ? answer : this.#checked(entry, answer, signed.used);
    const go = () => this.#resolve(entry, answer, signed);
    // A sign-in that worked before and was merely not sent along this time needs no queue.
    return this.#state === 'verified' && signed === undefined ? go() : this.#turn.run(go, request);
  }

  /** What to send along without being asked. */
  #preemptive(
    request: SignInRequest,
  ): { readonly header: Authorize; readonly used: Use | undefined } | undefined {
    if (this.#state !== 'verified') return undefined;
    if (this.#isBasic) {
      if (!this.#isSecure && performance.now() - this.#acceptedAt > BASIC_PAUSE_MS) return undefined;
      const credentials = this.#options.own.read();
      return credentials === undefined
        ? undefined
        : { header: () => basicHeader(credentials), used: undefined };
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

  /** Deals with a 401: signs, or signs anew where the nonce alone was refused, at most once. `signed`: credentials went along. */
  async #resolve(
    entry: Entry,
    answer: HttpAnswer,
    signed: { readonly used: Use | undefined } | undefined,
  ): Promise<HttpAnswer> {
    this.#gate.assertOpen();
    const refusal = this.#refusalOf(entry, answer);
    if (signed === undefined) {
      this.#attemptsBefore = refusal.lock?.attemptsLeft ?? this.#attemptsBefore;
      return this.#answered(entry, refusal, 2);
    }
    const { used } = signed;
    if (used === undefined || !this.#isAboutNonce(refusal, used)) throw this.#failed(entry, refusal);
    if (performance.now() - this.#acceptedAt < NEXT_USE_SOON_MS) this.#life.ranOut(used.nonce, used.count);
    return refusal.challenges.length === 0 ? this.#askedAnew(entry) : this.#answered(entry, refusal, 1);
  }

  /** The nonce ran out without a word about the next one: it is asked for unsigned, which counts as no attempt, and signed once. */
  async #askedAnew(entry: Entry): Promise<HttpAnswer> {
    const answer = await entry.exchange(undefined);
    if (answer.http !== 401) return answer;
    const refusal = this.#refusalOf(entry, answer);
    if (refusal.challenges.length === 0 || this.#isCounted(refusal.lock)) throw this.#failed(entry, refusal);
    return this.#answered(entry, refusal, 1);
  }

  /** Throws where another device asks than the one that let us in. */
  #refusalOf(entry: Entry, answer: HttpAnswer): Refusal {
    const refusal = this.#readRefusal(answer);
    if (isOtherRealm(refusal.challenges, this.#settings.realm))
      throw this.#gate.shut(entry.epoch, otherDevice(refusal.report()), 'needed');
    return refusal;
  }

  #readRefusal(answer: HttpAnswer): Refusal {
    const { status } = readAnswer(answer);
    return {
      challenges: parseChallenges(answer.headers['www-authenticate']),
      report: () => this.#options.own.hide(status.report),
      lock: status.lock,
    };
  }

  /** Answers a challenge, unless something speaks against sending anything at all. */
  async #answered(entry: Entry, refusal: Refusal, tries: number): Promise<HttpAnswer> {
    const { report, lock } = refusal;
    const { epoch, request } = entry;
    const { clock, devices, proofs } = this.#options;
    const gate = this.#gate;
    if (lock?.locked === true) throw gate.shut(epoch, accountLocked(report(), lock, clock.now()), 'locked');
    if (this.#settings.profile.auth === 'none')
      throw gate.shut(epoch, signInRequired(report(), 'profile'), 'needed');
    const method = this.#choose(entry, refusal);
    const credentials = this.#usable(entry, report);
    if (credentials === undefined)
      throw gate.shut(epoch, signInRequired(report(), 'no-credentials'), 'needed');
    const now = clock.now();
    const wait = lock?.locked === false ? 0 : gate.msLocked(credentials.userName, now);
    if (wait > 0)
      throw gate.shut(
        epoch,
        accountLocked(report(), { locked: true, unlockSeconds: wait / 1000 }, now),
        'locked',
      );
    const { refused } = devices;
    const { url } = this.#settings;
    const way = `${method.kind} ${realmOf(method)}`;
    if (request.isTrial !== true && refused?.has(url, credentials, way) === true)
      throw gate.shut(epoch, refusedBefore(report()), 'failed');
    const since = performance.now();
    return proofs.through(
      credentials,
      {
        signal: request.signal,
        isTrial: request.isTrial === true,
        hasWorked: () => devices.signInWorked?.(this.#deviceId) ?? false,
        refused: () => gate.shut(epoch, refusedElsewhere(report()), 'needed'),
      },
      async () => {
        request.waited?.(performance.now() - since);
        gate.assertOpen();
        try {
          const answer = await this.#attempt(entry, { method, credentials, tries });
          refused?.forget(url);
          return answer;
        } catch (error) {
          // A locked account says nothing of the password: when the lock ends it may be tried.
          if (error instanceof FieldwrightError && error.code === 'sign-in-failed')
            refused?.note(url, credentials, way);
          throw error;
        }
      },
    );
  }

  #choose({ epoch }: Entry, { challenges, report }: Refusal): Method {
    const { strength, profile } = this.#settings;
    const offered = strengthOf(challenges);
    // Also one that cannot be answered counts: the device is no stranger to better than Basic.
    if (offered > strength)
      this.#options.devices.observe(this.#deviceId, { type: 'offered', strength: offered });
    const method = chooseMethod(
      challenges,
      { auth: profile.auth, isSecure: this.#isSecure, strength },
      report,
    );
    if (method instanceof FieldwrightError) throw this.#gate.shut(epoch, method, 'needed');
    return method;
  }

  /** Saved sign-ins that contradict each other are as good as none, and everything waits for a person too. */
  #usable({ epoch }: Entry, report: Refusal['report']): Credentials | undefined {
    try {
      return this.#options.own.read();
    } catch (error) {
      throw error instanceof FieldwrightError && error.code === 'sign-in-required'
        ? this.#gate.shut(epoch, error.with({ status: report() }), 'needed')
        : error;
    }
  }

  async #attempt(entry: Entry, { method, credentials, tries }: Attempt): Promise<HttpAnswer> {
    const fresh: Use | undefined =
      method.kind === 'digest'
        ? { nonce: new DigestNonce(method.challenge, digestUser(method.challenge, credentials)), count: 0 }
        : undefined;
    const answer = await entry.exchange(() =>
      fresh === undefined ? basicHeader(credentials) : this.#signedBy(fresh, entry.request),
    );
    if (answer.http !== 401) {
      if (this.#isCurrent(entry)) {
        this.#nonce = fresh?.nonce;
        this.#isBasic = fresh === undefined;
        this.#label = method.kind === 'digest' ? digestLabel(method.challenge) : 'basic';
      }
      const letIn = this.#checked(entry, answer, fresh);
      if (this.#isCurrent(entry))
        this.#options.devices.observe(this.#deviceId, { type: 'realm', realm: realmOf(method) });
      return letIn;
    }
    const refusal = this.#readRefusal(answer);
    const again = chooseDigest(refusal.challenges);
    if (
      tries > 1 &&
      fresh !== undefined &&
      again?.stale === true &&
      again.realm === fresh.nonce.challenge.realm &&
      refusal.lock?.locked !== true
    ) {
      const next = this.#choose(entry, refusal);
      return this.#attempt(entry, { method: next, credentials, tries: tries - 1 });
    }
    throw this.#failed(entry, refusal);
  }

  #checked(entry: Entry, answer: HttpAnswer, used: Use | undefined): HttpAnswer {
    // Some devices say "wrong password" or "locked" with another status than 401.
    if (answer.http >= 400 && readAnswer(answer).status.kind === 'sign-in')
      throw this.#failed(entry, this.#readRefusal(answer));
    return this.#accepted(entry, answer, used);
  }

  #accepted(entry: Entry, answer: HttpAnswer, used: Use | undefined): HttpAnswer {
    if (!this.#isCurrent(entry)) return answer;
    const next =
      used === undefined ? undefined : parseParams(answer.headers['authentication-info']).get('nextnonce');
    if (used !== undefined && next !== undefined && next !== '') this.#nonce = used.nonce.next(next);
    else if (used !== undefined) this.#life.worked(used.count);
    this.#acceptedAt = performance.now();
    if (this.#state !== 'verified') {
      this.#state = 'verified';
      this.#letIn();
    }
    return answer;
  }

  #letIn(): void {
    this.#options.devices.observe(this.#deviceId, { type: 'sign-in', state: 'ok' });
  }

  #failed({ epoch }: Entry, { report, lock }: Refusal): FieldwrightError {
    return this.#gate.shut(
      epoch,
      signInFailed(report(), lock, this.#options.clock.now()),
      lock?.locked === true ? 'locked' : 'failed',
    );
  }

  /**
   * Whether a 401 to credentials that this device accepted before is about the nonce. `stale` says
   * so; devices that forget to say it show another nonce or none, and count no failed attempt.
   */
  #isAboutNonce({ challenges, lock }: Refusal, used: Use): boolean {
    if (lock?.locked === true) return false;
    const challenge = chooseDigest(challenges);
    if (challenge?.stale === true) return true;
    if (challenges.length > 0 && (challenge === undefined || challenge.nonce === used.nonce.challenge.nonce))
      return false;
    return !this.#isCounted(lock);
  }

  /** Some devices tell in every answer how many attempts are left: fewer than before means that a password was wrong. */
  #isCounted(lock: Lock | undefined): boolean {
    const left = lock?.attemptsLeft;
    return (
      lock?.locked === true ||
      (left !== undefined && (this.#attemptsBefore === undefined || left < this.#attemptsBefore))
    );
  }
}
