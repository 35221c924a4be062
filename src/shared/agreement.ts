/** Settings of devices as they were agreed, and where devices show something else. */
import type { ErrorShape } from './errors.ts';
import type { Change, Params } from './model.ts';

/** Person and job that agreed to a value. */
export interface AgreedBy {
  /** ISO 8601. */
  readonly at: string;
  readonly user: string;
  /** Job that set and proved it; absent where a person accepted what the device showed. */
  readonly jobId?: string;
  readonly title?: string;
  /** Version of the template of the job. */
  readonly version?: number;
  /** Why it was accepted. */
  readonly reason?: string;
}

/** `drifted`: another value is shown; `unknown`: not looked at since, or not everything can be seen. */
export type AgreementState = 'as-agreed' | 'drifted' | 'unknown' | 'nothing-agreed';

/** A setting that a device shows otherwise than agreed. */
export interface DriftedSetting {
  /** Name of the section, such as `thermal.thermometryBasic`. */
  readonly set: string;
  /** English name of the section. */
  readonly label: string;
  readonly params: Params;
  /** Path of the setting: a field, or a list as a whole. */
  readonly path: string;
  /** Values without secrets; absent for what no template may set. */
  readonly agreed?: unknown;
  readonly shown?: unknown;
  /** Lead from the values shown to the values agreed. */
  readonly changes: readonly Change[];
  readonly agreedBy: AgreedBy;
  /** ISO 8601: when it was first seen. */
  readonly since: string;
  /** Job that wrote the value that is shown; absent where it was set outside of Fieldwright. */
  readonly changedBy?: { readonly jobId: string; readonly title: string; readonly user: string };
}

/** A device beside what was agreed for it. */
export interface DeviceAgreement {
  readonly deviceId: string;
  readonly state: AgreementState;
  /** ISO 8601: when its agreed settings were last seen, by a look or by the proof of a job. */
  readonly readAt?: string;
  /** ISO 8601: when the last look ended, also one that failed. */
  readonly triedAt?: string;
  readonly differences: readonly DriftedSetting[];
  /** Number of agreed settings that the device does not report. */
  readonly unseen: number;
  /** Why the last look failed. */
  readonly error?: ErrorShape;
}

/** Filter for devices; all of them without one. */
export interface AgreementQuery {
  readonly deviceIds?: readonly string[];
}

export type LookEvent =
  | {
      readonly type: 'device';
      readonly device: DeviceAgreement;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'end' };

/** Differences that are accepted: all of the device, of one section, or one setting. */
export interface AcceptRequest {
  readonly deviceId: string;
  readonly set?: string;
  readonly path?: string;
  readonly reason: string;
}

/** A template that puts the same settings right on the devices named. */
export interface PutRight {
  readonly templateText: string;
  readonly deviceIds: readonly string[];
}
