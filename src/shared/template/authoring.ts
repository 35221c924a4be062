/** Templates while they are written: versions, comparison, capture from a device. */
import type { ErrorShape } from '../errors.ts';
import type { Change, Params, TemplateSummary, TemplateVariable } from '../model.ts';

/** One saved version of an own template; versions count from 1. */
export interface TemplateVersion {
  readonly version: number;
  /** ISO 8601. */
  readonly savedAt: string;
  /** Operating system user. */
  readonly by: string;
  /** The person's note about it. */
  readonly note?: string;
  /** SHA-256 of the text, hexadecimal: the `hash` of plans and jobs. */
  readonly hash: string;
  readonly name: string;
}

/** Differences between two template texts, in the words of the definitions. */
export interface TemplateComparison {
  readonly sections: readonly {
    readonly set: string;
    readonly label: string;
    readonly params: Params;
    readonly state: 'added' | 'removed' | 'changed' | 'same';
    readonly changes: readonly Change[];
  }[];
  readonly variables: readonly {
    readonly name: string;
    readonly state: 'added' | 'removed' | 'changed';
    readonly before?: TemplateVariable;
    readonly after?: TemplateVariable;
  }[];
  /** Name, description, kinds. */
  readonly other: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** A CSV of values read against a template and the inventory. */
export interface ValuesTable {
  /** Values as written, by variable; an empty cell means the default. `row` counts lines from 1. */
  readonly devices: readonly {
    readonly deviceId: string;
    readonly name: string;
    readonly row: number;
    readonly values: Readonly<Record<string, string>>;
  }[];
  /** Every complaint names its line. Where there is one, nothing may be planned with the table. */
  readonly errors: readonly ErrorShape[];
}

/** State of one section while capturing. `secret`: nothing of it may be captured. */
type CaptureState = 'captured' | 'unsupported' | 'empty' | 'secret' | 'failed';
export interface CapturedSection {
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  readonly state: CaptureState;
  /** Paths that became variables because they belong to the device: ids, addresses, names. */
  readonly variables: readonly { readonly path: string; readonly name: string }[];
  /** Paths of secrets that were left out, and of values that a template cannot set. */
  readonly left: readonly {
    readonly path: string;
    /** `invalid`: outside of the specification. `inactive`: without effect beside the other values. */
    readonly reason: 'secret' | 'read-only' | 'invalid' | 'inactive' | 'not-described';
    /** Value that the device shows, for `invalid` and `inactive`. */
    readonly value?: unknown;
  }[];
  readonly error?: ErrorShape;
}
export type CaptureEvent =
  | {
      readonly type: 'section';
      readonly section: CapturedSection;
      readonly done: number;
      readonly total: number;
    }
  | {
      readonly type: 'template';
      readonly text: string;
      readonly summary: TemplateSummary;
      readonly sections: readonly CapturedSection[];
      readonly values: Readonly<Record<string, unknown>>;
    };
