/**
 * What every face may ask of the engine. The engine never prints, prompts or opens a window, and
 * takes clock, key protection and data folder from its host.
 */
import type {
  AppInfo, ApplyOptions, CallAnswer, ConnectionProfile, Credential, Device, DeviceCapabilities, DeviceEvent, DeviceImport,
  DeviceTest, Job, JobEvent, JobSummary, JobTarget, Params, Plan, PlanEvent, ResumePreview, TemplateCheck, TemplateEntry, TemplateVariable, UndoPreview,
} from '../shared/model.ts';
import type { CredentialScope, NamedProfile, ProbeReport, Site } from '../shared/access.ts';
import type { CaptureEvent, TemplateComparison, TemplateVersion, ValuesTable } from '../shared/authoring.ts';
import type { FollowUpDevice, HistoryPage, HistoryQuery, SavedState, SwapEvent } from '../shared/history.ts';
import type { DiscoveryEvent, DoctorReport, OwnNetwork } from '../shared/discovery.ts';
import type { CertificateTrust } from '../shared/trust.ts';

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
  /**
   * A certificate that the system does not trust and that is the first a device shows: `ask` refuses it
   * with what a person needs to decide (windows), `first-use` pins it and tells (command line).
   */
  readonly certificates?: 'ask' | 'first-use';
  /** Told of a certificate pinned by `first-use`, so that the face can show the fingerprint. */
  readonly onTrusted?: (trusted: { readonly url: string; readonly trust: CertificateTrust }) => void;
}

