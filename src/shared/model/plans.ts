/** Changes that a template would make on each device. */
import type { Detail } from '../details.ts';
import type { ErrorShape } from '../errors.ts';
import type { Params } from './calls.ts';

/**
 * Values that identify an item of a list, the key first, with their paths in the item. Empty: only its
 * position is known. An empty path: its content is beside it.
 */
export type NamedItem = readonly { readonly path: string; readonly value: string }[];
export interface Change {
  /** Path inside the payload: `TimeBlockList[0].dayOfWeek`. An item that is removed has the position it had before. */
  readonly path: string;
  /** English name, with items by what identifies them: `Time blocks › Time block Tuesday › Begin`. */
  readonly label: string;
  /** Identity of each item along the path; absent if none has a key. */
  readonly items?: readonly NamedItem[];
  readonly unit?: string;
  /** Unit of `from`, if the unit changes too: the same number then means something else, and is a change. */
  readonly fromUnit?: string;
  /** Present value; absent if the device does not have the field. Masked if sensitive. */
  readonly from?: unknown;
  /** New value; absent if the field is removed. Masked if sensitive. */
  readonly to?: unknown;
  readonly sensitive?: boolean;
  /** List around the change, whose items have a key or are corners; only the first change in it carries it. */
  readonly list?: ChangedList;
}
/** A list of which something changes, before and after: what it takes to show it as a whole. Masked as the changes are. */
export interface ChangedList {
  readonly path: string;
  readonly from: readonly unknown[];
  readonly to: readonly unknown[];
}
/** A change of the template after which a section is no longer blocked, or no longer needed where a device lacks it. */
export interface PlanFix {
  /** `clamp`: numbers move into the device's limits; `set`: a field gets a value; `add`: missing items of a list are added. */
  readonly kind: 'clamp' | 'set' | 'add' | 'optional';
  /** Place in the section as it is written: `clamp`, `value.emissivityMode`. */
  readonly path: string;
  readonly value: string | number | boolean;
  /** Path of the field in the payload, and its English name; `set` only. */
  readonly field?: string;
  readonly label?: string;
}
export type PlanState = 'changes' | 'unchanged' | 'unsupported' | 'adjusted' | 'blocked';
export interface PlanSection {
  /** Position in the template, from 0. */
  readonly index: number;
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  readonly optional: boolean;
  readonly state: PlanState;
  readonly changes: readonly Change[];
  /** Paths, as the device has them now, of what the specification does not know and what goes with the items and groups that are removed. Absent: nothing. */
  readonly lost?: readonly string[];
  readonly adjustments: readonly {
    readonly path: string;
    /** Label, absent in plans of older versions. */
    readonly label?: string;
    readonly items?: readonly NamedItem[];
    readonly asked: unknown;
    readonly given: unknown;
    readonly reason: string;
    readonly detail?: Detail;
  }[];
  /** Reasons why it is blocked or unsupported. */
  readonly problems: readonly ErrorShape[];
  /** Changes of the template that would help; absent if none is known. */
  readonly fixes?: readonly PlanFix[];
  /** Unusual parts that do not prevent the write; absent if there are none. */
  readonly warnings?: readonly ErrorShape[];
  /** It changes something that may cut the device off or keep people out. */
  readonly cutsOff?: boolean;
  /** SHA-256 of the document as read: a later apply compares it. */
  readonly baseline?: string;
}
export interface PlanDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** The strongest of its sections; `failed` where it could not be read at all. */
  readonly state: PlanState | 'failed';
  readonly error?: ErrorShape;
  readonly sections: readonly PlanSection[];
  /** Devices with equal results share a number, from 1. */
  readonly group: number;
  /** Values of the template's variables for this device, without secrets. */
  readonly values: Readonly<Record<string, unknown>>;
}
export interface Plan {
  readonly fieldwright: 'plan/1';
  readonly id: string;
  readonly createdAt: string;
  /** `id` and `version` where the text is exactly that of a saved version. */
  readonly template: {
    readonly name: string;
    readonly hash: string;
    readonly text: string;
    readonly id?: string;
    readonly version?: number;
  };
  readonly devices: readonly PlanDevice[];
  readonly groups: readonly {
    readonly group: number;
    readonly devices: readonly string[];
    readonly state: PlanDevice['state'];
  }[];
  readonly counts: Readonly<Record<PlanDevice['state'], number>>;
}
export type PlanEvent =
  | { readonly type: 'device'; readonly device: PlanDevice; readonly done: number; readonly total: number }
  | { readonly type: 'plan'; readonly plan: Plan };
/** Devices of the `plan` that follows, which holds the others: a large plan crosses to a page in parts, so that no message is large. */
export type PlanPart = { readonly type: 'planned'; readonly devices: readonly PlanDevice[] };
