/** Settings of devices as they were agreed, and where devices show something else. */
import type { ErrorShape } from './errors.ts';
import type { AgreementSummary, Change, Params } from './model.ts';

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

/** Milliseconds after which a look is too old to say that a device is as agreed. */
const OLD_MS = 7 * 86_400_000;

/** States that lists show. `later`: all that differs was put off; `not-read`: the last look failed, or is old. */
type AgreementShown = AgreementState | 'later' | 'not-read';

/** Returns the state of a device as lists show it. `now` in milliseconds. */
export function getAgreementShown(agreement: AgreementSummary | undefined, now: number): AgreementShown {
  if (agreement === undefined) return 'nothing-agreed';
  const { state, differs, later, readAt, failedAt } = agreement;
  if (state === 'drifted') return differs === 0 && later !== undefined ? 'later' : 'drifted';
  const isOld = readAt === undefined || now - Date.parse(readAt) > OLD_MS;
  return isOld || failedAt !== undefined ? 'not-read' : state;
}

/** A decision to leave a difference for now: it holds until a time, or until the device shows another value. */
interface PutOff {
  readonly at: string;
  readonly user: string;
  /** ISO 8601. */
  readonly until?: string;
}

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
  /** Stays when its time is over; see `isPutOff`. */
  readonly later?: PutOff;
}

/** Returns whether a difference is put off now. */
export function isPutOff({ later }: Pick<DriftedSetting, 'later'>, now: Date): boolean {
  return later !== undefined && (later.until === undefined || Date.parse(later.until) > now.getTime());
}

/** Devices on which the same settings differ in the same way. */
export interface DriftGroup {
  readonly deviceIds: readonly string[];
  /** Those of the first device; `since` is the earliest of all. */
  readonly differences: readonly DriftedSetting[];
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

export type LookEvent =
  | {
      readonly type: 'device';
      readonly device: DeviceAgreement;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'end' };

/** A template that puts the same settings right on the devices named. */
export interface PutRight {
  readonly templateText: string;
  readonly deviceIds: readonly string[];
  /** Values of variables of single devices, as text. */
  readonly valuesByDevice?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
