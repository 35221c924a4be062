/**
 * What every face may ask of the engine. The engine never prints, prompts or opens a window, and
 * takes clock, key protection and data folder from its host.
 */
import type {
  AppInfo, ApplyOptions, CallAnswer, ConnectionProfile, Credential, Device, DeviceCapabilities, DeviceEvent,
  DeviceTest, Job, JobEvent, JobSummary, Params, Plan, PlanEvent, ResumePreview, TemplateCheck, TemplateEntry, UndoPreview,
} from '../shared/model.ts';
import type { DiscoveryEvent, DoctorReport } from '../shared/discovery.ts';
import type { ErrorShape } from '../shared/errors.ts';

/** Wall clock and monotonic time, injected so that tests need not wait. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`, or rejects with AbortError. */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * How a face protects the vault's data key at rest: safeStorage in Electron, a passphrase or a key
 * file of mode 0600 elsewhere. `unwrap` throws `vault-locked` when it cannot.
 */
export interface KeyProtection {
  /** Names the protection in the vault: `safe-storage`, `key-file`, `passphrase`. */
  readonly name: string;
  wrap(key: Uint8Array): Promise<Uint8Array>;
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

/** One line of the log: fields are allow-listed by the writer, values never hold bodies or secrets. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly device?: string;
  readonly operation?: string;
  readonly ms?: number;
  readonly http?: number;
  readonly code?: string;
}

export interface EngineOptions {
  readonly dataDir: string;
  /** Folder with `templates/` and what else ships with the app. */
  readonly resourcesDir: string;
  readonly face: AppInfo['face'];
  readonly version: string;
  /** Tried in order; the first also protects a new vault. Empty: the vault stays locked. */
  readonly protections: readonly KeyProtection[];
  readonly clock?: Clock;
  readonly log?: (entry: LogEntry) => void;
  /** Operating system user for the journal. */
  readonly user?: string;
}

export interface AddDevice {
  readonly address: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly credentialId?: string;
  readonly profile?: Partial<ConnectionProfile>;
  /** SHA-256 fingerprint of the certificate to accept over https, whoever signed it; any other is refused. */
  readonly certificate?: string;
  /** Who discovery says it is: it stays the same row when its address changes. */
  readonly identity?: string;
}
/** A device named on the command line, with the sign-in given there; kept in memory only. */
export interface TransientDevice {
  readonly url: string;
  readonly name?: string;
  readonly profile?: Partial<ConnectionProfile>;
  readonly userName?: string;
  readonly password?: string;
  /** As in AddDevice. */
  readonly certificate?: string;
}

export interface DevicesApi {
  list(): readonly Device[];
  /** By id, exact name or URL; throws `unknown-device` with the nearest name. */
  find(reference: string): Device;
  watch(signal: AbortSignal): AsyncIterable<DeviceEvent>;
  add(device: AddDevice): Device;
  /** Stable id from its URL; an inventory device of that URL is returned with the sign-in overlaid. */
  addTransient(device: TransientDevice): Device;
  /** Another address keeps the row and everything known of the device; throws `duplicate-device` where another has it. */
  update(id: string, change: Partial<Omit<AddDevice, 'credentialId'>> & { readonly credentialId?: string | null }): Device;
  remove(ids: readonly string[]): number;
  /** Columns: address or url, name, tags, user, … ; failed rows come back with the reason. No password column. */
  importCsv(text: string): { readonly added: readonly Device[]; readonly failed: readonly { readonly row: number; readonly cells: readonly string[]; readonly error: ErrorShape }[] };
  /** One sign-in attempt each; lifts a pause left by a failed sign-in; learns the kinds. */
  test(ids: readonly string[], signal: AbortSignal): Promise<readonly DeviceTest[]>;
}

export interface CredentialsApi {
  list(): readonly Credential[];
  save(credential: { readonly id?: string; readonly label: string; readonly userName: string; readonly password: string; readonly deviceIds?: readonly string[] }): Credential;
  assign(credentialId: string | null, deviceIds: readonly string[]): number;
  remove(id: string): boolean;
}

export interface TemplatesApi {
  list(): readonly TemplateEntry[];
  /** Positions are given relative to `file`, a name for messages only. */
  check(text: string, options?: { readonly file?: string }): TemplateCheck;
  save(entry: { readonly id?: string; readonly text: string }): TemplateEntry;
}

