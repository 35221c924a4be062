/** Work items of a job as data: what a kind keeps of each, and what it reads back. */
import type { ErrorShape } from '../../../shared/errors.ts';

/** What a kind says of its items. */
export interface ItemKind {
  /** Name of the kind in the database, and in the context of everything it seals. */
  readonly name: string;
  /** Plans and outcomes by what they mean; every other one is open. */
  readonly means: {
    /** Nothing is to be done. */
    readonly idle: readonly string[];
    readonly good: readonly string[];
    readonly bad: readonly string[];
  };
  /** Outcome of an item from its intent to its result. */
  readonly begun: string;
  /** How long secrets of a job are kept that nobody resumed. */
  readonly kept: {
    readonly days: number;
    readonly since: 'list-created' | 'job-ended';
    /** They are wiped at once where no unit of the ended job is left to be done. */
    readonly untilDone: boolean;
  };
}

/** Documents of a kind: JSON that the store never looks into. Secrets are sealed by the vault, all else is readable. */
export interface ItemTypes {
  /** Of the whole list. */
  readonly head: object;
  /** Of an item. */
  readonly detail: object;
  readonly secret: unknown;
  /** What is meant to be done with an item on a device. */
  readonly plan: string;
  /** What became of it there. */
  readonly outcome: string;
  /** Of an item on a device. */
  readonly resultDetail: object;
  readonly resultSecret: object;
}

export interface NewItem<Types extends ItemTypes> {
  /** Line of the file that it came from. */
  readonly line?: number;
  /** What it is about, such as an employee number. */
  readonly key: string;
  /** Part of that, such as a finger; an item is known by both. */
  readonly part?: string;
  readonly detail?: Types['detail'];
  readonly secret?: Types['secret'];
  /** Why it cannot be used on any device. */
  readonly error?: ErrorShape;
}

export interface AddedItem {
  /** Place in the list, from 1. */
  readonly nth: number;
  /** Line of the item that was there already; null where that has none. Absent: the item is new. */
  readonly twice?: number | null;
}

export interface PlannedItem<Types extends ItemTypes> {
  readonly nth: number;
  readonly plan: Types['plan'];
  readonly detail?: Types['resultDetail'];
  readonly secret?: Types['resultSecret'];
  readonly error?: ErrorShape;
}

export interface SettledItem<Types extends ItemTypes> {
  readonly nth: number;
  /** Undefined: nothing was sent, and it is to be begun again. */
  readonly outcome: Types['outcome'] | undefined;
  /** Results that have one are told by `results`. */
  readonly detail?: Types['resultDetail'];
  /** Absent: what was kept stays. */
  readonly secret?: Types['resultSecret'];
  readonly error?: ErrorShape;
}

/** An item, and what is planned or became of it on a device. */
export interface StoredItem<Types extends ItemTypes> {
  readonly nth: number;
  readonly line?: number;
  readonly key: string;
  readonly detail?: Types['detail'];
  /** Undefined where none was kept, or it was wiped. Throws `vault-locked`, `vault-damaged`. */
  readonly secret: () => Types['secret'] | undefined;
  /** Place of the device in the job; undefined where there is no result. */
  readonly position?: number;
  readonly plan?: Types['plan'];
  readonly outcome?: Types['outcome'];
  /** Times it was begun. */
  readonly attempts: number;
  readonly resultDetail?: Types['resultDetail'];
  readonly resultSecret: () => Types['resultSecret'] | undefined;
  /** Why it cannot be used at all, else why it went wrong on the device. */
  readonly error?: ErrorShape;
  /** ISO 8601: of its result. */
  readonly at?: string;
  /** Order in which results came; grows. */
  readonly seq?: number;
}
