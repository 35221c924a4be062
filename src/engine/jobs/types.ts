/** What a job is made of, as data: its devices and units, its journal and its history. Imports no other file of jobs. */
import type { ErrorShape } from '../../shared/errors.ts';
import type {
  ApplyOptions,
  ConnectionProfile,
  DeviceResult,
  JobAbout,
  JobState,
  Params,
  StepDeed,
  UnitNote,
  UnitResult,
} from '../../shared/model.ts';

/** A row of a unit: job, place of the device in the job, place of the unit on the device. */
export interface UnitKey {
  readonly jobId: string;
  readonly position: number;
  readonly index: number;
}

export type DocumentPlace = 'before' | 'sent' | 'after' | 'document';

/** How a device is reached that is in no inventory. */
export interface ConnectionRecord {
  readonly profile: ConnectionProfile;
  readonly certificate?: string;
}

/** A unit as it is journalled; `document` is what its kind needs beside what is shown. */
export interface NewUnit {
  readonly result: UnitResult;
  readonly document?: object;
  /** The document is sealed by the vault. */
  readonly sensitive?: boolean;
}

/** A device of a new job as it is journalled, in the order of the job's results. */
export interface DeviceEntry extends Omit<DeviceResult, 'units'> {
  readonly units: readonly NewUnit[];
  readonly connection?: ConnectionRecord;
  readonly document?: object;
}

/** A new job as it is journalled. */
export interface JobEntry {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly about: JobAbout;
  /** Id of what it is about, to find its jobs by. */
  readonly subject?: string;
  readonly body: object;
  readonly options: ApplyOptions;
  readonly devices: readonly DeviceEntry[];
}

/** A kind's own documents, as it keeps them and reads them back. */
export interface Documents {
  /** Of the job. */
  readonly body: object;
  readonly device: object;
  /** What a unit's result holds beside what every unit has. */
  readonly detail: object;
  /** What a unit keeps and does not show. */
  readonly unit: object;
}

/** A follow-up that is under way: it is taken up again where the process ended. */
export interface FollowUpRecord {
  readonly positions: readonly number[];
  readonly waitSeconds: number;
}

export interface StoredUnit<Kept extends Documents = Documents> extends Pick<
  UnitResult,
  'label' | 'outcome' | 'error' | 'progress'
> {
  readonly key: UnitKey;
  readonly detail: Kept['detail'];
  /** Throws where it is sealed and the vault is locked; undefined where none was kept. */
  readonly document: () => Kept['unit'] | undefined;
  /** What was read, sent and shown. Throws `vault-locked` or `vault-damaged` where it is sealed. */
  readonly documents: () => StoredDocuments;
  /** Times it was begun. */
  readonly attempts: number;
  readonly hasBefore: boolean;
}

export interface StoredDevice<Kept extends Documents = Documents> {
  readonly position: number;
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly state: DeviceResult['state'];
  readonly error?: ErrorShape;
  readonly connection?: ConnectionRecord;
  readonly document: Kept['device'];
  readonly units: readonly StoredUnit<Kept>[];
}

/** A device as it is kept to be found again. */
export type StoredPlace = Pick<StoredDevice, 'deviceId' | 'name' | 'url' | 'connection'>;

export interface StoredJob<Kept extends Documents = Documents> {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly about: JobAbout;
  readonly subject?: string;
  /** Of an undo: the job it takes back. */
  readonly undoOf?: string;
  readonly source: () => StoredJob<Kept> | undefined;
  readonly state: JobState;
  readonly body: Kept['body'];
  readonly options: ApplyOptions;
  /** A follow-up that is under way or was cut off. */
  readonly followUp?: FollowUpRecord;
  readonly devices: readonly StoredDevice<Kept>[];
}

/** Documents of one unit: as read before, as sent, as shown after the write. */
export interface StoredDocuments {
  readonly before?: string;
  readonly sent?: string;
  readonly after?: string;
}

/** What a device showed after a write, and whether that may be kept in the clear. */
export interface Shown {
  readonly text: string;
  readonly sensitive: boolean;
}

/** What a unit changed, or a unit or device without a change and what became of it. Secrets are masked in the journal already. */
export interface HistoryRow {
  /** ISO 8601: of the result, else of the job. */
  readonly time: string;
  readonly job: string;
  readonly kind: string;
  /** Who worked on the job at that time. */
  readonly by: string;
  readonly title: string;
  /** Of a job that is about one. */
  readonly template?: string;
  readonly version?: number;
  readonly device: string;
  readonly url: string;
  readonly section?: string;
  readonly params?: Params;
  readonly path?: string;
  readonly label?: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly outcome: string;
  /** What a step did that wrote no setting. */
  readonly did?: StepDeed;
  readonly note?: UnitNote;
  readonly error?: string;
  /** Of a unit that takes a while, in what its kind counts. */
  readonly done?: number;
  readonly total?: number;
}

/** What a row of the history tells of a unit beside what every unit has. */
type HistoryFields = Pick<HistoryRow, 'section' | 'params' | 'path' | 'label' | 'from' | 'to'>;

/** How the history shows the units of a kind, and what else a search finds them by. */
export interface UnitHistory<Detail extends object = object> {
  /** Returns the words that a search finds a unit by, beside its label. */
  words?(detail: Detail): string;
  /** Returns the rows of a unit; none: the unit itself is the row. */
  rows(detail: Detail, label: string): readonly HistoryFields[];
}

/** The part of the kinds that journal and history need. */
export interface HistoryKinds {
  find(name: string): { readonly history?: UnitHistory } | undefined;
}
