/** What is kept of work on people: of the whole, of a row, and of a row on a device. */
import type { Detail } from '../../../shared/details.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type {
  ComparedDevice,
  PeopleWork,
  PersonChange,
  PersonOutcome,
  PersonPlan,
} from '../../../shared/people.ts';
import type { FileFormat, Wanted } from '../file/read-rows.ts';

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

/** A row on a device that is to have its turn. */
export interface DueRow {
  readonly row: number;
  readonly employeeNo: string;
  readonly plan: PersonPlan;
  readonly outcome: Outcome | undefined;
  readonly attempts: number;
  readonly document: RowDocument;
  /** As the device showed the person when it was planned. */
  readonly state?: string;
}

/** `sending`: on its way when the process ended; `sent`: the device said yes, nobody has looked yet. */
export type Outcome = PersonOutcome | 'sending' | 'sent';

export interface NewResult {
  readonly row: number;
  readonly plan: PersonPlan;
  readonly changes?: readonly PersonChange[];
  readonly state?: string;
  readonly error?: ErrorShape;
}

export interface Settled {
  readonly row: number;
  readonly outcome: Outcome | undefined;
  readonly error?: ErrorShape;
  /** What the device shows instead. */
  readonly changes?: readonly PersonChange[];
}

export interface ListedRow {
  readonly row: number;
  readonly line: number;
  readonly employeeNo: string;
  readonly device: number | undefined;
  readonly plan?: PersonPlan;
  readonly outcome?: Outcome;
  readonly error?: ErrorShape;
  readonly detail: () => { readonly changes?: readonly PersonChange[] };
  readonly document: () => RowDocument;
}
