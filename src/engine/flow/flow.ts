/**
 * Guided flows: data and small functions. They run in the engine, so that a screen and a script go through
 * the same steps. Everything a step does that counts goes through its context, which journals it under a key:
 * a step that is taken up again (after a crash, on another day) runs from its beginning, and what is in the
 * journal already is neither asked nor done again.
 */
import type { Detail } from '#shared/details.ts';
import type { ErrorShape, StatusReport } from '#shared/errors.ts';
import type { DevicePicture, Question, Values } from '#shared/flows.ts';
import type { Change, Device, DeviceKind, NoUndo, Params, StepDeed, UnitOutcome } from '#shared/model.ts';
import type { Constraints } from '#protocol/index.ts';
import type { Block, Proof, DocumentText } from '#shared/report-document.ts';
import type { SecretsOfDevice } from '../inventory/access/device-secrets.ts';
import type { Seen } from '../write/settle-write.ts';

export type { FlowField, Question, Values } from '#shared/flows.ts';

export interface Flow {
  /** Name on the command line. */
  readonly name: string;
  readonly title: Detail;
  readonly about: DocumentText;
  /** Devices it is for; absent: any. */
  readonly kinds?: readonly DeviceKind[];
  /** The answer that tells `model`, `serial` and `firmware` of the device: the interface tells none of them. */
  readonly identity?: { readonly step: string; readonly key: string };
  /**
   * Draws the device's present state, as steps and records show it, for its own page, with its faults. Throws like a reading.
   */
  readonly picture?: (device: Pick<StepContext, 'read'>) => Promise<DevicePicture>;
  readonly steps: readonly FlowStep[];
}

export interface FlowStep {
  /** Id in the journal and in files with answers. */
  readonly id: string;
  readonly title: DocumentText;
  /** True if the step must not be left out: later steps depend on it. */
  readonly required?: true;
  /** Sections that it writes. Where a policy forbids all of them it has nothing to do, and is not begun. */
  readonly writes?: readonly string[];
  run(step: StepContext): Promise<StepEnd>;
}

/** How a step ended. Where it wrote no setting the outcome is `unchanged`, and `did` says what it did instead. */
export interface StepEnd {
  readonly outcome: Extract<
    UnitOutcome,
    'effective' | 'accepted' | 'unchanged' | 'failed' | 'refused' | 'ignored' | 'needs-reboot' | 'unknown'
  >;
  readonly did?: StepDeed;
  readonly error?: ErrorShape;
  readonly status?: StatusReport;
  /** True if the outcome is open. It may be known by now: continuing the flow takes the step up again. */
  readonly open?: true;
}

/**
 * Outcome of a write, and how far it is proved. `unknown`: the device answered, and said neither yes nor no. A write that
 * the device did not take, or that may do better with another try, is thrown instead.
 */
export interface Written extends StepEnd {
  readonly proof: Proof;
  readonly changes: readonly Change[];
  /** Root element of the document whose fields `changes` names; labels of fields are looked up by it. */
  readonly root: string;
  /** Operation that sent it; absent in flows of earlier versions. */
  readonly operation?: string;
  /** Found out by reading, after the app had ended in between. */
  readonly settled?: boolean;
  /** How the restart with which the device took the write is known: it was seen, or a person attested it. */
  readonly restart?: 'seen' | 'attested';
}

export interface Setting {
  /** Resource, as templates name it. */
  readonly set: string;
  readonly params?: Params;
  /** Patch of its document. */
  readonly value: Values;
  /**
   * Finds out what the device shows of the write, if it was sent, its fate is unknown and its document does
   * not show it.
   */
  readonly look?: Look;
  readonly secret?: SentSecret;
  readonly noUndo?: NoUndo;
}

type Look = () => Promise<Seen['kind']>;

/** A pending secret of the device that a write carries: it becomes the current one when the device took it. */
export interface SentSecret {
  readonly name: string;
  /** The one that was in force, where the vault has it under no such name. */
  readonly former?: string;
}

