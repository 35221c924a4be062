/** Types of jobs: devices, units, journal and history. Imports no other file of this folder. */
import type { ErrorShape } from '#shared/errors.ts';
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
} from '#shared/model.ts';

/** Key of a unit: job, index of the device in the job (`position`), index of the unit on the device. */
export interface UnitKey {
  readonly jobId: string;
  readonly position: number;
  readonly index: number;
}

export type DocumentPlace = 'before' | 'sent' | 'after' | 'document';

/** Connection of a device that is in no inventory. */
export interface ConnectionRecord {
  readonly profile: ConnectionProfile;
  readonly certificate?: string;
}

/** A unit to be journalled; `document` holds data of its kind that is not shown. */
export interface NewUnit {
  readonly result: UnitResult;
  readonly document?: object;
  /** True if the vault seals the document. */
  readonly sensitive?: boolean;
}

/** A device of a new job to be journalled, in the order of the job's results. */
export interface DeviceEntry extends Omit<DeviceResult, 'units'> {
  readonly units: readonly NewUnit[];
  readonly connection?: ConnectionRecord;
  readonly document?: object;
}

/** A new job to be journalled. */
export interface JobEntry {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly about: JobAbout;
  /** Id of the object that the job is about; jobs can be found by it. */
  readonly subject?: string;
  readonly body: object;
  readonly options: ApplyOptions;
  readonly devices: readonly DeviceEntry[];
}

/** Documents of a job kind, as they are stored and read back. */
export interface Documents {
  /** Document of the job. */
  readonly body: object;
  readonly device: object;
  /** Fields of a unit's result beyond those that every unit has. */
  readonly detail: object;
  /** Stored data of a unit that is not shown. */
  readonly unit: object;
}

/** A follow-up under way; it is resumed if the process ends. */
export interface FollowUpRecord {
  readonly positions: readonly number[];
  readonly waitSeconds: number;
  /** The restarts of these devices were noticed before. */
  readonly restarted?: boolean;
}

export interface StoredUnit<Kept extends Documents = Documents> extends Pick<
  UnitResult,
  'label' | 'outcome' | 'error' | 'progress'
> {
  readonly key: UnitKey;
  readonly detail: Kept['detail'];
  /** Returns the stored document, if any. Throws if it is sealed and the vault is locked. */
  readonly document: () => Kept['unit'] | undefined;
  /** Returns the documents read, sent and shown. @throws `vault-locked`, `vault-damaged` if they are sealed */
  readonly documents: () => StoredDocuments;
  /** Number of times the unit was begun. */
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
  /** A later job is done with the device, or a person dropped its work. */
  readonly finishedLater?: boolean;
}

/** Stored fields by which a device is found again. */
export type StoredPlace = Pick<StoredDevice, 'deviceId' | 'name' | 'url' | 'connection'>;

export interface StoredJob<Kept extends Documents = Documents> {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly about: JobAbout;
  readonly subject?: string;
  /** Id of the job that this undo reverses. */
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

/** Document that a device showed after a write. It is sealed if `sensitive`. */
export interface Shown {
  readonly text: string;
  readonly sensitive: boolean;
}

/** One change of a unit, or the outcome of a unit or device without changes. The journal has masked secrets already. */
export interface HistoryRow {
  /** Time of the result, else of the job, ISO 8601. */
  readonly time: string;
  readonly job: string;
  readonly kind: string;
  /** User who ran the job at that time. */
  readonly by: string;
  readonly title: string;
  /** Name of the template that the job is about, if any. */
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
  /** Action of a step that wrote no setting. */
  readonly did?: StepDeed;
  readonly note?: UnitNote;
  readonly error?: string;
  /** Progress of a long unit, in the units that its kind counts. */
  readonly done?: number;
  readonly total?: number;
}

/** Fields of a history row that depend on the kind of job. */
type HistoryFields = Pick<HistoryRow, 'section' | 'params' | 'path' | 'label' | 'from' | 'to'>;

/** Rows and search words of a kind's units in the history. */
export interface UnitHistory<Detail extends object = object> {
  /** Returns the words by which a search finds a unit, in addition to its label. */
  words?(detail: Detail): string;
  /**
   * Returns the rows of a unit; if there are none, the unit itself is shown as one row. `byItem`: weeks by their days and
   * regions by their outlines, for people; else every value by its path.
   */
  rows(detail: Detail, label: string, byItem?: boolean): readonly HistoryFields[];
}

/** Lookup of job kinds, reduced to what journal and history need. */
export interface HistoryKinds {
  find(name: string): { readonly history?: UnitHistory } | undefined;
}
