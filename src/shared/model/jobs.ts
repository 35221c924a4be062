/** Jobs, what became of each setting, and how a job is run. */
import type { Detail } from '../details.ts';
import type { ErrorShape, StatusReport } from '../errors.ts';
import type { DocumentText } from '../report-document.ts';
import type { PeopleWork } from '../people/people.ts';
import type { Params } from './calls.ts';
import type { Change } from './plans.ts';

/** One run of a job: its start, and every time it was resumed or followed up. */
export interface JobRun {
  readonly kind: 'start' | 'resume' | 'follow-up' | 'keep';
  /** ISO 8601. */
  readonly at: string;
  /** Operating system user. */
  readonly by: string;
}

/**
 * Outcome of one unit of work on one device. The first six are the outcomes of a write; `reverted` that what it wrote
 * was put back because it was not kept in time; `unchanged`, `skipped` (optional and not on this device), `blocked` and `failed` mean that nothing was sent; `pending`
 * that its turn has not come.
 */
export const UNIT_OUTCOMES = [
  'effective',
  'accepted',
  'ignored',
  'needs-reboot',
  'refused',
  'unknown',
  'reverted',
  'unchanged',
  'skipped',
  'blocked',
  'failed',
  'pending',
] as const;
export type UnitOutcome = (typeof UNIT_OUTCOMES)[number];

/**
 * Deed of a step that wrote no setting: its outcome (`unchanged`) says only that the device is as before. The step of
 * a flow or of a package job names it; settings have none.
 */
export const STEP_DEEDS = [
  'done',
  'checked',
  'not-checked',
  'answered',
  'signed-off',
  'nothing-to-do',
] as const;
export type StepDeed = (typeof STEP_DEEDS)[number];

/**
 * Origin of an outcome, if noteworthy: found out by reading after a crash or a lost connection; and on
 * undoing: put back byte for byte, only our own changes taken back because others changed the rest meanwhile,
 * and a later change of someone else overwritten as confirmed.
 */
export type UnitNote =
  'settled-by-reading' | 'put-back-exactly' | 'put-back-merged' | 'overwrote-other-change';

/** Result of one unit of work on a device; a kind of job adds its own fields. */
export interface UnitResult {
  /** Place in the work on its device. */
  readonly index: number;
  /** Label in English. */
  readonly label: string;
  /** The same for other languages, where its kind has words for it; of a section its definition has them. */
  readonly title?: DocumentText;
  readonly outcome: UnitOutcome;
  /** Deed of a step. */
  readonly did?: StepDeed;
  readonly status?: StatusReport;
  readonly error?: ErrorShape;
  readonly note?: UnitNote;
  /** Progress of a long unit; in bytes, or in what its kind counts. */
  readonly progress?: UnitProgress;
}
export interface UnitProgress {
  readonly done: number;
  readonly total?: number;
}

/** A unit of a kind that writes settings: one section of a template, or a single call. `getSectionResult` returns one. */
export interface SectionResult extends UnitResult {
  /** Name of the section; of a call that writes none its operation, or method and path. */
  readonly set: string;
  readonly params: Params;
  readonly changes: readonly Change[];
  /** Further values that the write may have lost, such as secrets that the device does not show. */
  readonly warnings?: readonly ErrorShape[];
  readonly noUndo?: NoUndo;
}

/** Reasons for which a write can never be undone; each is the id of its words. */
export const NO_UNDO = ['no-undo-key', 'no-undo-lock', 'no-undo-sound', 'no-undo-controller'] as const;
export type NoUndo = (typeof NO_UNDO)[number];
/**
 * Outcome of a device as a whole: as asked (also if nothing had to be sent); as asked after a restart; not as
 * asked, so that a person has to look; its turn has not come; without any of these settings.
 */
export const DEVICE_OUTCOMES = ['done', 'needs-reboot', 'attention', 'pending', 'unsupported'] as const;
export type DeviceOutcome = (typeof DEVICE_OUTCOMES)[number];

/**
 * Reasons why the work on a device is open: it is away, too busy or has to restart first; the window of time ended
 * before its turn (`window`); the app ended (`interrupted`); or a person has to look, because the device changed
 * meanwhile (`changed`), keeps this account out (`sign-in`), or for another error (`error`).
 */
export type OpenReason =
  'away' | 'busy' | 'restart' | 'window' | 'interrupted' | 'changed' | 'sign-in' | 'error';

/** Result of a device of a job; with an empty `deviceId` and `url` it is the site as a whole. */
export interface DeviceResult {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly state: 'pending' | 'running' | 'done' | 'failed';
  readonly error?: ErrorShape;
  /** Its work is open: it is done when the device is back, or when a person decides. */
  readonly open?: OpenReason;
  /** It was chosen, but there was nothing that could be sent to it: it had no turn, and its units say why. */
  readonly idle?: boolean;
  readonly units: readonly UnitResult[];
}
/** `waiting`: until another job has done with one of its devices. */
export const JOB_STATES = [
  'running',
  'waiting',
  'done',
  'failed',
  'partial',
  'cancelled',
  'interrupted',
] as const;
export type JobState = (typeof JOB_STATES)[number];

