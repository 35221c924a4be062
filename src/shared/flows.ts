/**
 * Messages between a face and the engine about guided flows; answers are the only fields here that may hold a
 * secret.
 */
import type { CaptureEvent } from './template/authoring.ts';
import type { Detail } from './details.ts';
import type { ErrorShape } from './errors.ts';
import type { Counters } from './gate-counters.ts';
import type { Change, DeviceKind, NoUndo, UnitOutcome } from './model.ts';
import type { Fact, Leaf, DocumentText } from './report-document.ts';

/** Present state of a device: its drawing, and what it reports as faulty. */
export interface DevicePicture {
  readonly picture: Leaf;
  readonly faults: readonly PictureFault[];
  /** Answer of `gate.status.get`, for its facts. */
  readonly status?: unknown;
  /** Passages counted, if the device counts them. */
  readonly counters?: Counters;
}
/** Place of a part in a drawing, and the height at which a line from it to the side crosses little else. */
interface PicturePart {
  readonly x: number;
  readonly y: number;
  readonly along: number;
}
export interface PictureFault {
  /** Operation and path of the field that says it. */
  readonly operation: string;
  readonly path: string;
  /** Name of the field and its value. */
  readonly fact: Fact;
  /** Faulty parts in the drawing; none for the device as a whole. */
  readonly at: readonly PicturePart[];
}

type FieldKind = 'text' | 'number' | 'choice' | 'flag' | 'date' | 'secret' | 'numbers';

/** One thing that a person answers. */
export interface FlowField {
  /** Key in files with answers. */
  readonly name: string;
  readonly label: DocumentText;
  readonly help?: DocumentText;
  readonly kind: FieldKind;
  readonly required?: boolean;
  /** Default value. */
  readonly value?: unknown;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  /** Characters of a text, entries of a list. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly options?: readonly { readonly value: string | number; readonly label: DocumentText }[];
  /** The next device of the same job begins with what was answered here. */
  readonly kept?: true;
  /** Check by a person: its options are `good`, `bad` and `not-tested`. */
  readonly isCheck?: true;
  /** Limit that is seldom changed: a screen shows its value, and the field on demand. */
  readonly isFolded?: true;
}

export interface Question {
  readonly text: readonly DocumentText[];
  readonly fields?: readonly FlowField[];
  /** Contents beside the question: a picture, a plot, the device's answers. */
  readonly shows?: readonly Leaf[];
  /** Present values of the device that the person watches, most important first. */
  readonly live?: readonly Fact[];
  /** True for a question about the whole job: later devices have the same answer without being asked. */
  readonly isShared?: true;
  /** True for a question that is asked only in some cases, such as a doubtful value. */
  readonly isOccasional?: true;
  readonly tone?: 'plain' | 'warning' | 'danger';
  /** A script whose answers say nothing of this watch ends it after so many seconds: it waits for a person. */
  readonly unattendedSeconds?: number;
}

export type Values = Readonly<Record<string, unknown>>;

/** A question that waits, or the current step if there is no question. */
export interface Asked extends Question {
  /** Answers name it: one to an older question counts no more. */
  readonly token: string;
  /** Place of the device in the job. */
  readonly position: number;
  readonly step: string;
  readonly key: string;
  /**
   * `answer`: it waits for one. `watch`: it ends by itself, or when a person ends it. `confirm`: the shown
   * data goes to the device. `trouble`: the person decides about an error.
   */
  readonly wants: 'answer' | 'watch' | 'confirm' | 'trouble';
  /** Seconds after which a watch ends if its condition is not met. */
  readonly secondsLeft?: number;
  /** Resource or operation whose fields `sends` names. */
  readonly set?: string;
  /** Changes that would go to the device. */
  readonly sends?: readonly Change[];
  /** Why that cannot be undone afterwards. */
  readonly noUndo?: NoUndo;
  /** The obstacle. */
  readonly error?: ErrorShape;
  /** The step may be skipped. */
  readonly canSkip: boolean;
  /** True if there is an earlier question to go back to. */
  readonly canGoBack: boolean;
}

export type Answer =
  | { readonly kind: 'values'; readonly values: Values }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'back' }
  /** Ends the session; the flow can be continued later. */
  | { readonly kind: 'leave' };

export interface FlowInfo {
  readonly name: string;
  readonly title: DocumentText;
  readonly about: DocumentText;
  /** Devices it is for; absent: any. */
  readonly kinds?: readonly DeviceKind[];
  readonly steps: readonly {
    readonly id: string;
    readonly title: DocumentText;
    /** Why the policy of an organisation keeps it from being done. */
    readonly forbidden?: Detail;
  }[];
}

/** A job of a flow at this moment. */
export interface FlowView {
  readonly jobId: string;
  readonly flow: FlowInfo;
  /** Devices in the order of the job; the steps of each in the order of the flow. */
  readonly devices: readonly {
    readonly deviceId: string;
    readonly name: string;
    readonly outcomes: readonly UnitOutcome[];
    /** Id of its record. */
    readonly record?: string;
    /** Beginning of the record: the safety of the device, and the result of its checks. */
    readonly verdict?: readonly Leaf[];
    /** It wrote settings that a template can hold. */
    readonly hasTemplate?: boolean;
  }[];
  /** Current question or display. */
  readonly asked?: Asked;
  /** It has stopped: no question follows. */
  readonly ended: boolean;
}

export interface RecordSummary {
  readonly id: string;
  readonly jobId: string;
  readonly deviceId: string;
  /** Name of the flow. */
  readonly flow: string;
  /** ISO 8601. */
  readonly at: string;
  readonly sha256: string;
  /** The first of what the record begins with: whether the device is safe, or what its checks come to. */
  readonly verdict?: Extract<Leaf, { readonly block: 'paragraph' }>;
}

/** The settings that a flow wrote, as `templates.capture` gives those of a device. */
export type FlowTemplate = Omit<Extract<CaptureEvent, { readonly type: 'template' }>, 'type'>;

/** A record as a file. */
export interface ExportedRecord {
  readonly fileName: string;
  readonly base64: string;
}
