/** Decides whether and how to send name and password to a device; devices with the same password take turns. */
import { FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { DeviceDirectory, DeviceSettings } from '../directory.ts';
import type { HttpAnswer } from '../transport/transport.ts';
import { rankDigest } from './digest.ts';
import type { OwnCredentials } from './own-credentials.ts';
import type { Credentials, Proofs } from './proofs.ts';
import type { Refusal } from './refusal.ts';
import {
  createAccountLockedError,
  createRefusedBeforeError,
  createRefusedElsewhereError,
  signInRequired,
} from './sign-in-errors.ts';
import type { SignInGate } from './sign-in-gate.ts';
import { chooseMethod, getMethodRealm, type Method } from './sign-in-method.ts';

export interface SignInRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly uri: string;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Receives the milliseconds spent waiting for the sign-in of another device; they do not count as response time. */
  readonly waited?: (ms: number) => void;
  readonly isTrial?: boolean;
}

/** Returns the value of `Authorization`; called for each request, because each needs its own nonce count. */
export type Authorize = () => string;
/** Sends the request signed by `authorize`, or unsigned; with `path` a GET of that path instead of the request. */
export type Exchange = (authorize: Authorize | undefined, path?: string) => Promise<HttpAnswer>;

/** A request with the epoch of its sign-in: an answer from an older epoch says nothing about the current one. */
export interface Entry {
  readonly epoch: number;
  readonly request: SignInRequest;
  readonly exchange: Exchange;
}

/** Name and password that may be sent, and the kind and realm of the sign-in they are for. */
export interface Ready {
  readonly credentials: Credentials;
  readonly way: string;
  /** Returns the status with which the device asked for the sign-in. */
  readonly report: Refusal['report'];
}

interface CredentialGuardOptions {
  readonly devices: DeviceDirectory;
  readonly own: OwnCredentials;
  readonly proofs: Pick<Proofs, 'through'>;
  readonly clock: Clock;
  readonly gate: SignInGate;
}

export class CredentialGuard {
  readonly #deviceId: string;
  readonly #options: CredentialGuardOptions;

  constructor(deviceId: string, options: CredentialGuardOptions) {
    this.#deviceId = deviceId;
    this.#options = options;
  }

  get #settings(): DeviceSettings {
    return this.#options.devices.settings(this.#deviceId);
  }

  /** Returns the credentials and the method that answer a challenge. Throws if they must not be sent. */
  prepare(entry: Entry, refusal: Refusal): { readonly ready: Ready; readonly method: Method } {
    const { report, lock } = refusal;
    const { epoch, request } = entry;
    const { clock, devices, gate } = this.#options;
    if (lock?.locked === true)
      throw gate.shut(epoch, createAccountLockedError(report(), lock, clock.now()), 'locked');
    if (this.#settings.profile.auth === 'none')
      throw gate.shut(epoch, signInRequired(report(), 'profile'), 'needed');
    const method = this.choose(entry, refusal);
    const credentials = this.credentials(entry, refusal);
    const now = clock.now();
    const wait = lock?.locked === false ? 0 : gate.msLocked(credentials.userName, now);
    if (wait > 0)
      throw gate.shut(
        epoch,
        createAccountLockedError(report(), { locked: true, unlockSeconds: wait / 1000 }, now),
        'locked',
      );
    const way = getMethodKey(method);
    if (request.isTrial !== true && devices.refused?.has(this.#settings.url, credentials, way) === true)
      throw gate.shut(epoch, createRefusedBeforeError(report()), 'failed');
    return { ready: { credentials, way, report }, method };
  }

  /** Runs `work`, which sends name and password, in turn with other devices that get the same. */
  sendInTurn<T>(
    { request, epoch }: Entry,
    { credentials, report }: Ready,
    work: () => Promise<T>,
  ): Promise<T> {
    const { devices, proofs } = this.#options;
    const since = performance.now();
    return proofs.through(
      credentials,
      {
        signal: request.signal,
        isTrial: request.isTrial === true,
        hasWorked: () => devices.signInWorked?.(this.#deviceId) ?? false,
        refused: () => this.#options.gate.shut(epoch, createRefusedElsewhereError(report()), 'needed'),
      },
      async () => {
        request.waited?.(performance.now() - since);
        this.#options.gate.assertOpen();
        const result = await work();
        devices.refused?.forget(this.#settings.url);
        return result;
      },
    );
  }

  /** Returns the sign-in method to use, or the error that says why there is none. */
  methodFor({ challenges, report }: Refusal): Method | FieldwrightError {
    const { strength, profile, url } = this.#settings;
    return chooseMethod(
      challenges,
      { auth: profile.auth, isSecure: url.startsWith('https:'), strength },
      report,
    );
  }

  /** Chooses like `methodFor`, but throws the error and shuts the gate: requests fail until a person acts. */
  choose({ epoch }: Entry, refusal: Refusal): Method {
    const { strength } = this.#settings;
    const offered = rankDigest(refusal.challenges);
    // A challenge that cannot be answered counts too: it shows that the device knows more than Basic.
    if (offered > strength)
      this.#options.devices.observe(this.#deviceId, { type: 'offered', strength: offered });
    const method = this.methodFor(refusal);
    if (method instanceof FieldwrightError) throw this.#options.gate.shut(epoch, method, 'needed');
    return method;
  }

  /** Returns the credentials. Throws and shuts the gate if there are none, or if saved ones contradict each other. */
  credentials({ epoch }: Entry, { report }: Refusal): Credentials {
    let credentials: Credentials | undefined;
    try {
      credentials = this.#options.own.read();
    } catch (error) {
      throw error instanceof FieldwrightError && error.code === 'sign-in-required'
        ? this.#options.gate.shut(epoch, error.with({ status: report() }), 'needed')
        : error;
    }
    if (credentials === undefined)
      throw this.#options.gate.shut(epoch, signInRequired(report(), 'no-credentials'), 'needed');
    return credentials;
  }
}

/** Returns the key of a sign-in method: its scheme and realm. */
export function getMethodKey(method: Method): string {
  return `${method.kind} ${getMethodRealm(method)}`;
}
