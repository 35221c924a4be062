/** People on terminals, as faces see them. */
import type { Detail } from '../details.ts';
import type { ErrorShape } from '../errors.ts';

/**
 * Period in which a person may pass; `enable` false: permanent, without regard to the times (part 2, 2.6).
 */
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

/** Result of a reading; `complete`: the device gave everyone that it says it has, each once. */
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

/** All fields of one person; secrets are masked. */
export interface PersonDetails {
  readonly employeeNo: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Fields of the device that are outside the specification. */
  readonly other: Readonly<Record<string, unknown>>;
}

/** One field of a person that is or was to be another; of a secret only that it is. */
export interface PersonChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly secret?: boolean;
  /** The device does not show it, so it cannot be compared. */
  readonly unseen?: boolean;
}

/** Planned effect on a person on a device. `refused`: nothing is sent, for the given reason. */
export const PERSON_PLANS = ['added', 'changed', 'removed', 'unchanged', 'absent', 'refused'] as const;
export type PersonPlan = (typeof PERSON_PLANS)[number];

/**
 * Outcome of a person on a device: `done` was read back, `accepted` cannot be, `ignored` is missing although
 * the device did not refuse it, `needs-reboot` was taken and counts after the next restart; `lost`: not known
 * yet.
 */
export type PersonOutcome = 'done' | 'accepted' | 'ignored' | 'needs-reboot' | 'refused' | 'lost' | 'open';

/**
 * Fingerprints of a person who is removed: seen to be absent, still there, or not looked at for a reason.
 * `removed`: fingers that the device was seen to lose.
 */
export type PrintsOfRemoved =
  | { readonly state: 'gone'; readonly removed: number }
  | {
      readonly state: 'still-there' | 'not-looked-at';
      readonly removed: number;
      readonly reason: ErrorShape;
      /** The person was seen to be absent. */
      readonly personGone?: true;
    };

/** A sentence of a deletion receipt, with the reason where the device gave one. */
export interface ReceiptLine {
  readonly says: Detail;
  readonly reason?: ErrorShape;
}
/** Deletion receipt in a few lines a device. */
/** Result for a person. `gone`: verified after the removal; `absent`: was never on the device. Both are proven. */
export type RemovalResult = 'gone' | 'absent' | 'still-there' | 'refused' | 'needs-reboot' | 'open';
export interface RemovedPrints {
  /** `gone`: the device was asked and has no fingerprints. */
  readonly result: 'gone' | 'still-there' | 'not-looked-at';
  readonly removed: number;
  readonly reason?: string;
}

/** Removal of people, person by person on each device. */
export interface DeletionReceipt {
  readonly complete: boolean;
  readonly devices: readonly {
    readonly name: string;
    readonly url: string;
    readonly asked: boolean;
    readonly people: readonly {
      readonly employeeNo: string;
      readonly result: RemovalResult;
      readonly reason?: string;
      readonly fingerprints: RemovedPrints;
    }[];
    readonly error?: string;
  }[];
}

export interface RemovedPeople {
  /** True if all people and their fingerprints were seen to be deleted on every device. */
  readonly complete: boolean;
  readonly devices: readonly {
    readonly deviceId: string;
    readonly name: string;
    readonly lines: readonly ReceiptLine[];
  }[];
}

/** Work of a job on people. */
export type PeopleWork = 'import' | 'copy' | 'remove';

/** A person on a device, beside the values of most devices; `unknown`: the device did not give everyone. */
export type PersonPlace = 'present' | 'differs' | 'missing' | 'unknown';

export interface ComparedDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly people: number;
  readonly complete: boolean;
  readonly notes: readonly Detail[];
  readonly error?: ErrorShape;
}

export interface ComparedPerson {
  readonly employeeNo: string;
  readonly name?: string;
  /** Places in the order of the devices. */
  readonly places: readonly PersonPlace[];
  /** Fields in which devices differ. */
  readonly fields: readonly string[];
  /** Place of a device that shows what most do. */
  readonly from: number;
}

export type CompareEvent =
  | { readonly type: 'device'; readonly device: ComparedDevice }
  | {
      readonly type: 'compared';
      /** Id of the comparison, until it is discarded. */
      readonly id: string;
      readonly devices: readonly ComparedDevice[];
      readonly counts: { readonly people: number; readonly same: number; readonly differing: number };
    };

export interface PeoplePlanDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** People on it now, where it tells. */
  readonly people?: number;
  /** Number of people it takes, if it reports that. */
  readonly capacity?: number;
  readonly counts: Readonly<Partial<Record<PersonPlan, number>>>;
  readonly notes: readonly Detail[];
  /** It could not be asked: it stays open work of the job, and is planned when its turn comes. */
  readonly error?: ErrorShape;
}

export interface PlannedPeople {
  /** No device that was read has them. */
  readonly fresh: number;
  /** A device has them already, as asked or otherwise. */
  readonly known: number;
  /** Wrong rows, and people who are refused on a device. */
  readonly wrong: number;
}

export interface PeoplePlan {
  /** Id of the plan and of the job that carries it out. */
  readonly id: string;
  readonly work: PeopleWork;
  /** Rows of the file, people of the device they are copied from, or numbers that were named. */
  readonly rows: number;
  /** Rows that no device gets, for a reason of their own. */
  readonly bad: number;
  /** People of the rows, each counted once over all devices that could be read; absent for a removal. */
  readonly counts?: PlannedPeople;
  readonly columns?: readonly { readonly heading: string; readonly field?: string }[];
  readonly notes: readonly Detail[];
  readonly devices: readonly PeoplePlanDevice[];
}

export type PeoplePlanEvent =
  | {
      readonly type: 'progress';
      /** Device that is read; absent: the file or the device that people are copied from. */
      readonly deviceId?: string;
      readonly done: number;
      readonly total?: number;
    }
  | { readonly type: 'plan'; readonly plan: PeoplePlan };

/** One person on one device of a plan or a job; where there is no device, a row that none gets. */
export interface PeopleRow {
  readonly row: number;
  readonly line: number;
  readonly employeeNo: string;
  readonly name?: string;
  readonly deviceId?: string;
  readonly plan?: PersonPlan;
  readonly outcome?: PersonOutcome;
  readonly changes?: readonly PersonChange[];
  /** Fingerprints of a copied person at the source, until the job has ended well. */
  readonly prints?: number;
  /** Result of a removal. */
  readonly printsGone?: PrintsOfRemoved;
  readonly error?: ErrorShape;
}
