/** Jobs, what became of each setting, and how a job is run. */
import type { ErrorShape, StatusReport } from '../errors.ts';
import type { JobRun } from '../history.ts';
import type { Params } from './calls.ts';
import type { Change } from './plans.ts';

/**
 * What became of one section on one device. The first six are the outcomes of a write;
 * `unchanged`, `skipped` (optional and not on this device), `blocked` and `failed` mean that
 * nothing was sent; `pending` that its turn has not come.
 */
export const SECTION_OUTCOMES = [
  'effective',
  'accepted',
  'ignored',
  'needs-reboot',
  'refused',
  'unknown',
  'unchanged',
  'skipped',
  'blocked',
  'failed',
  'pending',
] as const;
export type SectionOutcome = (typeof SECTION_OUTCOMES)[number];

/**
 * How an outcome came about, where that is worth telling: found out by reading after a crash or a
 * lost connection; and on undoing: put back byte for byte, only our own changes taken back because
 * others changed the rest meanwhile, and a later change of someone else overwritten as confirmed.
 */
export type SectionNote =
  'settled-by-reading' | 'put-back-exactly' | 'put-back-merged' | 'overwrote-other-change';

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
/**
 * What became of a device as a whole: as asked (also where nothing had to be sent); that, once it was
 * restarted; not as asked, so that somebody has to look; its turn has not come; without any of these
 * settings.
 */
export const DEVICE_OUTCOMES = ['done', 'needs-reboot', 'attention', 'pending', 'unsupported'] as const;
export type DeviceOutcome = (typeof DEVICE_OUTCOMES)[number];

export interface DeviceResult {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly state: 'pending' | 'running' | 'done' | 'failed';
  readonly error?: ErrorShape;
  /** It was chosen, but there was nothing that could be sent to it: it had no turn, and its sections say why. */
  readonly idle?: boolean;
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
  readonly template: {
    readonly name: string;
    readonly hash: string;
    readonly id?: string;
    readonly version?: number;
  };
  /** All that were chosen. */
  readonly devices: number;
  /** What became of them; adds up to `devices`. */
  readonly deviceCounts: Readonly<Partial<Record<DeviceOutcome, number>>>;
  /** What became of their sections. */
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
  | {
      readonly type: 'phase';
      readonly jobId: string;
      readonly deviceId: string;
      readonly index: number;
      readonly phase: 'reading' | 'writing' | 'verifying' | 'waiting';
    }
  | {
      readonly type: 'section';
      readonly jobId: string;
      readonly deviceId: string;
      readonly result: SectionResult;
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

/** Devices worked on at a time where nobody says how many: the longer they take to answer, the more. */
export const DEVICES_AT_ONCE = { fewest: 16, most: 64 } as const;

export interface ApplyOptions {
  /** Devices in the first wave; 0: no canary. A failed canary stops the rest. */
  readonly canary?: number;
  /** Devices per wave after the canary; 0: all at once. */
  readonly wave?: number;
  /** Most devices worked on at a time; absent: see `DEVICES_AT_ONCE`. */
  readonly concurrency?: number;
  /** Stop handing out devices after this many failed; undefined: never. */
  readonly stopAfter?: number;
  /** Devices that changed since the plan are planned again and applied. */
  readonly acceptDrift?: boolean;
  /** Consent to send stream or receiver passwords unencrypted. */
  readonly allowPlainFields?: boolean;
  /** Sections that the plan shows as blocked count as skipped on purpose, not as what somebody must look after. */
  readonly leaveOutBlocked?: boolean;
}