export interface AddDevice {
  readonly address: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly siteId?: string;
  readonly credentialId?: string;
  /** Named profile to begin with; default: the default one, and of a known device its own. */
  readonly profileId?: string;
  /** Laid over that. */
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

/** What all devices of a file get. */
export interface ImportOptions {
  /** Beside those of the row. */
  readonly tags?: readonly string[];
  /** Where the row names none. */
  readonly siteId?: string;
  /** Where the row names none. */
  readonly profileId?: string;
  /** Laid over what the row says. */
  readonly profile?: Partial<ConnectionProfile>;
  /** Where the row names none, or just its user. */
  readonly credentialId?: string;
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
  update(id: string, change: Partial<Omit<AddDevice, 'credentialId' | 'siteId'>> & { readonly credentialId?: string | null; readonly siteId?: string | null }): Device;
  remove(ids: readonly string[]): number;
  /** Columns: address or url, name, tags, site, user, … ; failed rows come back with the reason. No password column. */
  importCsv(text: string, options?: ImportOptions): DeviceImport;
  /** One sign-in attempt each; lifts a pause left by a failed sign-in; learns the kinds. */
  test(ids: readonly string[], signal: AbortSignal): Promise<readonly DeviceTest[]>;
  /** A person compared these fingerprints; pins them. Gives how many pins changed. */
  trust(items: readonly { readonly id: string; readonly fingerprint: string }[]): number;
  /** Forgets pins; gives how many there were. */
  distrust(ids: readonly string[]): number;
  /** Asks an address without a sign-in, below the prefixes and at the ports of the named profiles; adds nothing. */
  probe(address: string, signal: AbortSignal): Promise<ProbeReport>;
}

export interface SitesApi {
  list(): readonly Site[];
  /** Throws `not-found`; `duplicate-device` never: two sites of one name are refused with `not-allowed`. */
  save(site: { readonly id?: string; readonly name: string }): Site;
  remove(id: string): boolean;
}

export interface ProfilesApi {
  list(): readonly NamedProfile[];
  /** What is left out is as in the default profile of a new one, or as it was. Throws `not-found`, `not-allowed`, `out-of-range`. */
  save(profile: { readonly id?: string; readonly name: string; readonly profile: Partial<ConnectionProfile>; readonly ports?: readonly number[]; readonly isDefault?: boolean }): NamedProfile;
  remove(id: string): boolean;
}

export interface CredentialsApi {
  list(): readonly Credential[];
  save(credential: { readonly id?: string; readonly label: string; readonly userName: string; readonly password: string; readonly deviceIds?: readonly string[] }): Credential;
  assign(credentialId: string | null, deviceIds: readonly string[]): number;
  /** For every device of a tag or a site that has none of its own; gives on how many the sign-in changed. */
  assignTo(credentialId: string | null, scope: CredentialScope): number;
  remove(id: string): boolean;
}

export interface TemplatesApi {
  list(): readonly TemplateEntry[];
  /**
   * Positions are given relative to `file`, a name for messages only. Where the specification finds nothing wrong,
   * also against capability reports that were saved as JSON; throws `unreadable-file` where one is none.
   */
  check(text: string, options?: { readonly file?: string; readonly capabilities?: readonly { readonly text: string; readonly file: string }[] }): TemplateCheck;
  /** Saves a new version; throws `changed-meanwhile` where `baseVersion` is not the newest, `not-found`, `invalid-template`. */
  save(entry: { readonly id?: string; readonly text: string; readonly note?: string; readonly baseVersion?: number }): TemplateEntry;
  remove(id: string): boolean;
  /** Newest first; throws `not-found`. */
  versions(id: string): readonly TemplateVersion[];
  version(id: string, version: number): TemplateVersion & { readonly text: string };
  /** Both texts have to be readable templates; throws `invalid-template`. */
  compare(before: string, after: string): TemplateComparison;
  /** Reads a device into a template; writes nothing. Secrets are never captured. */
  capture(request: CaptureRequest, signal: AbortSignal): AsyncIterable<CaptureEvent>;
}

export interface CaptureRequest {
  readonly deviceId: string;
  readonly name?: string;
  /** Default: everything the device has. Without `params` every channel, reader, … the device has. */
  readonly sections?: readonly { readonly set: string; readonly params?: Params }[];
  /** For every section that takes them: one channel instead of all of them. */
  readonly params?: Params;
}

export interface StatesApi {
  list(): readonly SavedState[];
  /** Reads and keeps everything a template can set. */
  save(request: { readonly deviceId: string; readonly name?: string }, signal: AbortSignal): AsyncIterable<CaptureEvent | { readonly type: 'state'; readonly state: SavedState }>;
  /** With the template that it is; a unique prefix of the id is enough. Throws `not-found`. */
  show(id: string): SavedState & { readonly text: string; readonly values: Readonly<Record<string, unknown>> };
  remove(id: string): boolean;
  /** Reads the other device and says what is kept, converted and lost; the plan in it may be started. */
  swap(request: { readonly stateId: string; readonly deviceId: string; readonly secrets?: Readonly<Record<string, string>> }, signal: AbortSignal): AsyncIterable<SwapEvent>;
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
  /** As `create`, of a job's template and values, for those of its devices that did not get through. Throws `not-found`, `not-allowed` where none failed. */
  retry(request: { readonly jobId: string; readonly deviceIds?: readonly string[]; readonly secrets?: Readonly<Record<string, string>> }, signal: AbortSignal): AsyncIterable<PlanEvent>;
  /** Reads a CSV of values against a template and the inventory; sends nothing. Throws `invalid-template`; what is wrong with the file is in the answer. */
  readValues(request: { readonly templateText: string; readonly bytes: Uint8Array; readonly file?: string; readonly given?: readonly string[] }): ValuesTable;
  /** A plan created here and not yet forgotten. */
  get(id: string): Plan | undefined;
  /** What a face has to ask for before `retry`: devices of one run with their profiles, and secret variables. Throws as `retry`. */
  retryPreview(jobId: string, deviceIds?: readonly string[]): RetryPreview;
  /** The plan as a file to review and to apply elsewhere; holds no secret. Throws `plan-outdated` where it is no longer kept. */
  file(id: string): { readonly text: string; readonly fileName: string };
  /**
   * Reads a plan file from elsewhere: bounded, validated, then treated as untrusted. It gets an id of
   * its own and is kept for `jobs.start`. Devices are found by id and address; one that is not known
   * here has `unknown-device` and gets nothing, unless `foreignDevices` leaves it to be named by its
   * address later. Throws `unknown-device` where none is known.
   */
  parse(text: string, options?: { readonly file?: string; readonly foreignDevices?: boolean }): Plan;
}

/** Devices that a job did not get through on, and the secrets its template asks for. */
export interface RetryPreview {
  readonly devices: readonly JobTarget[];
  readonly secrets: readonly TemplateVariable[];
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
  /** Hands out no further device until `unpause`; what is under way ends. False where it does not run here. */
  pause(id: string): boolean;
  unpause(id: string): boolean;
  search(query: HistoryQuery): HistoryPage;
  /** Everything the query finds (its `limit` and `after` do not count). CSV is safe to open in a spreadsheet. */
  export(request: { readonly query: HistoryQuery; readonly format: 'csv' | 'json' }): { readonly text: string; readonly fileName: string };
  /** The same piece by piece, for who writes it to a file: memory stays bounded however much there is. */
  exportParts(request: { readonly query: HistoryQuery; readonly format: 'csv' | 'json' }): Iterable<string>;
  rebootPending(id: string): readonly FollowUpDevice[];
  /**
   * Waits (10 min unless told otherwise) for devices whose writes need a restart, reads what they show
   * then and settles the outcome. Goes on under the same id. Throws `not-allowed` where nothing waits for a restart.
   */
  followUp(request: { readonly id: string; readonly deviceIds?: readonly string[]; readonly waitSeconds?: number }): { readonly jobId: string; readonly devices: number };
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
  /** Networks of this computer that can be swept; sends nothing. */
  networks(): readonly OwnNetwork[];
}

export interface Engine {
  readonly devices: DevicesApi;
  readonly discovery: DiscoveryApi;
  readonly sites: SitesApi;
  readonly profiles: ProfilesApi;
  readonly credentials: CredentialsApi;
  readonly templates: TemplatesApi;
  readonly states: StatesApi;
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
