/** Work items of a job as data: what a kind keeps of each, and what it reads back. */
import type { ErrorShape } from '../../../shared/errors.ts';

export interface ItemKind {
  /** Name in the database, and in the context of whatever is sealed. */
  readonly name: string;
  /** Plans and outcomes with nothing to do. What is a plan and an outcome by the same name means the same. */
  readonly idle: readonly string[];
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** Outcome from the intent to the result. */
  readonly begun: string;
  /** Secrets are wiped after so many days from then on, or at once where the job ended and no unit is left to be done. */
  readonly kept: { readonly days: number; readonly from: 'list' | 'job-end'; readonly orDone: boolean };
}

/** Documents of a kind: JSON that the store never looks into. Secrets are sealed by the vault, all else is readable. */
export interface ItemTypes {
  /** Of the whole list. */
  readonly head: object;
  readonly detail: object;
  readonly secret: unknown;
  /** What is meant to be done with an item on a device. */
  readonly plan: string;
  /** What became of it there. */
  readonly outcome: string;
  readonly result: object;
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
  /** Why it can be used on no device. */
  readonly error?: ErrorShape;
}

/** Place of an item in its list, from 1; `twice`: it was there already, from that line if any. */
export interface AddedItem {
  readonly nth: number;
  readonly twice?: number | null;
}

export interface NewResult<Types extends ItemTypes> {
  readonly nth: number;
  /** Undefined in what is settled: what was planned stays. */
  readonly plan?: Types['plan'];
  /** Undefined: it is still to be begun, or to be begun again. */
  readonly outcome?: Types['outcome'];
  /** A settled result that has one is told by `results`. */
  readonly result?: Types['result'];
  /** Undefined: what was kept stays. */
  readonly secret?: Types['resultSecret'];
  readonly error?: ErrorShape;
}

/** An item, and what is planned or became of it on a device where there is a result. */
export interface StoredItem<Types extends ItemTypes>
  extends Omit<NewItem<Types>, 'secret' | 'part'>, Omit<NewResult<Types>, 'secret'> {
  /** Place of the device in the job. */
  readonly position?: number;
  /** Times it was begun. */
  readonly attempts: number;
  /** ISO 8601: of the result. */
  readonly at?: string;
  /** Order in which results came; grows. */
  readonly seq?: number;
  /** Undefined where none was kept, or it was wiped. Throws `vault-locked`, `vault-damaged`. */
  readonly secret: () => Types['secret'] | undefined;
  readonly resultSecret: () => Types['resultSecret'] | undefined;
}
