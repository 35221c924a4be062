/** What a face and the engine say to each other about guided flows; no field here ever holds a secret but an answer. */
import type { CaptureEvent } from './template/authoring.ts';
import type { ErrorShape } from './errors.ts';
import type { Change, DeviceKind, UnitOutcome } from './model.ts';
import type { Leaf, DocumentText } from './report-document.ts';

type FieldKind = 'text' | 'number' | 'choice' | 'flag' | 'date' | 'secret' | 'numbers';

/** One thing that a person answers. */
export interface FlowField {
  /** In files with answers. */
  readonly name: string;
  readonly label: DocumentText;
  readonly help?: DocumentText;
  readonly kind: FieldKind;
  readonly required?: boolean;
  /** What counts where nothing else is said. */
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
}

export interface Question {
  readonly text: readonly DocumentText[];
  readonly fields?: readonly FlowField[];
  /** Beside the question: a picture, a plot, what the device says. */
  readonly shows?: readonly Leaf[];
  readonly tone?: 'plain' | 'warning' | 'danger';
  /** A script whose answers say nothing of this watch ends it after so many seconds: it waits for a person. */
  readonly unattendedSeconds?: number;
}

export type Values = Readonly<Record<string, unknown>>;

/** A question that waits, or what is going on where nobody is asked. */
export interface Asked extends Question {
  /** Answers name it: one to an older question counts no more. */
  readonly token: string;
  /** Place of the device in the job. */
  readonly position: number;
  readonly step: string;
  readonly key: string;
  /** `answer`: it waits for one. `watch`: it ends by itself, or when somebody ends it. `confirm`: what is shown goes to the device. `trouble`: what to do about an error. */
  readonly wants: 'answer' | 'watch' | 'confirm' | 'trouble';
  /** Resource or operation whose fields `sends` names. */
  readonly set?: string;
  /** What would go to the device. */
  readonly sends?: readonly Change[];
  /** What stands in the way. */
  readonly error?: ErrorShape;
  /** The step may be left out. */
  readonly canSkip: boolean;
  /** There is an earlier question to go back to. */
  readonly canGoBack: boolean;
}

export type Answer =
  | { readonly kind: 'values'; readonly values: Values }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'back' }
  /** The flow is left here, to be gone on with later. */
  | { readonly kind: 'leave' };

export interface FlowInfo {
  readonly name: string;
  readonly title: DocumentText;
  readonly about: DocumentText;
  /** Devices it is for; absent: any. */
  readonly kinds?: readonly DeviceKind[];
  readonly steps: readonly { readonly id: string; readonly title: DocumentText }[];
}

/** A job of a flow at this moment. */
export interface FlowView {
  readonly jobId: string;
  readonly flow: FlowInfo;
  /** In the order of the job; the steps of each in that of the flow. */
  readonly devices: readonly {
    readonly deviceId: string;
    readonly name: string;
    readonly outcomes: readonly UnitOutcome[];
    /** Id of its record. */
    readonly record?: string;
    /** What the record begins with: whether the device is safe, and what its checks come to. */
    readonly verdict?: readonly Leaf[];
    /** It wrote settings that a template can hold. */
    readonly hasTemplate?: boolean;
  }[];
  /** What it asks or shows now. */
  readonly asked?: Asked;
  /** It has stopped: nobody is asked any more. */
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