interface JobKindFacts {
  /** True if its units are sections of a template, or write like one. */
  readonly writesSettings?: true;
  /** True if a person may continue it on another day, so that stopping it does not call it off. */
  readonly isLeftForLater?: true;
}
const KINDS = {
  apply: { writesSettings: true },
  undo: { writesSettings: true },
  call: { writesSettings: true },
  flow: { isLeftForLater: true },
  fingerprints: {},
  people: {},
  model: {},
  replacement: {},
} as const satisfies Readonly<Record<string, JobKindFacts>>;

/** Kinds of long work of this version; a journal may hold others that a newer version began. */
export type JobKindName = keyof typeof KINDS;
export const JOB_KINDS = Object.keys(KINDS) as readonly JobKindName[];

/** Returns the facts about a kind of long work; none for a kind that this version does not know. */
export function getJobKindFacts(kind: string): JobKindFacts {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as JobKindName] : {};
}

/** Subject of a job, each kind under its own name. */
export interface JobAbout {
  /** Name of the devices that it was begun for; absent in jobs of earlier versions. */
  readonly selection?: Detail | string;
  /** Template of `apply` and `undo`. */
  readonly template?: {
    readonly name: string;
    readonly hash: string;
    readonly id?: string;
    readonly version?: number;
  };
  /** Operation of a `call` and its undo, or its method and path. `document`: it replaces one, which can be put back. */
  readonly call?: { readonly operation: string; readonly document?: boolean };
  /** Name of the flow of a `flow` job, and its title as data for every language. */
  readonly flow?: { readonly name: string; readonly title: Detail };
  /** Work of `fingerprints`. */
  readonly prints?: { readonly work: 'import' | 'copy' | 'remove' | 'enrol' };
  /** Package of `model`, and the engines it is loaded into. */
  readonly model?: {
    readonly mpid: string;
    readonly mpName?: string;
    readonly file: string;
    readonly size: number;
    readonly sha256: string;
    readonly engines: readonly number[];
    readonly update?: boolean;
  };
  /** Work of `people`, the file or device that they come from, rows in all, and those that no device gets. */
  readonly people?: {
    readonly work: PeopleWork;
    /** File or device that the people come from; absent without one, and in jobs of earlier versions. */
    readonly from?: string;
    readonly rows: number;
    readonly bad: number;
  };
}
export interface JobSummary {
  readonly id: string;
  /** The kind of work: `apply`, `undo`, … */
  readonly kind: string;
  readonly title: string;
  readonly about: JobAbout;
  /** The job that an undo takes back. */
  readonly undoOf?: string;
  readonly state: JobState;
  readonly createdAt: string;
  readonly endedAt?: string;
  /** Operating system user. */
  readonly by: string;
  /** The job that has one of its devices, while it waits for its turn. */
  readonly waitsFor?: string;
  /** ISO 8601: its window of time opens then, while it waits for that. */
  readonly beginsAt?: string;
  /** ISO 8601: what it changed is put back then, unless a person keeps it before. */
  readonly confirmUntil?: string;
  /** Job that puts back what it changed and a person did not keep in time; known where one job is shown. */
  readonly revertedBy?: string;
  /** All that were chosen. */
  readonly devices: number;
  /** Outcomes of its devices; they add up to `devices`. */
  readonly deviceCounts: Readonly<Partial<Record<DeviceOutcome, number>>>;
  /** Devices among those that need a person or were not begun, with which a later job with the same template is done. */
  readonly finishedLater?: number;
  /** Devices whose work is open. */
  readonly open?: number;
  /** Devices whose open work a person dropped. */
  readonly dropped?: number;
  /** Outcomes of their units. */
  readonly counts: Readonly<Partial<Record<UnitOutcome, number>>>;
  readonly resumable: boolean;
  /** It runs, but hands out no further device until it is continued. */
  readonly paused?: boolean;
  /** It paused by itself, for this. */
  readonly pausedBy?: ErrorShape;
  /** Devices with a write that counts only after a restart. */
  readonly rebootPending?: number;
  /** Progress of all long units together, in what their kind counts. */
  readonly progress?: UnitProgress;
}
/** A job under way. `elsewhere`: another process works on it, and only there it can be paused or stopped. */
export interface WorkSummary extends JobSummary {
  readonly elsewhere?: boolean;
  /** Step of a guided flow at which it waits for a person. */
  readonly waitsAt?: DocumentText;
}
/** All jobs that run or wait, and those that ended since the event before. */
export interface WorkEvent {
  readonly jobs: readonly WorkSummary[];
  readonly ended: readonly JobSummary[];
}
export interface Job extends JobSummary {
  /** Its runs, oldest first. */
  readonly runs?: readonly JobRun[];
  /**
   * Options of the start, while its first run goes on. With them the waves follow from the order of
   * `results`.
   */
  readonly options?: ApplyOptions;
  readonly results: readonly DeviceResult[];
}
export type JobEvent =
  | { readonly type: 'job'; readonly job: Job }
  /** Its changes are put back at `until` (ISO 8601), unless a person keeps them. */
  | { readonly type: 'confirm'; readonly jobId: string; readonly until: string }
  | {
      readonly type: 'paused';
      readonly jobId: string;
      readonly paused: boolean;
      readonly reason?: ErrorShape;
    }
  | {
      readonly type: 'phase';
      readonly jobId: string;
      readonly deviceId: string;
      readonly index: number;
      readonly phase: 'reading' | 'writing' | 'verifying' | 'waiting';
    }
  | {
      readonly type: 'unit';
      readonly jobId: string;
      readonly deviceId: string;
      readonly result: UnitResult;
    }
  | {
      readonly type: 'device';
      readonly jobId: string;
      readonly device: DeviceResult;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'end'; readonly job: Job };

