/** What connections need to know of devices, and tell about them; the inventory provides it. */
import type { FieldwrightError } from '../../shared/errors.ts';
import type { ConnectionProfile, SignIn } from '../../shared/model.ts';
import type { CertificateOffer } from '../../shared/trust.ts';
import type { ShownCertificate } from './transport/certificate.ts';
import type { Credentials } from './sign-in/proofs.ts';

/** An account is locked until then, as the device said (ISO 8601, both by the clock of this computer at `since`). */
export interface AccountLock {
  readonly userName: string;
  readonly until: string;
  readonly since: string;
}

export interface DeviceSettings {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly profile: ConnectionProfile;
  /** Pinned certificate, lower-case hex of SHA-256. */
  readonly certificate?: string;
  /** Of the strongest sign-in that it has offered; see `strengthOf`. */
  readonly strength: number;
  /** Stands for the realm in which this device let us in. */
  readonly realm?: string;
}

/** Something learnt from talking to a device. */
export type Observation =
  | { readonly type: 'answered' }
  | { readonly type: 'failed'; readonly error: FieldwrightError }
  /** A connection was opened and closed, or could not be; nothing was asked. */
  | { readonly type: 'checked'; readonly error?: FieldwrightError }
  | {
      readonly type: 'sign-in';
      readonly state: Exclude<SignIn, 'unknown'>;
      readonly error?: FieldwrightError;
    }
  | { readonly type: 'offered'; readonly strength: number }
  /** It let us in there; see `realmKey`. */
  | { readonly type: 'realm'; readonly realm: string }
  /** What it took counts after a restart. */
  | { readonly type: 'restart-due' }
  /** It was followed through a restart. */
  | { readonly type: 'restarted' };

/** What an address said last of those it did not let in, kept beyond this run. `method`: the way to sign in and the realm. */
export interface RefusedSignIns {
  has(url: string, credentials: Credentials, method: string): boolean;
  note(url: string, credentials: Credentials, method: string): void;
  lock(url: string): AccountLock | undefined;
  noteLock(url: string, lock: AccountLock): void;
  /** It let somebody in. */
  forget(url: string): void;
}

export interface DeviceDirectory {
  /** Throws `unknown-device`. */
  settings(deviceId: string): DeviceSettings;
  /** Throws `vault-locked`, `sign-in-required` where its tags contradict each other; undefined where the device has no sign-in. */
  signIn(deviceId: string): Credentials | undefined;
  /** Whether what `signIn` gives has let us into some device before, as far as is stored. */
  signInWorked?(deviceId: string): boolean;
  /**
   * Judges the certificate that was shown at `url`, and may pin it. Gives what stands against it, or
   * undefined where it is accepted; what is accepted is then what `settings` names, if it names any.
   */
  judge(deviceId: string, url: string, shown: ShownCertificate): CertificateOffer | undefined;
  observe(deviceId: string, observation: Observation): void;
  /** Absent where nothing is kept. */
  readonly refused?: RefusedSignIns;
}
