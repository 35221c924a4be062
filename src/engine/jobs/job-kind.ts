/** Kinds of long work, each one object that engine/areas.ts registers. `README.md` says how to add one. */
import type { z } from 'zod';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { ApplyOptions, ResumePreview, UndoPreviewSection } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { Journal } from './journal.ts';
import type { LiveJob } from './live-job.ts';
import type { Finder } from './locate-device.ts';
import type {
  DeviceEntry,
  Documents,
  FollowUpRecord,
  JobEntry,
  StoredDevice,
  StoredJob,
  StoredPlace,
  UnitHistory,
} from './types.ts';

/** Objects that a turn works with. */
export interface JobContext {
  readonly job: LiveJob;
  readonly journal: Journal;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly options: ApplyOptions;
}

/** One device's turn, with everything it needs but the job around it. Never throws; false where it did not go well. */
export type JobTurn = (context: JobContext) => Promise<boolean>;

/** A device of a new job. */
export interface NewDevice extends DeviceEntry {
  /** Absent where nothing can be done on it: it has its result already. */
  readonly turn?: JobTurn;
  /** Nothing would change on it, so that it tells nothing about the others: no canary. */
  readonly changesNothing?: boolean;
}

export interface NewJob extends JobEntry {
  readonly devices: readonly NewDevice[];
}

/** A device's turn in a job that goes on. */
export interface ContinuedTurn {
  readonly position: number;
  readonly turn: JobTurn;
}

export interface ResumeRequest {
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** Options with which the job was started. */
  readonly options: ApplyOptions;
}

/** One setting that a unit wrote: index of the unit on its device, path of the setting. */
export interface UndoneSetting {
  readonly index: number;
  readonly path: string;
}

export interface UndoRequest<Kept extends Documents = Documents> {
  readonly devices: readonly StoredDevice<Kept>[];
  /** True if the devices were chosen one by one: each is in the undo, also one on which nothing was done. */
  readonly named: boolean;
  /** The one setting that is taken back; all of them if absent. */
  readonly only?: UndoneSetting;
  readonly options: ApplyOptions;
}

export interface JobKind<Kept extends Documents = Documents> {
  /** Name in the journal, on the command line and in the messages of every face. */
  readonly name: string;
  /** Rule for a device busy with another job. `behind-own-kind`: waits for jobs of the same kind; refused for others. */
  readonly whenBusy: 'wait' | 'behind-own-kind' | 'refuse';
  /**
   * Outcome of a unit that was under way when the process ended: `unknown` if doing it twice is not the same
   * as once.
   */
  readonly interrupted: 'unknown' | 'pending';
  /** Schemas of what a job of the kind keeps; made when a job is read back. */
  readonly schemas: () => { readonly [Place in keyof Kept]: z.ZodType<Kept[Place]> };
  /** Returns the remaining turns of a stored job. Throws if it cannot go on; nothing was sent then. */
  resume(job: StoredJob<Kept>, request: ResumeRequest): readonly ContinuedTurn[];
  /** Counts the units of a device that could not be planned when the job was made. */
  unitsOfUnplanned?(job: StoredJob<Kept>): number;
  /** Returns the device that is read to go on, if that is none of the job's. */
  source?(job: StoredJob<Kept>): StoredPlace | undefined;
  /** Secrets that have to be given again to go on with these devices. */
  secretsFor?(job: StoredJob<Kept>, devices: readonly StoredDevice<Kept>[]): ResumePreview['secrets'];
  /** Absent: it cannot be undone. */
  readonly undo?: {
    /** Lists what was done on the device, in the order in which it is reverted. */
    preview(job: StoredJob<Kept>, device: StoredDevice<Kept>): readonly UndoPreviewSection[];
    /** Throws `not-allowed` where nothing can be undone. */
    begin(job: StoredJob<Kept>, request: UndoRequest<Kept>): NewJob;
  };
  /** Waits for the devices' restarts and looks what they show then. Absent: its units wait for none. */
  followUp?(
    job: StoredJob<Kept>,
    devices: readonly StoredDevice<Kept>[],
    record: FollowUpRecord,
  ): readonly JobTurn[];
  readonly history?: UnitHistory<Kept['detail']>;
  /** Finds devices of its jobs that are in the inventory no more. */
  readonly finder?: Finder;
  /** Called when a job of this kind has ended; `done`: nothing of it remains to be done. */
  ended?(jobId: string, done: boolean): void;
}

export interface JobKinds {
  /** Throws `not-available` for a job that a newer Fieldwright began. */
  of(name: string): JobKind;
  find(name: string): JobKind | undefined;
  readonly all: readonly Pick<JobKind, 'name' | 'interrupted'>[];
}

/** Returns how jobs of this kind are undone. @throws `not-allowed` if they cannot be */
export function requireUndo(
  kinds: Pick<JobKinds, 'of'>,
  { kind }: Pick<StoredJob, 'kind'>,
): NonNullable<JobKind['undo']> {
  const { undo } = kinds.of(kind);
  if (undo === undefined) throw userError('not-allowed', say('kind-without-undo'));
  return undo;
}

/** A kind that is made when a job of it is met, and what is known of it before. */
export interface KindWhenUsed extends Pick<JobKind, 'name' | 'interrupted'> {
  readonly kind: () => JobKind;
}

export function createJobKinds(all: readonly (JobKind | KindWhenUsed)[]): JobKinds {
  const byName = new Map(all.map((each) => [each.name, each]));
  const find = (name: string): JobKind | undefined => {
    const found = byName.get(name);
    if (found === undefined || !('kind' in found)) return found;
    const kind = found.kind();
    if (kind.name !== found.name || kind.interrupted !== found.interrupted)
      throw new Error(`The kind ${found.name} is not what was said of it: ${kind.name}, ${kind.interrupted}`);
    return kind;
  };
  return {
    all,
    find,
    of(name) {
      const kind = find(name);
      if (kind !== undefined) return kind;
      throw new FieldwrightError({
        code: 'not-available',
        source: 'app',
        ...say('unknown-job-kind', { name }),
      });
    },
  };
}
