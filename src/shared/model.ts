/**
 * What a face and the engine say to each other about devices, plans and jobs. Plain data that
 * survives JSON; no field here ever holds a secret.
 */
import type { Detail } from './details.ts';
import type { ErrorShape, StatusReport } from './errors.ts';
import type { CredentialScope, SignInSource } from './access.ts';
import type { Exchange } from './exchange.ts';
import type { JobRun } from './history.ts';
import type { CertificateTrust } from './trust.ts';

export const DEVICE_KINDS = ['gate', 'thermal', 'ai', 'counter', 'recorder'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

/** How to talk to one device. Placeholders of the specification are settings here. */
export interface ConnectionProfile {
  /** Replaces the leading `/API` of every path of the specification. */
  readonly pathPrefix: string;
  /** Namespace for XML documents that no read preceded; undefined: none is sent. */
  readonly namespace?: string;
  readonly auth: 'auto' | 'digest' | 'basic' | 'none';
  /** Deadline of one request in milliseconds. */
  readonly deadlineMs: number;
  /** Requests under way at once to this device. */
  readonly inFlight: number;
}
export const DEFAULT_PROFILE: ConnectionProfile = { pathPrefix: '/API', auth: 'auto', deadlineMs: 10_000, inFlight: 2 };

export type Reach = 'unknown' | 'reachable' | 'unreachable';
export type SignIn = 'unknown' | 'ok' | 'needed' | 'failed' | 'locked';

export interface Device {
  readonly id: string;
  readonly name: string;
  /** `http(s)://host:port`, no trailing slash, no user information. */
  readonly url: string;
  /** From its capabilities, never from its name; undefined until it was asked. */
  readonly kinds: readonly DeviceKind[];
  readonly tags: readonly string[];
  readonly profile: ConnectionProfile;
  /** The sign-in given to this very device, by id. */
  readonly credentialId?: string;
  /** Where the sign-in in force comes from; absent: it has none. */
  readonly signInFrom?: SignInSource;
  readonly siteId?: string;
  /** SHA-256 fingerprint of its pinned certificate, lower-case hex; undefined: the system's trust decides. */
  readonly certificate?: string;
  /** How that certificate came to be trusted. */
  readonly trust?: CertificateTrust;
  /** Who discovery says it is; undefined: never seen by discovery. */
  readonly identity?: string;
  readonly reach: Reach;
  readonly signIn: SignIn;
  /** ISO 8601, last answer of any kind. */
  readonly lastSeen?: string;
  readonly lastError?: ErrorShape;
  readonly addedAt: string;
}

export type DeviceEvent =
  | { readonly type: 'all'; readonly devices: readonly Device[] }
  | { readonly type: 'changed'; readonly device: Device }
  | { readonly type: 'removed'; readonly id: string };

/** What became of a file of devices. */
export interface DeviceImport {
  readonly added: readonly Device[];
  /** `row` counts lines of the file from 1. */
  readonly failed: readonly { readonly row: number; readonly cells: readonly string[]; readonly error: ErrorShape }[];
  /** The failed rows as CSV with a column for the reason. */
  readonly failedFile?: string;
}

/** What became of devices that were added together. */
export interface DeviceAdditions {
  readonly added: readonly Device[];
  /** `index` counts the devices asked for from 0. */
  readonly failed: readonly { readonly index: number; readonly error: ErrorShape }[];
}

/** A sign-in as everybody may see it; the password stays in the vault. */
export interface Credential {
  readonly id: string;
  readonly label: string;
  readonly userName: string;
  /** Devices that use it, by whatever way. */
  readonly devices: number;
  /** Tags and sites it was given to. */
  readonly scopes?: readonly CredentialScope[];
}

/** Result of one sign-in attempt. */
export interface DeviceTest {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly ok: boolean;
  /** Authentication scheme that worked: `digest SHA-256`, `digest MD5`, `basic`, `none`. */
  readonly scheme?: string;
  readonly kinds: readonly DeviceKind[];
  /** Round trips used. */
  readonly requests: number;
  readonly error?: ErrorShape;
}

export type Params = Readonly<Record<string, string | number>>;

/** Answer of `call`. `outcome` is `ok`, `needs-reboot` or `refused`. */
export interface CallAnswer {
  readonly outcome: 'ok' | 'needs-reboot' | 'refused';
  readonly status: StatusReport;
  readonly value: unknown;
  /** What the device sent that was repaired or not understood, for people. */
  readonly notes: readonly string[];
  readonly raw?: string;
  readonly error?: ErrorShape;
  /** Request and answer, redacted; only where the caller asked for a trace. */
  readonly exchange?: Exchange;
}

/** One capability flag or limit as the device reports it. */
export interface CapabilityFlag {
  readonly operation: string;
  readonly path: string;
  readonly label: string;
  readonly state: 'true' | 'false' | 'not-reported';
  /** Path of another flag of the operation without which this one means nothing, where that one is not true. */
  readonly needs?: string;
}
export interface CapabilityLimit {
  readonly operation: string;
  readonly path: string;
  readonly label: string;
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly default?: string;
  readonly size?: number;
  /** A count that is reported as such: tasks, channels, disks. */
  readonly count?: number;
}
export interface DeviceCapabilities {
  /** Flags of the full system report that the device leaves out where it is not asked for all; absent where the two agree. */
  readonly onlyWhenAskedForAll?: readonly { readonly path: string; readonly label: string }[];
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly kinds: readonly DeviceKind[];
  readonly flags: readonly CapabilityFlag[];
  readonly limits: readonly CapabilityLimit[];
  /** Only with `probe`: what harmless reads answered, claim beside reality. */
  readonly probes?: readonly { readonly operation: string; readonly answered: boolean; readonly status: StatusReport; readonly error?: ErrorShape }[];
  /** Capability documents that could not be read, with the reason. */
  readonly problems: readonly ErrorShape[];
}

export interface TemplateVariable {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'secret';
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly unknown[];
  readonly description?: string;
  readonly required: boolean;
}
export interface TemplateSummary {
  readonly name: string;
  readonly description?: string;
  readonly kinds: readonly DeviceKind[];
  readonly variables: readonly TemplateVariable[];
  readonly sections: readonly { readonly set: string; readonly label: string; readonly optional: boolean; readonly clamp: boolean }[];
}
export interface TemplateCheck {
  readonly ok: boolean;
  readonly errors: readonly ErrorShape[];
  /** Present whenever the document could be read at all. */
  readonly summary?: TemplateSummary;
}
export interface TemplateEntry {
  readonly id: string;
  readonly source: 'bundled' | 'own';
  readonly name: string;
  readonly description?: string;
  readonly text: string;
  /** Of an own template: the version `text` is, from 1, and when it was saved (ISO 8601). */
  readonly version?: number;
  readonly savedAt?: string;
}

export interface Change {
  /** Path inside the payload: `TimeBlockList[0].dayOfWeek`. */
  readonly path: string;
  readonly label: string;
  readonly unit?: string;
  /** Absent: the device does not have the field now. Masked where sensitive. */
  readonly from?: unknown;
  /** Absent: the field is removed. Masked where sensitive. */
  readonly to?: unknown;
  readonly sensitive?: boolean;
}
export type PlanState = 'changes' | 'unchanged' | 'unsupported' | 'adjusted' | 'blocked';
export interface PlanSection {
  /** Position in the template, from 0. */
  readonly index: number;
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  readonly optional: boolean;
  readonly state: PlanState;
  readonly changes: readonly Change[];
  readonly adjustments: readonly { readonly path: string; readonly asked: unknown; readonly given: unknown; readonly reason: string; readonly detail?: Detail }[];
  /** Why it is blocked or unsupported. */
  readonly problems: readonly ErrorShape[];
  /** SHA-256 of the document as read: a later apply compares it. */
  readonly baseline?: string;
}
export interface PlanDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** The strongest of its sections; `failed` where it could not be read at all. */
  readonly state: PlanState | 'failed';
  readonly error?: ErrorShape;
  readonly sections: readonly PlanSection[];
  /** Devices with equal results share a number, from 1. */
  readonly group: number;
  /** Values of the template's variables for this device, without secrets. */
  readonly values: Readonly<Record<string, unknown>>;
}
export interface Plan {
  readonly fieldwright: 'plan/1';
  readonly id: string;
  readonly createdAt: string;
  /** `id` and `version` where the text is exactly that of a saved version. */
  readonly template: { readonly name: string; readonly hash: string; readonly text: string; readonly id?: string; readonly version?: number };
  readonly devices: readonly PlanDevice[];
  readonly groups: readonly { readonly group: number; readonly devices: readonly string[]; readonly state: PlanDevice['state'] }[];
  readonly counts: Readonly<Record<PlanDevice['state'], number>>;
}
export type PlanEvent =
  | { readonly type: 'device'; readonly device: PlanDevice; readonly done: number; readonly total: number }
  | { readonly type: 'plan'; readonly plan: Plan };
