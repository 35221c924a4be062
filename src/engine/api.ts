/**
 * What every face may ask of the engine. The engine never prints, prompts or opens a window, and
 * takes clock, key protection and data folder from its host.
 */
import type { AppInfo, CallAnswer, DeviceCapabilities } from '../shared/model.ts';
import type { CallRequest, CapabilityOptions, RawRequest } from './api/calls.ts';
import type {
  CredentialsApi,
  DevicesApi,
  ProfilesApi,
  SecretsApi,
  SignInPlaces,
  SitesApi,
} from './api/devices.ts';
import type { DiscoveryApi } from './api/discovery.ts';
import type { JobsApi, PlansApi } from './api/jobs.ts';
import type { StatesApi, TemplatesApi } from './api/templates.ts';

export type * from './api/host.ts';
export type * from './api/devices.ts';
export type * from './api/discovery.ts';
export type * from './api/templates.ts';
export type * from './api/jobs.ts';
export type * from './api/calls.ts';

export interface Engine {
  readonly devices: DevicesApi;
  readonly discovery: DiscoveryApi;
  readonly sites: SitesApi;
  readonly profiles: ProfilesApi;
  readonly credentials: CredentialsApi;
  readonly places: SignInPlaces;
  readonly secrets: SecretsApi;
  readonly templates: TemplatesApi;
  readonly states: StatesApi;
  readonly plans: PlansApi;
  readonly jobs: JobsApi;
  info(): Omit<AppInfo, 'canSimulate'>;
  /** Opens a vault protected by a passphrase, or protects a new one with it. `remember`: the keychain opens it from the next start on. */
  unlockVault(passphrase: string, options?: { readonly remember?: boolean }): Promise<void>;
  /** One operation on one device. Throws for a wrong request or no answer; a refusal is an answer. */
  call(request: CallRequest, signal: AbortSignal): Promise<CallAnswer>;
  /** Bytes as they are, both ways; `raw` of the answer is the body. */
  request(request: RawRequest, signal: AbortSignal): Promise<CallAnswer>;
  /**
   * Capability documents read and flattened. `probe` adds what harmless GETs answered; they go behind
   * all other reads of the device. `documents: false` only probes, for who has the documents; those
   * of flags are among what is probed.
   */
  capabilities(
    deviceId: string,
    options: CapabilityOptions,
    signal: AbortSignal,
  ): Promise<DeviceCapabilities>;
  /** Cancels running jobs (they stay resumable), waits for what is under way, closes the store. */
  close(): Promise<void>;
}