export interface Call {
  readonly operation: string;
  readonly params?: Params;
  readonly body?: unknown;
  /** The body is text that goes out as it is: the operation is one whose body the specification does not show. */
  readonly raw?: true;
  /** A refusal is an answer too, and not thrown, and so is a yes of which nothing shows; the caller says what each proves. */
  readonly mayRefuse?: true;
  /** It only finds something out, which is not worth a restart: where the device wants one first, that is its answer. */
  readonly isTrial?: true;
  readonly look?: Look;
  readonly secret?: SentSecret;
  readonly noUndo?: NoUndo;
}

export interface Watch<Seen> {
  /** Takes one reading. An error is shown, and the reading repeated. */
  look(): Promise<Seen>;
  readonly everyMs?: number;
  /** Ends by itself then. */
  until(seen: Seen): boolean;
  /** Ends without it after so many seconds, which the screen counts down; a person may end it sooner. */
  readonly seconds: number;
  /** Throws where it must not be ended by a person now. */
  readonly mayEnd?: () => void;
  /** Returns the question to show meanwhile, with what was seen. */
  show(seen: Seen | undefined): Question;
}

export interface Watched<Seen> {
  readonly met: boolean;
  readonly seen?: Seen;
  /** Why the device could not be read last. */
  readonly error?: ErrorShape;
}

/** Keys are unique within a step. Whatever is given to be kept survives JSON. */
export interface StepContext {
  /** True if nothing is sent and all answers are made up, to list what a flow asks. */
  readonly isRehearsal?: true;
  readonly device: Pick<Device, 'id' | 'name' | 'url' | 'kinds'>;
  /** Id of the job, which ties together what was kept for this device. */
  readonly jobId: string;
  /** User at work, as named by the operating system. */
  readonly user: string;
  readonly now: () => Date;
  /** Returns the same value however often the step is taken up. */
  once<T>(key: string, make: () => T | Promise<T>): Promise<T>;
  /** Stores what a long step has seen so far. The value may change, unlike that of `once`. */
  save(key: string, value: unknown): void;
  saved<T>(key: string): T | undefined;
  /** Returns what another step of this device kept under a key; undefined if it was left out. */
  earlier<T>(step: string, key: string): T | undefined;
  /** Returns what the latest earlier device of the job kept under a key; undefined for the first one. */
  ofDeviceBefore<T>(step: string, key: string): T | undefined;
  /**
   * Asks a person and waits. Fields of kind `secret` are handed to `keep` before the answer is journalled,
   * and are not in it. If `keep` throws, the error goes back to the person, and the question stays.
   */
  ask(key: string, question: Question, keep?: (secrets: Values) => void): Promise<Values>;
  /** Throws a refusal as well; nothing is kept. */
  read<T = unknown>(operation: string, params?: Params): Promise<T>;
  /** Returns the constraints of a capability document, by paths of its payload. Throws a refusal as well. */
  limits(operation: string, params?: Params): Promise<Constraints>;
  /** Returns false for a setting that the policy forbids to write, and says in the record that it is left as it is. */
  mayWrite(set: string): boolean;
  /** Shows what would be sent, waits for a yes, journals, sends, reads back. */
  write(key: string, setting: Setting, question: Question): Promise<Written>;
  /**
   * Sends a call that has no document of its own, else acts like `write`: `changes` says what is sent. Never
   * sent twice unasked.
   */
  call(key: string, call: () => Call, changes: readonly Change[], question: Question): Promise<Written>;
  watch<Seen>(key: string, watch: Watch<Seen>): Promise<Watched<Seen>>;
  /** Waits; ends early if the job is stopped. */
  pause(ms: number): Promise<void>;
  /** Adds blocks to the record, below this step. */
  record(...blocks: readonly Block[]): void;
  readonly secrets: StepSecrets;
}

/** Access of a step to its secrets; a write that carries one (`SentSecret`) settles it. */
export type StepSecrets = Pick<SecretsOfDevice, 'keep' | 'drop' | 'prove' | 'reveal'>;