/** Devices of the `plan` that follows, which holds the others: a large plan crosses to a page in parts, so that no message is large. */
export type PlanPart = { readonly type: 'planned'; readonly devices: readonly PlanDevice[] };

/**
 * What became of one section on one device. The first six are the outcomes of a write;
 * `unchanged`, `skipped` (optional and not on this device), `blocked` and `failed` mean that
 * nothing was sent; `pending` that its turn has not come.
 */
export const SECTION_OUTCOMES = ['effective', 'accepted', 'ignored', 'needs-reboot', 'refused', 'unknown', 'unchanged', 'skipped', 'blocked', 'failed', 'pending'] as const;
export type SectionOutcome = (typeof SECTION_OUTCOMES)[number];

/**
 * How an outcome came about, where that is worth telling: found out by reading after a crash or a
 * lost connection; and on undoing: put back byte for byte, only our own changes taken back because
 * others changed the rest meanwhile, and a later change of someone else overwritten as confirmed.
 */
export const SECTION_NOTES = ['settled-by-reading', 'put-back-exactly', 'put-back-merged', 'overwrote-other-change'] as const;
export type SectionNote = (typeof SECTION_NOTES)[number];

export interface SectionResult {
  readonly index: number;
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  readonly outcome: SectionOutcome;
  readonly changes: readonly Change[];
  readonly status?: StatusReport;
  readonly error?: ErrorShape;
  readonly note?: SectionNote;
}
export interface DeviceResult {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly state: 'pending' | 'running' | 'done' | 'failed';
  readonly error?: ErrorShape;
  readonly sections: readonly SectionResult[];
}
export type JobState = 'running' | 'done' | 'failed' | 'partial' | 'cancelled' | 'interrupted';
export interface JobSummary {
  readonly id: string;
  readonly kind: 'apply' | 'undo';
  /** Of an undo: the job it takes back. */
  readonly undoOf?: string;
  readonly state: JobState;
  readonly createdAt: string;
  readonly endedAt?: string;
  /** Operating system user. */
  readonly by: string;
  readonly template: { readonly name: string; readonly hash: string; readonly id?: string; readonly version?: number };
  readonly devices: number;
  readonly counts: Readonly<Partial<Record<SectionOutcome, number>>>;
  readonly resumable: boolean;
  /** It runs, but hands out no further device until it is continued. */
  readonly paused?: boolean;
  /** Devices with a write that counts only after a restart. */
  readonly rebootPending?: number;
}
export interface Job extends JobSummary {
  /** Who worked on it, oldest first. */
  readonly runs?: readonly JobRun[];
  /** While its first run goes on: how it was begun. Its waves can be told from it, in the order of `results`. */
  readonly options?: ApplyOptions;
  readonly results: readonly DeviceResult[];
}
export type JobEvent =
  | { readonly type: 'job'; readonly job: Job }
  | { readonly type: 'paused'; readonly jobId: string; readonly paused: boolean }
  | { readonly type: 'phase'; readonly jobId: string; readonly deviceId: string; readonly index: number; readonly phase: 'reading' | 'writing' | 'verifying' | 'waiting' }
  | { readonly type: 'section'; readonly jobId: string; readonly deviceId: string; readonly result: SectionResult }
  | { readonly type: 'device'; readonly jobId: string; readonly device: DeviceResult; readonly done: number; readonly total: number }
  | { readonly type: 'end'; readonly job: Job };

