/** Types of the work items of a job, as they are stored and read back. */
import type { ErrorShape } from '#shared/errors.ts';

export interface ItemKind {
  /** Name in the database, and in the context of sealed values. */
  readonly name: string;
  /** Plans and outcomes that need no work. A name used for both a plan and an outcome has one meaning. */
  readonly idle: readonly string[];
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** Outcome of an item between its intent and its result. */
  readonly begun: string;
  /**
   * Time when secrets are wiped: `days` after `from`; with `orDone`, as soon as nothing of the job remains to
   * be done.
   */
  readonly kept: { readonly days: number; readonly from: 'list' | 'job-end'; readonly orDone: boolean };
}

/** Documents of a kind, JSON that the store does not interpret. The vault seals secrets; the rest is stored readable. */
export interface ItemTypes {
  /** Document of the whole list. */
  readonly head: object;
  readonly detail: object;
  readonly secret: unknown;
  /** Planned action for an item on a device. */
  readonly plan: string;
  readonly outcome: string;
  readonly result: object;
  readonly resultSecret: object;
}

export interface NewItem<Types extends ItemTypes> {
  /** Line of the source file. */
  readonly line?: number;
  /** Subject of the item, such as an employee number. */
  readonly key: string;
  /** Part of the subject, such as a finger; key and part together identify the item. */
  readonly part?: string;
  readonly detail?: Types['detail'];
  readonly secret?: Types['secret'];
  /** Why the item cannot be used on any device. */
  readonly error?: ErrorShape;
}

/** Number of an item in its list, from 1. `twice`: a duplicate; the line of the first one, or null. */
export interface AddedItem {
  readonly nth: number;
  readonly twice?: number | null;
}

export interface NewResult<Types extends ItemTypes> {
  readonly nth: number;
  /** Planned action; undefined leaves the stored plan unchanged. */
  readonly plan?: Types['plan'];
  /** Outcome; undefined if the item is still to be begun, or to be begun again. */
  readonly outcome?: Types['outcome'];
  /** Document of the result; `WorkItems.results` lists settled results that have one. */
  readonly result?: Types['result'];
  /** Secret of the result; undefined leaves the stored one unchanged. */
  readonly secret?: Types['resultSecret'];
  readonly error?: ErrorShape;
}

/** An item, with its plan and outcome on a device if there is a result. */
export interface StoredItem<Types extends ItemTypes>
  extends Omit<NewItem<Types>, 'secret' | 'part'>, Omit<NewResult<Types>, 'secret'> {
  /** Index of the device in the job. */
  readonly position?: number;
  /** Number of times the item was begun. */
  readonly attempts: number;
  /** Time of the result, ISO 8601. */
  readonly at?: string;
  /** Sequence number of the result; increases. */
  readonly seq?: number;
  /** Returns the secret; undefined if none was stored, or it was wiped. @throws `vault-locked`, `vault-damaged` */
  readonly secret: () => Types['secret'] | undefined;
  readonly resultSecret: () => Types['resultSecret'] | undefined;
}
