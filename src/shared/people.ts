/** People on terminals, as faces see them. */
import type { Detail } from './details.ts';

/** When a person may pass; `enable` false: for long, whatever the times say (part 2, 2.6). */
export interface Validity {
  readonly enable?: boolean;
  readonly beginTime?: string;
  readonly endTime?: string;
  readonly timeType?: string;
}

/** One line of a list of people. A count that is absent is one that the device does not support. */
export interface PersonLine {
  readonly employeeNo: string;
  readonly name?: string;
  readonly userType?: string;
  readonly valid?: Validity;
  readonly faces?: number;
  readonly prints?: number;
  readonly cards?: number;
}

/** How a reading ended; `complete`: the device gave everybody that it says it has, each once. */
export interface PeopleRead {
  readonly read: number;
  readonly total?: number;
  readonly complete: boolean;
  readonly notes: readonly Detail[];
}

export type PeopleEvent =
  | {
      readonly type: 'people';
      readonly people: readonly PersonLine[];
      readonly read: number;
      readonly total?: number;
    }
  | ({ readonly type: 'end' } & PeopleRead);

/** Everything of one person; secrets are masked. */
export interface PersonDetails {
  readonly employeeNo: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** What the device told and the specification does not know. */
  readonly other: Readonly<Record<string, unknown>>;
}