export interface PlanRequest {
  readonly templateText: string;
  readonly file?: string;
  readonly deviceIds: readonly string[];
  /** For every device. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** For one device, by id; wins over `values`. */
  readonly valuesByDevice?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Secret variables: used, never stored. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly concurrency?: number;
}
export interface PlansApi {
  /** Throws a FieldwrightError (with `others`) when template or values are wrong; nothing is sent then. */
  create(request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent>;
  /** A plan created here and not yet forgotten. */
  get(id: string): Plan | undefined;
  /** Reads a plan file from elsewhere: bounded, validated, then treated as untrusted. */
  parse(text: string, options?: { readonly file?: string }): Plan;
}

export interface JobsApi {
  list(): readonly JobSummary[];
  /** Throws `not-found`. A unique prefix of the id is enough. */
  show(id: string): Job;
  /** Journals and starts; the job goes on whoever watches. */
  start(request: { readonly plan: Plan; readonly deviceIds?: readonly string[]; readonly secrets?: Readonly<Record<string, string>>; readonly options?: ApplyOptions }): { readonly jobId: string };
  /** The job as it stands, then what happens, then `end`. */
  watch(id: string, signal: AbortSignal): AsyncIterable<JobEvent>;
  /** Lets what is under way finish its read-back, starts nothing more; the rest stays pending. */
  cancel(id: string): boolean;
  /** What is left of a job and what is needed to finish it. Throws `not-found`. */
  resumePreview(id: string): ResumePreview;
  /**
   * Finishes what is unfinished: devices whose turn did not come, and writes whose fate is open, which
   * are settled by reading first. `resumed` is false where nothing is left. Throws `not-available`
   * while the job is being worked on, and where a secret is missing or another one than before;
   * nothing was sent then. `options` lie over those the job was started with, but drift is only
   * accepted when it is confirmed anew.
   */
  resume(request: { readonly id: string; readonly secrets?: Readonly<Record<string, string>>; readonly options?: ApplyOptions }): { readonly jobId: string; readonly resumed: boolean };
  /** What an undo would put back and what it cannot. Throws `not-found`, `unknown-device`. */
  undoPreview(id: string, deviceIds?: readonly string[]): UndoPreview;
  /**
   * Puts back what the job found on its devices, as a job of its own of kind `undo`. With `acceptDrift`
   * also where someone else changed the same values since. Throws `not-allowed` where nothing can be
   * undone, `not-available` while the job is being worked on.
   */
  undo(request: { readonly id: string; readonly deviceIds?: readonly string[]; readonly options?: ApplyOptions }): { readonly jobId: string };
}

export interface CallRequest {
  readonly deviceId: string;
  readonly operation: string;
  readonly params?: Params;
  /** Value in the shape of the definition; for `raw` the bytes as they are. */
  readonly body?: unknown;
  readonly raw?: boolean;
  readonly allowPlainFields?: boolean;
  /** Adds the redacted exchange to the answer, or to the error where none was usable. */
  readonly trace?: boolean;
}

/** A request to a path below the prefix, for what the specification names without showing its body. */
export interface RawRequest {
  readonly deviceId: string;
  readonly method: string;
  /** As in the specification, starting with `/API/`; percent-encoded. */
  readonly path: string;
  readonly body?: string;
  /** Default: JSON for a path with `format=json`, else XML. */
  readonly contentType?: string;
  /** As in CallRequest. */
  readonly trace?: boolean;
}

/** What a search does; without anything: mDNS on every interface until the signal aborts. */
export interface DiscoveryOptions {
  /** How long to listen; a sweep is finished all the same. Up to 3600. */
  readonly seconds?: number;
  /** Default true. */
  readonly mdns?: boolean;
  /** Names; an internal interface is only used when named. Default: all others. */
  readonly interfaces?: readonly string[];
  /** An IPv4 range of at most /20, in a network of this computer unless `force`. */
  readonly sweep?: { readonly cidr: string; readonly force?: boolean; readonly ports?: readonly number[] };
  /** Addresses to look at, as people write them. */
  readonly addresses?: readonly string[];
  /** Path prefixes to ask below. Default: `/API` and those of the inventory. */
  readonly prefixes?: readonly string[];
  /** Adds the doctor's reports. */
  readonly doctor?: boolean;
}

export interface CapabilityOptions {
  /** Default false. */
  readonly probe?: boolean;
  /** Default true. */
  readonly documents?: boolean;
}

export interface DiscoveryApi {
  /**
   * Devices as they are seen, change and vanish. Throws `usage`, `out-of-range` or `not-allowed`
   * before anything is sent; ends when the time is over, or when the signal aborts.
   */
  watch(options: DiscoveryOptions, signal: AbortSignal): AsyncIterable<DiscoveryEvent>;
  /** Searches (6 s unless told otherwise) and says what was tried and what blocks. */
  doctor(options: DiscoveryOptions, signal: AbortSignal): Promise<DoctorReport>;
}

export interface Engine {
  readonly devices: DevicesApi;
  readonly discovery: DiscoveryApi;
  readonly credentials: CredentialsApi;
  readonly templates: TemplatesApi;
  readonly plans: PlansApi;
  readonly jobs: JobsApi;
  info(): Omit<AppInfo, 'canSimulate'>;
  /** Opens a vault protected by a passphrase, or protects a new one with it. */
  unlockVault(passphrase: string): Promise<void>;
  /** One operation on one device. Throws for a wrong request or no answer; a refusal is an answer. */
  call(request: CallRequest, signal: AbortSignal): Promise<CallAnswer>;
  /** Bytes as they are, both ways; `raw` of the answer is the body. */
  request(request: RawRequest, signal: AbortSignal): Promise<CallAnswer>;
  /**
   * Capability documents read and flattened. `probe` adds what harmless GETs answered; they go behind
   * all other reads of the device. `documents: false` only probes, for who has the documents; those
   * of flags are among what is probed.
   */
  capabilities(deviceId: string, options: CapabilityOptions, signal: AbortSignal): Promise<DeviceCapabilities>;
  /** Cancels running jobs (they stay resumable), waits for what is under way, closes the store. */
  close(): Promise<void>;
}
