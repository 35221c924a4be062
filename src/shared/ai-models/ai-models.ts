/** Model packages of AI devices: what is on a device, a plan to send one to many, and how far each is (part 1, 2 and 3). */
import type { Detail } from '../details.ts';
import type { ErrorShape } from '../errors.ts';

/**
 * Stages of a package, in the order in which a device reaches them; `when-seen`: the device could not be
 * reached and is processed when it can be.
 */
export type ModelStage =
  | 'waiting'
  | 'checked'
  | 'serving'
  | 'received'
  | 'waits-for-restart'
  | 'listed'
  | 'loading'
  | 'running'
  | 'proved'
  | 'when-seen'
  | 'failed';

/** States of an engine (part 1, 3); a device may report others. */
export const ENGINE_STATES = {
  empty: 0,
  running: 1,
  abnormal: 2,
  decryptionFailed: 3,
  initializing: 10,
  engineAbnormal: 11,
  faceIntelligence: 12,
} as const;

/** A flag as the device reports it, or does not. */
export type Reported = 'true' | 'false' | 'not-reported';

/** Package of an engine; an engine that takes several packages has one entry for each. */
export interface EngineView {
  readonly engine: number;
  readonly status: number;
  /** Empty: none. */
  readonly MPID: string;
  readonly MPName: string;
  /** Channel counts; only for an engine that takes several packages. */
  readonly channels?: {
    readonly video?: ChannelCount;
    readonly picture?: ChannelCount;
  };
  /** Analysis tasks that use it, where the device lists them. */
  readonly tasks?: readonly string[];
}
export interface ChannelCount {
  readonly used: number;
  readonly left?: number;
}

export interface PackageView {
  readonly MPID: string;
  readonly MPName: string;
  readonly status: number;
  readonly engines: readonly number[];
}

/** Megabytes, as the device counts them. */
export interface ModelStorage {
  readonly total: number;
  readonly free: number;
  /** Number of packages, if the device counts them. */
  readonly packages?: number;
}

/** State of an AI device's engines and packages at one moment. */
export interface ModelBoard {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** ISO 8601: when it was read. */
  readonly at: string;
  readonly engines: readonly EngineView[];
  /** Numbers of the engines that the device has. */
  readonly engineNumbers: readonly number[];
  readonly packages: readonly PackageView[];
  readonly storage?: ModelStorage;
  readonly platform?: {
    readonly name: string;
    readonly algorithmVersion: string;
    readonly firmware: string;
    /** Packages that one engine takes, where it takes several. */
    readonly packagesPerEngine?: number;
  };
  readonly supports: { readonly url: Reported; readonly push: Reported; readonly reset: Reported };
  /** Errors of the reads that failed, with their reasons. */
  readonly problems: readonly ErrorShape[];
}

/** A file that the person chose to send; its path stays with the engine. */
export interface ChosenFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** Received part of a page's file. */
export interface ReceivedFile {
  readonly uploadId: string;
  readonly bytes: number;
  /** The file, once it is complete. */
  readonly file?: ChosenFile;
}

/** A package as jobs and plans name it. */
interface ModelFile {
  readonly name: string;
  readonly size: number;
  /** Lower-case hex, of the file before anything was sent. */
  readonly sha256: string;
}

/** `url`: the device fetches it from this computer, as documented; `push`: it is sent in a request, which is not specified. */
export type ModelMode = 'url' | 'push';

/** A finding of the doctor: whether devices can fetch from this computer. */
export interface ModelFinding {
  readonly id: string;
  readonly tone: 'good' | 'warning' | 'danger';
  readonly message: string;
  /** Advice on what to do about it. */
  readonly hint?: string;
  /** Both as data, for other languages. */
  readonly detail: Detail;
  /** Addresses of the devices it is about, bounded; none: it is about this computer. */
  readonly devices?: readonly string[];
}

export interface ModelPlanDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** `offline`: it has its turn when it can be reached; `blocked`: it gets nothing until a person acts. */
  readonly state: 'ready' | 'blocked' | 'offline';
  /** Reasons why it is not ready. */
  readonly errors: readonly ErrorShape[];
  /** Notes on what will happen on the device, and on what is worth knowing. */
  readonly notes: readonly Detail[];
  readonly engines: readonly PlannedEngine[];
  readonly storage?: ModelStorage;
}
export interface PlannedEngine {
  readonly engine: number;
  readonly status: number;
  /** The package that is unloaded for the new one. */
  readonly replaces?: { readonly MPID: string; readonly MPName: string };
  /** Further packages that leave the engine. */
  readonly alsoReplaces?: readonly { readonly MPID: string; readonly MPName: string }[];
  /** Packages that the engine still has beside the new one. */
  readonly stays?: readonly { readonly MPID: string; readonly MPName: string }[];
  /** True if those that stay are unloaded with the others and loaded again: an engine is unloaded as a whole (part 1, 4). */
  readonly reloads?: boolean;
}

