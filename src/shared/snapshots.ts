/** Documents of devices as they were, and what changed between two times. */
import type { Change, Params } from './model.ts';

/** Mark of a file with a snapshot; its number grows with what older versions could not read. */
export const SNAPSHOT_FORMAT = 'snapshot/1';

/** A time at which everything that a device shows was read. */
export interface Snapshot {
  readonly deviceId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Operating system user. */
  readonly by: string;
  /** Number of documents that were read, and of those that were new or different. */
  readonly documents: number;
  readonly changed: number;
}

/** A document as a device showed it, without secrets. */
export interface SnapshotDocument {
  readonly operation: string;
  readonly params: Params;
  /** ISO 8601: when the device first and last showed it. */
  readonly since: string;
  readonly until: string;
  readonly text: string;
}

/** A setting that a device showed otherwise at another time. */
export interface SnapshotDifference {
  readonly set: string;
  /** English name of the section. */
  readonly label: string;
  readonly params: Params;
  /** Path of the setting: a field, or a list as a whole. */
  readonly path: string;
  /** Lead from the first time to the second. */
  readonly changes: readonly Change[];
}

/** Way back to what a device showed at a time. */
export interface Restore {
  /** Sets what the device showed then and does not show now; absent where there is nothing to set. */
  readonly templateText?: string;
  /** Number of settings that differ and that no template may set. */
  readonly left: number;
}

/** A setting that changed on a device: by a job, or outside of Fieldwright between two looks. */
export interface TimelineEntry extends SnapshotDifference {
  /** ISO 8601: when a job wrote it, or when it was first seen. */
  readonly at: string;
  /** ISO 8601: when the value before was last seen; only of changes from outside. */
  readonly after?: string;
  /** Absent: it was changed outside of Fieldwright. */
  readonly job?: { readonly id: string; readonly title: string; readonly user: string };
}