/** Devices of the next `job` or `end`, which holds the others: a large job crosses to a page in parts, so that no message is large. */
export type JobPart = { readonly type: 'results'; readonly devices: readonly DeviceResult[] };

/** Default number of devices worked on at a time: the longer they take to answer, the more. */
export const DEVICES_AT_ONCE = { fewest: 16, most: 64 } as const;

/** Options for the turns of a job's devices. */
export interface RunOptions {
  /** Devices in the first wave; 0: no canary. A failed canary stops the rest. */
  readonly canary?: number;
  /** Devices per wave after the canary; 0: all at once. */
  readonly wave?: number;
  /** Largest number of devices worked on at a time; absent: see `DEVICES_AT_ONCE`. */
  readonly concurrency?: number;
  /** Stop handing out devices after this many failed; undefined: never. */
  readonly stopAfter?: number;
  /** Waits for another job that works on one of the devices instead of being refused. */
  readonly wait?: boolean;
  /** Devices that are away, busy or wait for a restart become open work: done when they are back, until this time. */
  readonly whenBack?: { readonly until?: string };
  /** Devices are begun only between these local times of the computer; those that were not are open work. */
  readonly between?: TimeWindow;
}

/** Local times of this computer, as `HH:MM`; a window may go over midnight. */
export interface TimeWindow {
  readonly from: string;
  readonly to: string;
}

/** Work of a job on a device that is open. */
export interface OpenWork {
  /** Job and place of the device in it, as `j-75bbff2a5e8f.3`. */
  readonly id: string;
  readonly job: string;
  readonly kind: string;
  readonly title: string;
  readonly about: JobAbout;
  /** Id of the device. */
  readonly device: string;
  readonly name: string;
  readonly url: string;
  /** ISO 8601. */
  readonly since: string;
  /** ISO 8601: it is given up then. */
  readonly until?: string;
  readonly reason: OpenReason;
  /** Operating system user who began the job. */
  readonly by: string;
  /** Name of the site file that it went with, or of the colleague who does it: not done here unless a person says so. */
  readonly elsewhere?: string;
  /** True where it puts back changes that were not kept in time. */
  readonly reverts?: boolean;
  readonly error?: ErrorShape;
}

/** Result of one attempt at open work, and the summary of all that could be done now. */
export type OpenWorkEvent =
  | (OpenWork & { readonly type: 'work'; readonly outcome: 'done' | 'failed' | 'open' })
  | { readonly type: 'summary'; readonly done: number; readonly failed: number; readonly open: number };

export interface ApplyOptions extends RunOptions {
  /** Devices that changed since the plan are planned again and applied. */
  readonly acceptDrift?: boolean;
  /** Consent to send stream or receiver passwords unencrypted. */
  readonly allowPlainFields?: boolean;
  /** Sections that the plan shows as blocked count as skipped on purpose, not as needing attention. */
  readonly leaveOutBlocked?: boolean;
  /** Seconds after its last device in which a person has to keep what the job changed; else it is put back. */
  readonly confirmWithin?: number;
  /** True for the undo of a job whose changes were not kept in time. */
  readonly reverts?: boolean;
}

/** Devices whose changes a person kept, and those that cannot be reached or signed in to afresh: theirs wait on. */
export interface KeptChanges {
  readonly job: string;
  readonly kept: number;
  readonly failed: readonly (Pick<DeviceResult, 'deviceId' | 'name' | 'url'> & {
    readonly error: ErrorShape;
  })[];
}