/** Devices of the next `job` or `end`, which holds the others: a large job crosses to a page in parts, so that no message is large. */
export type JobPart = { readonly type: 'results'; readonly devices: readonly DeviceResult[] };

export interface ApplyOptions {
  /** Devices in the first wave; 0: no canary. A failed canary stops the rest. */
  readonly canary?: number;
  /** Devices per wave after the canary; 0: all at once. */
  readonly wave?: number;
  /** Devices worked on at a time. */
  readonly concurrency?: number;
  /** Stop handing out devices after this many failed; undefined: never. */
  readonly stopAfter?: number;
  /** Devices that changed since the plan are planned again and applied. */
  readonly acceptDrift?: boolean;
  /** Consent to send stream or receiver passwords unencrypted. */
  readonly allowPlainFields?: boolean;
}

/** How to reach a device of a job that is in no inventory; its sign-in has to be given again. */
export interface JobTarget {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** In the inventory, or already named for this run. */
  readonly known: boolean;
  /** Named for one run when the job was started. */
  readonly transient: boolean;
  readonly profile?: ConnectionProfile;
  readonly certificate?: string;
}
/** What resuming a job would need and do; nothing was read from a device for it. */
export interface ResumePreview {
  readonly job: JobSummary;
  /** Devices with something left to do. */
  readonly devices: readonly (JobTarget & { readonly pending: number; /** Writes whose fate is open: settled by reading first. */ readonly unknown: number })[];
  /** Secret variables that have to be given again. */
  readonly secrets: readonly TemplateVariable[];
}

