/** What is kept of work on people: of the whole, of a row, and of a row on a device. */
import type { Detail } from '../../../shared/details.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type {
  ComparedDevice,
  PeopleWork,
  PersonChange,
  PersonOutcome,
  PersonPlan,
  PrintsOfRemoved,
} from '../../../shared/people.ts';
import type { ItemTypes, NewResult, StoredItem } from '../../jobs/items/types.ts';
import type { FileFormat, Wanted } from '../file/read-rows.ts';
import type { Person } from '../person.ts';

/** What is known of the whole: no personal data. */
export interface WorkHead {
  readonly work: PeopleWork | 'compare';
  /** Name of the file, or of the device that people are copied from. */
  readonly source: string;
  readonly format: FileFormat;
  readonly headings?: readonly string[];
  readonly columns?: readonly { readonly heading: string; readonly field?: string }[];
  readonly rows: number;
  readonly bad: number;
  /** People of a copy whose fingerprints follow. */
  readonly prints?: number;
  readonly notes: readonly Detail[];
  readonly deviceIds: readonly string[];
  /** Of a comparison. */
  readonly compared?: readonly ComparedDevice[];
}

/** What is kept of a row, sealed. */
export interface RowDocument {
  readonly wanted?: Wanted;
  readonly raw?: readonly string[] | string;
  /** Fingerprints that are to follow, where their number is known. */
  readonly prints?: number;
}

export interface NewRow extends RowDocument {
  readonly line: number;
  readonly employeeNo: string;
  readonly error?: ErrorShape;
  readonly mayHavePrints?: boolean;
}

/**
 * `sending`: on its way when the process ended. Until somebody has looked: `sent`: the device said yes; `partly`: it said
 * yes, and showed something else at the last look; `unclear`: its answer was lost, or says neither yes nor no.
 * `restart-shown`: like `needs-reboot`, of what the device shows before it was restarted.
 */
export type Outcome = PersonOutcome | 'sending' | 'sent' | 'partly' | 'unclear' | 'restart-shown';
/** What the proof looks at. */
export const UNPROVED = ['sent', 'partly', 'unclear'] as const satisfies readonly Outcome[];
/** What counts after the next restart of the device. */
export const AWAITING_RESTART = ['needs-reboot', 'restart-shown'] as const satisfies readonly Outcome[];

/** Rows as items of a job. */
export interface PeopleItems extends ItemTypes {
  readonly head: WorkHead;
  readonly secret: RowDocument;
  readonly plan: PersonPlan;
  readonly outcome: Outcome;
  readonly result: {
    /** Of a comparison: hash of what the device shows. */
    readonly state?: string;
    /** Of a removal: what is known of the fingerprints. */
    readonly prints?: PrintsOfRemoved;
  };
  readonly resultSecret: {
    /** What is to change or, settled, what the device shows instead. */
    readonly changes?: readonly PersonChange[];
    /** Hash of what the device showed when it was planned. */
    readonly state?: string;
    /** Of a comparison: what the device shows. */
    readonly shown?: Pick<Person, 'value' | 'other'>;
  };
}

export type Settled = NewResult<PeopleItems>;
/** A row, and what is planned or became of it on a device. */
export type PersonRow = StoredItem<PeopleItems>;
