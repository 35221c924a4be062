/** Whether name and password may be sent to a device, in which way, and in turn with other devices that get the same. */
import { FieldwrightError } from '../../../shared/errors.ts';
import type { Clock } from '../../api/host.ts';
import type { DeviceDirectory, DeviceSettings } from '../directory.ts';
import type { HttpAnswer } from '../transport/transport.ts';
import { strengthOf } from './digest.ts';
import type { OwnCredentials } from './own-credentials.ts';
import type { Credentials, Proofs } from './proofs.ts';
import type { Refusal } from './refusal.ts';
import { accountLocked, refusedBefore, refusedElsewhere, signInRequired } from './sign-in-errors.ts';
import type { SignInGate } from './sign-in-gate.ts';
import { chooseMethod, realmOf, type Method } from './sign-in-method.ts';

/** A request that has to be let in. */
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
/** Sends the request signed by `authorize`, or unsigned; with `path` a GET of that path instead of the request. */
export type Exchange = (authorize: Authorize | undefined, path?: string) => Promise<HttpAnswer>;

/** A request that has to be let in, and by which sign-in: an answer to an older one says nothing about the newer. */
export interface Entry {
  readonly epoch: number;
  readonly request: SignInRequest;
  readonly exchange: Exchange;
}

/** Name and password that may be sent, and the kind and realm of the sign-in they are for. */
export interface Ready {
  readonly credentials: Credentials;
  readonly way: string;
  /** What the device said when it asked for them. */
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

  /** Gives what answers a challenge. Throws where something speaks against sending anything at all. */
  prepare(entry: Entry, refusal: Refusal): { readonly ready: Ready; readonly method: Method } {
    const { report, lock } = refusal;
    const { epoch, request } = entry;
    const { clock, devices, gate } = this.#options;
    if (lock?.locked === true) throw gate.shut(epoch, accountLocked(report(), lock, clock.now()), 'locked');
    if (this.#settings.profile.auth === 'none')
      throw gate.shut(epoch, signInRequired(report(), 'profile'), 'needed');
    const method = this.choose(entry, refusal);
    const credentials = this.credentials(entry, refusal);
    const now = clock.now();
    const wait = lock?.locked === false ? 0 : gate.msLocked(credentials.userName, now);
    if (wait > 0)
      throw gate.shut(
        epoch,
        accountLocked(report(), { locked: true, unlockSeconds: wait / 1000 }, now),
        'locked',
      );
    const way = wayOf(method);
    if (request.isTrial !== true && devices.refused?.has(this.#settings.url, credentials, way) === true)
      throw gate.shut(epoch, refusedBefore(report()), 'failed');
    return { ready: { credentials, way, report }, method };
  }

  /** Does what sends name and password, in turn with other devices that get the same. */
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
        refused: () => this.#options.gate.shut(epoch, refusedElsewhere(report()), 'needed'),
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

  /** Returns the way to sign in that may be taken, or why none may. */
  methodFor({ challenges, report }: Refusal): Method | FieldwrightError {
    const { strength, profile, url } = this.#settings;
    return chooseMethod(
      challenges,
      { auth: profile.auth, isSecure: url.startsWith('https:'), strength },
      report,
    );
  }

  /** Like `methodFor`, but throws, and everything waits for a person. */
  choose({ epoch }: Entry, refusal: Refusal): Method {
    const { strength } = this.#settings;
    const offered = strengthOf(refusal.challenges);
    // Also one that cannot be answered counts: the device is no stranger to better than Basic.
    if (offered > strength)
      this.#options.devices.observe(this.#deviceId, { type: 'offered', strength: offered });
    const method = this.methodFor(refusal);
    if (method instanceof FieldwrightError) throw this.#options.gate.shut(epoch, method, 'needed');
    return method;
  }

  /** Saved sign-ins that contradict each other are as good as none, and everything waits for a person too. */
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

/** Stands for the kind of a sign-in and its realm. */
export function wayOf(method: Method): string {
  return `${method.kind} ${realmOf(method)}`;
}
