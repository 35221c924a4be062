/** Previews of resuming, retrying or undoing a job, before anything is sent. */
import type { Detail } from '../details.ts';
import type { ErrorShape } from '../errors.ts';
import type { Params } from './calls.ts';
import type { ConnectionProfile } from './devices.ts';
import type { JobSummary, UnitOutcome } from './jobs.ts';
import type { Change } from './plans.ts';
import type { TemplateVariable } from './templates.ts';

/** Address of a device of a job that is in no inventory; its sign-in has to be given again. */
export interface JobTarget {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** True if it is in the inventory, or already named for this run. */
  readonly known: boolean;
  /** True if it was named for one run when the job was started. */
  readonly transient: boolean;
  readonly profile?: ConnectionProfile;
  readonly certificate?: string;
}
/** Needs and effects of resuming a job; nothing was read from a device for it. */
export interface ResumePreview {
  readonly job: JobSummary;
  /** Devices with remaining work. */
  readonly devices: readonly (JobTarget & {
    readonly pending: number;
    /** Writes whose fate is open: settled by reading first. */ readonly unknown: number;
    /** True if it could not be read when the job was planned: its changes were never shown. */
    readonly unplanned?: boolean;
  })[];
  /** The device that is read for it, where that is none of them. */
  readonly source?: JobTarget;
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
  /** Name of the section; empty for a part of other work, which has a title. */
  readonly set: string;
  readonly label: string;
  readonly title?: Detail;
  readonly params: Params;
  /** Outcome of the unit in the job. */
  readonly outcome: UnitOutcome;
  /** Changes from the job's values back to the earlier ones. Empty if it cannot be undone. */
  readonly changes: readonly Change[];
  /** Reason why it cannot be undone. */
  readonly problem?: ErrorShape;
  /** Paths of secrets that the device never showed, so that they cannot be put back. */
  readonly lost: readonly string[];
}
export interface UndoPreviewDevice extends JobTarget {
  /** Reason why no change on it can be undone. */
  readonly problem?: ErrorShape;
  /** Sections that the job wrote, in the order in which they are taken back. */
  readonly sections: readonly UndoPreviewSection[];
}
/**
 * Values that undoing a job would put back, and those it cannot; from the journal, nothing was read from a
 * device.
 */
export interface UndoPreview {
  readonly job: JobSummary;
  /** Devices on which the job wrote something. */
  readonly devices: readonly UndoPreviewDevice[];
  readonly possible: number;
  readonly impossible: number;
  /** Consequence of the undo, such as the record of a guided flow that no longer fits. */
  readonly warning?: Detail;
}
