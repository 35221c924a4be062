/** Stored types of work on people: for the whole list, for a row, and for a row on a device. */
import type { Detail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type {
  ComparedDevice,
  PeopleWork,
  PersonChange,
  PersonOutcome,
  PersonPlan,
  PrintsOfRemoved,
} from '#shared/people/people.ts';
import type { ItemTypes, NewResult, StoredItem } from '#engine/jobs/items/types.ts';
import type { FileFormat, Wanted } from '../file/read-rows.ts';
import type { Person } from '../person.ts';

/** Document of the whole list; holds no personal data. */
export interface WorkHead {
  readonly work: PeopleWork | 'compare';
  /** Name of the file, or of the device that people are copied from. */
  readonly source: string;
  readonly format: FileFormat;
  readonly headings?: readonly string[];
  readonly columns?: readonly { readonly heading: string; readonly field?: string }[];
  readonly rows: number;
  readonly bad: number;
  /** Good rows that every device of the plan rules out. */
  readonly ruledOut?: number;
  /** Number of copied people whose fingerprints are copied afterwards. */
  readonly prints?: number;
  readonly notes: readonly Detail[];
  readonly deviceIds: readonly string[];
  /** Job that begins the one of this list. */
  readonly heldBy?: string;
  /** True: copied people replace others who have their number on a device. */
  readonly replaceOthers?: boolean;
  /** Secrets that a device (its index) shows of no person; changes there omit them. */
  readonly unsent?: readonly { readonly device: number; readonly name: string }[];
  /** Devices of a comparison. */
  readonly compared?: readonly ComparedDevice[];
}

/** Returns the number of rows that go to no device. */
export function countBad({ bad, ruledOut = 0 }: Pick<WorkHead, 'bad' | 'ruledOut'>): number {
  return bad + ruledOut;
}

/** Stored data of a row, sealed. */
export interface RowDocument {
  readonly wanted?: Wanted;
  readonly raw?: readonly string[] | string;
  /** Number of fingerprints to copy afterwards, if known. */
  readonly prints?: number;
}

export interface NewRow extends RowDocument {
  readonly line: number;
  readonly employeeNo: string;
  readonly error?: ErrorShape;
  readonly mayHavePrints?: boolean;
}

/**
 * Outcome of a row on a device. `sending`: the process ended while the request was under way. Outcomes before the device
 * was checked: `sent`: it accepted the request; `partly`: it accepted, but showed other values at the last check;
 * `unclear`: its answer was lost, or neither accepts nor refuses. `restart-shown`: like `needs-reboot`, but the device
 * shows the change already.
 */
export type Outcome = PersonOutcome | 'sending' | 'sent' | 'partly' | 'unclear' | 'restart-shown';
/** Outcomes that are still to be verified on the device. */
export const UNPROVED = ['sent', 'partly', 'unclear'] as const satisfies readonly Outcome[];
/** Outcomes of changes that take effect after the next restart of the device. */
export const AWAITING_RESTART = ['needs-reboot', 'restart-shown'] as const satisfies readonly Outcome[];

/** Rows as items of a job. */
export interface PeopleItems extends ItemTypes {
  readonly head: WorkHead;
  readonly secret: RowDocument;
  readonly plan: PersonPlan;
  readonly outcome: Outcome;
  readonly result: {
    /** Hash of what the device shows; in a comparison only. */
    readonly state?: string;
    /** State of the person's fingerprints; in a removal only. */
    readonly prints?: PrintsOfRemoved;
  };
  readonly resultSecret: {
    /** Changes to be made; after the result, the fields in which the device differs. */
    readonly changes?: readonly PersonChange[];
    /** Hash of what the device showed when the row was planned. */
    readonly state?: string;
    /** The person as the device shows them; in a comparison only. */
    readonly shown?: Pick<Person, 'value' | 'other'>;
  };
}

export type Settled = NewResult<PeopleItems>;
/** A row, with its plan and outcome on a device. */
export type PersonRow = StoredItem<PeopleItems>;