/** Devices that a job did not get through on, and the secret variables that a new plan for them needs. */
export interface RetryPreview {
  readonly devices: readonly JobTarget[];
  readonly secrets: readonly TemplateVariable[];
}

export interface UndoPreviewSection {
  readonly index: number;
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  /** What became of it in the job. */
  readonly outcome: SectionOutcome;
  /** From what the job wrote back to what was there before. Empty where it cannot be undone. */
  readonly changes: readonly Change[];
  /** Why it cannot be undone. */
  readonly problem?: ErrorShape;
  /** Paths of secrets that the device never showed, so that they cannot be put back. */
  readonly lost: readonly string[];
}
export interface UndoPreviewDevice extends JobTarget {
  /** Why nothing on it can be undone. */
  readonly problem?: ErrorShape;
  /** What the job wrote, in the order in which it is taken back. */
  readonly sections: readonly UndoPreviewSection[];
}
/** What undoing a job would put back, and what it cannot; from the journal, nothing was read from a device. */
export interface UndoPreview {
  readonly job: JobSummary;
  /** Devices on which the job wrote something. */
  readonly devices: readonly UndoPreviewDevice[];
  readonly possible: number;
  readonly impossible: number;
}

export interface AppInfo {
  readonly version: string;
  readonly face: 'desktop' | 'browser' | 'cli';
  readonly platform: string;
  /** `locked` asks for the passphrase, `new` lets the person choose one. */
  readonly vault: { readonly state: 'open' | 'locked' | 'new'; readonly protection: string };
  /** What the person should know since the start: a damaged database that was set aside. */
  readonly notices?: readonly ErrorShape[];
  /** The face can start a simulated site. */
  readonly canSimulate: boolean;
}
