/** What connections need to know of devices, and tell about them; the inventory provides it. */
import type { FieldwrightError } from '../../shared/errors.ts';
import type { ConnectionProfile, SignIn } from '../../shared/model.ts';

export interface DeviceSettings {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly profile: ConnectionProfile;
  /** Pinned certificate, lower-case hex of SHA-256. */
  readonly certificate?: string;
  readonly digestSeen: boolean;
}

/** Something learnt from talking to a device. */
export type Observation =
  | { readonly type: 'answered' }
  | { readonly type: 'failed'; readonly error: FieldwrightError }
  | { readonly type: 'sign-in'; readonly state: Exclude<SignIn, 'unknown'>; readonly error?: FieldwrightError }
  | { readonly type: 'digest-offered' };

export interface DeviceDirectory {
  /** Throws `unknown-device`. */
  settings(deviceId: string): DeviceSettings;
  /** Throws `vault-locked`; undefined where the device has no sign-in. */
  signIn(deviceId: string): { readonly userName: string; readonly password: string } | undefined;
  observe(deviceId: string, observation: Observation): void;
}
