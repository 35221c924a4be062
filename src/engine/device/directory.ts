/**
 * Interface between connections and the inventory: what they need to know of devices, and what they report
 * about them.
 */
import type { FieldwrightError } from '#shared/errors.ts';
import type { AgreementSummary, ConnectionProfile, SignIn } from '#shared/model.ts';
import type { CertificateOffer } from '#shared/trust.ts';
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
  /** Rank of the strongest sign-in that it has offered; see `rankDigest`. */
  readonly strength: number;
  /** Hash of the realm in which this device accepted the sign-in. */
  readonly realm?: string;
}

/** Something learnt from talking to a device. */
export type Observation =
  | { readonly type: 'answered' }
  | { readonly type: 'failed'; readonly error: FieldwrightError }
  /** A connection was opened and closed, or could not be; nothing was asked. */
  | {
      readonly type: 'checked';
      readonly error?: FieldwrightError;
      /** True if the device showed the certificate that was accepted of it. */
      readonly verified?: boolean;
    }
  | {
      readonly type: 'sign-in';
      readonly state: Exclude<SignIn, 'unknown'>;
      readonly error?: FieldwrightError;
    }
  | { readonly type: 'offered'; readonly strength: number }
  /** The device accepted a sign-in in this realm; see `hashRealm`. */
  | { readonly type: 'realm'; readonly realm: string }
  /** A change that the device took takes effect after a restart. */
  | { readonly type: 'restart-due' }
  /** It was followed through a restart. */
  | { readonly type: 'restarted' }
  /** Its settings were compared with what was agreed. */
  | { readonly type: 'agreement'; readonly agreement: AgreementSummary | undefined };

/** Sign-ins that an address refused, and its locked accounts; kept across runs. `method`: sign-in scheme and realm. */
export interface RefusedSignIns {
  has(url: string, credentials: Credentials, method: string): boolean;
  note(url: string, credentials: Credentials, method: string): void;
  lock(url: string): AccountLock | undefined;
  noteLock(url: string, lock: AccountLock): void;
  /** Removes the refusals and locks of an address that has accepted a sign-in. */
  forget(url: string): void;
}

export interface DeviceDirectory {
  /** Throws `unknown-device`. */
  settings(deviceId: string): DeviceSettings;
  /** Returns the sign-in, if any. @throws `vault-locked`, `sign-in-required` if the device's tags contradict each other */
  signIn(deviceId: string): Credentials | undefined;
  /** Returns true if some device has accepted the sign-in that `signIn` returns before, as far as is stored. */
  signInWorked?(deviceId: string): boolean;
  /**
   * Judges the certificate shown at `url`, and may pin it. Returns the objection, or undefined if the
   * certificate is accepted; then `settings` names it, if it names any.
   */
  judge(deviceId: string, url: string, shown: ShownCertificate): CertificateOffer | undefined;
  observe(deviceId: string, observation: Observation): void;
  /** Store of refused sign-ins; absent if none are kept. */
  readonly refused?: RefusedSignIns;
}
