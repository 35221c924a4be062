/** Decides who a request comes from: challenge, wrong password, locked account, or the signed-in user. */
import { randomBytes } from 'node:crypto';
import type { SiteClock } from '../clock.ts';
import type { Faults, FaultScope } from '../faults.ts';
import type { AuthMode, CheckedOptions } from '../options.ts';
import { checkDigest, formatDigestChallenge, isEqualInConstantTime, type DigestAccount } from './digest.ts';
import { parseAuthorization, type Authorization } from './header.ts';
import { Lockout, type LockState } from './lockout.ts';
import { Nonces } from './nonces.ts';

type SignInResult =
  | { readonly kind: 'in'; readonly user: string | undefined }
  | { readonly kind: 'unreadable'; readonly detail: string }
  | {
      readonly kind: 'out';
      readonly challenge: string;
      readonly lock: LockState;
      /** True if the answer gives the number of remaining attempts. */
      readonly showsAttempts: boolean;
    };

export interface SignInRequest {
  readonly method: string;
  /** The request line's target, byte for byte. */
  readonly target: string;
  readonly authorization: string | undefined;
}

export class SignIn {
  readonly #mode: AuthMode;
  readonly #account: DigestAccount;
  readonly #lockout: Lockout;
  readonly #nonces: Nonces;
  readonly #faults: Pick<Faults, 'strike'>;

  constructor({
    site: { auth, user, nonceLifetimeMs },
    ...options
  }: {
    readonly site: Pick<CheckedOptions, 'auth' | 'user' | 'nonceLifetimeMs'>;
    readonly password: string;
    readonly realm: string;
    readonly clock: SiteClock;
    readonly faults: Pick<Faults, 'strike'>;
  }) {
    this.#faults = options.faults;
    this.#mode = auth;
    this.#account = {
      user,
      password: options.password,
      realm: options.realm,
      opaque: randomBytes(12).toString('hex'),
      algorithm: auth === 'digest-sha256' ? 'SHA-256' : 'MD5',
    };
    this.#lockout = new Lockout(options.clock);
    this.#nonces = new Nonces(options.clock, nonceLifetimeMs);
  }

  check(request: SignInRequest): SignInResult {
    if (this.#mode === 'none') return { kind: 'in', user: undefined };
    const short = this.#faults.strike('short-nonces', { method: request.method, path: request.target });
    const result = this.#judge(request, short);
    if (result.kind !== 'out' || short === undefined) return result;
    const { attempts = 'shown' } = short;
    const showsAttempts =
      attempts === 'shown' || (attempts === 'later' && request.authorization !== undefined);
    return { ...result, showsAttempts };
  }

  /** Checks a request. `short`: nonces are good for a few uses only. */
  #judge(request: SignInRequest, short: FaultScope | undefined): SignInResult {
    // A request without a password is a question, not an attempt.
    if (request.authorization === undefined) return this.challenge();
    const header = parseAuthorization(request.authorization);
    if (!header) return { kind: 'unreadable', detail: 'The Authorization header cannot be read.' };
    if (header.scheme !== (this.#mode === 'basic' ? 'basic' : 'digest')) return this.challenge();
    return this.#mode === 'basic' ? this.#basic(header) : this.#digest(header, request, short);
  }

  /** Returns a fresh challenge, as a 401 carries it. */
  challenge(user: string = this.#account.user, stale = false): SignInResult {
    const challenge =
      this.#mode === 'basic'
        ? `Basic realm="${this.#account.realm}", charset="UTF-8"`
        : formatDigestChallenge(this.#account, this.#nonces.issue(), stale);
    return { kind: 'out', challenge, lock: this.#lockout.state(user), showsAttempts: true };
  }

  /** Forgets the nonces at a restart, but not the locks. */
  restarted(): void {
    this.#nonces.clear();
  }

  lockState(): LockState {
    return this.#lockout.state(this.#account.user);
  }

  #digest(header: Authorization, request: SignInRequest, short: FaultScope | undefined): SignInResult {
    const check = checkDigest(this.#account, header, request);
    if (check.kind === 'unreadable') return check;
    if (check.kind === 'wrong') return this.#wrong(check.user);
    if (this.#lockout.state(check.user).lockedForSeconds > 0) return this.challenge(check.user);
    // The password is right: an old nonce or a repeated count asks for a new nonce, not for a new password.
    if (!this.#nonces.use(check.nonce, check.count, short && (short.uses ?? 1)))
      return this.challenge(check.user, short?.stale ?? true);
    return this.#right(check.user);
  }

  #basic(header: Authorization): SignInResult {
    const text = Buffer.from(header.token ?? '', 'base64').toString('utf8');
    const colon = text.indexOf(':');
    if (colon < 0) return { kind: 'unreadable', detail: 'Basic without user and password.' };
    const user = text.slice(0, colon);
    const known = isEqualInConstantTime(user, this.#account.user);
    const proven = isEqualInConstantTime(text.slice(colon + 1), this.#account.password);
    if (!known || !proven) return this.#wrong(user);
    return this.#lockout.state(user).lockedForSeconds > 0 ? this.challenge(user) : this.#right(user);
  }

  #wrong(user: string): SignInResult {
    this.#lockout.wrong(user);
    return this.challenge(user);
  }

  #right(user: string): SignInResult {
    this.#lockout.right(user);
    return { kind: 'in', user };
  }
}
