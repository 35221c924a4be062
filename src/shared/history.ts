/** Changes of devices with their authors, and settings on their way to another device. */
import type { Detail } from './details.ts';
import type { ErrorShape } from './errors.ts';
import type { Change, JobSummary, NamedItem, NoUndo, Params, UnitOutcome } from './model.ts';

export interface HistoryPage {
  readonly jobs: readonly JobSummary[];
  /** Jobs that match in all. */
  readonly total: number;
  /** Cursor of the next page; absent at the end. */
  readonly next?: string;
}

/** One setting that a job changed on a device. */
export interface ChangeEntry {
  /** Names the change on the command line: job, device of the job, unit, path. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly jobId: string;
  readonly kind: string;
  readonly title: string;
  readonly deviceId: string;
  readonly device: string;
  readonly url: string;
  /** Index of the unit in the work on its device. */
  readonly index: number;
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  /** Path of the setting: a field, or a list as a whole. */
  readonly path: string;
  /** Values that differ, from the state before to the state after. */
  readonly changes: readonly Change[];
  readonly outcome: UnitOutcome;
  /** True if the write can be taken back. */
  readonly canUndo: boolean;
  /** Why it can never be taken back. */
  readonly noUndo?: NoUndo;
  /** Job that took it back. */
  readonly undoneBy?: string;
}
/** The last work that wrote something to a device. */
export interface LastChange extends Pick<JobSummary, 'kind' | 'title' | 'about'> {
  readonly deviceId: string;
  /** ISO 8601. */
  readonly at: string;
}
export interface ChangePage {
  readonly changes: readonly ChangeEntry[];
  readonly next?: string;
}

/** One setting of a device on its way to another device. */
export interface SwapItem {
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  /** Path of a field; absent for the section as a whole. */
  readonly path?: string;
  /** Identity of each list item along the path. */
  readonly items?: readonly NamedItem[];
  readonly from?: unknown;
  readonly to?: unknown;
  /** Reason why it was converted or is lost, in English. */
  readonly reason?: string;
  /** The same as data, for other languages; what the device or the specification said where that was the reason. */
  readonly details?: readonly Detail[];
  readonly error?: ErrorShape;
}
/** A device that has to restart before a write counts, while it is followed up. */
export interface FollowUpDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly units: number;
}