export interface ModelPlan {
  readonly id: string;
  readonly at: string;
  readonly file: ModelFile;
  readonly mpid: string;
  readonly mpName?: string;
  readonly mode: ModelMode;
  /** The content of a package that is there already is replaced. */
  readonly update: boolean;
  readonly engines: readonly number[];
  readonly address?: string;
  readonly devices: readonly ModelPlanDevice[];
  readonly doctor: readonly ModelFinding[];
}

export type ModelPlanEvent =
  | { readonly type: 'hashing'; readonly done: number; readonly total: number }
  | {
      readonly type: 'device';
      readonly device: ModelPlanDevice;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'plan'; readonly plan: ModelPlan };

/** A line of the log of a transfer. */
export interface ModelLogLine {
  /** ISO 8601. */
  readonly at: string;
  readonly text: Detail;
}

/** Progress of a device in a job of kind `model`, from its units. */
export interface ModelProgress {
  readonly stage: ModelStage;
  /** Bytes that the device fetched, each counted once; or that were pushed. */
  readonly served: number;
  readonly total: number;
  /** Bytes that the device says it has, by its own percentage. */
  readonly received?: number;
  /** Percentage of the package that was served; never what the device claims. */
  readonly percent: number;
  /** Bytes a second. */
  readonly rate: number;
  /** Seconds; absent if unknown. */
  readonly eta?: number;
}

/** Units of a device in a job of kind `model`, in their order. */
export type ModelStep = 'check' | 'transfer' | 'restart' | 'engine' | 'proof' | 'previous';

/** Properties of a unit of the kind `model`, beside those that every unit has. */
export interface ModelUnit {
  readonly step: ModelStep;
  readonly stage: ModelStage;
  /** Progress of the step `transfer`. */
  readonly transfer?: {
    readonly served: number;
    readonly total: number;
    /** Percentage that the device reports. */
    readonly percent?: number;
    readonly rate: number;
    readonly address?: string;
    readonly port?: number;
    /** Number of times the device was asked to fetch, and of its requests. */
    readonly asked: number;
    readonly requests?: number;
    /** SHA-256 of the bytes fetched, once all of them were. */
    readonly fetchedSha256?: string;
    /** Half-open byte ranges that were fetched, by number. */
    readonly ranges?: readonly (readonly [number, number])[];
    /** The port was taken by another program once: another one may be used. */
    readonly portLost?: boolean;
  };
  /** True where the device was seen away: for `restart`, and for an engine that counts after a restart. */
  readonly left?: boolean;
  /** True for an `engine` whose device took the package and asked for a restart first (status 7). */
  readonly awaitsRestart?: boolean;
  /** Engine of the step `engine`. */
  readonly engine?: number;
  /** Status of the engine as the device reports it (part 1, 3). */
  readonly engineStatus?: number;
  /** Packages that were unloaded for the new one. */
  readonly previous?: readonly { readonly MPID: string; readonly MPName: string }[];
  /** Packages that are unloaded with those and loaded again. */
  readonly reload?: readonly { readonly MPID: string; readonly MPName: string }[];
  /** Result of the step `proof`. */
  readonly proof?: {
    readonly sha256: string;
    /** Bytes fetched, each counted once. */
    readonly bytes: number;
    /** SHA-256 of the bytes fetched; absent if they were not fetched whole and in order. */
    readonly fetchedSha256?: string;
    readonly requests: number;
    readonly running: readonly number[];
  };
  readonly log?: readonly ModelLogLine[];
  /** Lines that did not fit any more. */
  readonly logDropped?: number;
}

/** Outcome of a change of one engine or package; `accepted`: the device shows nothing that confirms it. */
export interface ModelChanged {
  /** Id of the job. */
  readonly job: string;
  /** Reason why it is not as asked. */
  readonly error?: ErrorShape;
  readonly outcome: 'effective' | 'accepted' | 'ignored' | 'needs-reboot' | 'unknown';
  /** Status of the engine after the change. */
  readonly status?: number;
  readonly mpid?: string;
}
