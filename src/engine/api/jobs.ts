/** Plans and jobs. */
import type { ValuesTable } from '../../shared/authoring.ts';
import type { FollowUpDevice, HistoryPage, HistoryQuery } from '../../shared/history.ts';
import type {
  ApplyOptions,
  Job,
  JobEvent,
  JobSummary,
  Plan,
  PlanEvent,
  ResumePreview,
  RetryPreview,
  UndoPreview,
  WorkEvent,
} from '../../shared/model.ts';

export interface PlanRequest {
  readonly templateText: string;
  readonly file?: string;
  readonly deviceIds: readonly string[];
  /** For every device. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** For one device, by id; wins over `values`. */
  readonly valuesByDevice?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Secret variables: used, never stored. What is not given comes from the vault, here and wherever secrets are taken. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly concurrency?: number;
}

export interface PlansApi {
  /** Throws a FieldwrightError (with `others`) when template or values are wrong; nothing is sent then. */
  create(request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent>;
  /**
   * As `create`, of a job's template and values, for those of its devices that still need somebody; one that
   * has no such setting only where it is named. Throws `not-found`, `not-allowed` where none is left.
   */
  retry(
    request: {
      readonly jobId: string;
      readonly deviceIds?: readonly string[];
      readonly secrets?: Readonly<Record<string, string>>;
    },
    signal: AbortSignal,
  ): AsyncIterable<PlanEvent>;
  /** Reads a CSV of values against a template and the inventory; sends nothing. Throws `invalid-template`; what is wrong with the file is in the answer. */
  readValues(request: {
    readonly templateText: string;
    readonly bytes: Uint8Array;
    readonly file?: string;
    readonly given?: readonly string[];
  }): ValuesTable;
  /** A plan created here and not yet forgotten. */
  get(id: string): Plan | undefined;
  /** What a face has to ask for before `retry`: devices of one run with their profiles, and secret variables. Throws as `retry`. */
  retryPreview(jobId: string, deviceIds?: readonly string[]): RetryPreview;
  /** The plan as a file to review and to apply elsewhere; holds no secret. Throws `plan-outdated` where it is no longer kept. */
  file(id: string): { readonly text: string; readonly fileName: string };
  /**
   * Reads a plan file from elsewhere: bounded, validated, then treated as untrusted. It gets an id of
   * its own and is kept for `jobs.start`. Devices are found by id and address; one that is not known
   * here has `unknown-device` and gets nothing, unless `foreignDevices` leaves it to be named by its
   * address later. Rejects with `unknown-device` where none is known.
   * With such devices it gets no secret from the vault: a name in a file must not send one anywhere.
   */
  parse(text: string, options?: { readonly file?: string; readonly foreignDevices?: boolean }): Promise<Plan>;
}

export interface JobsApi {
  list(): readonly JobSummary[];
  /** Throws `not-found`. A unique prefix of the id is enough. */
  show(id: string): Job;
  /**
   * Journals and starts; the job goes on whoever watches. `deviceIds` have a turn, by default all of the
   * plan; a device to which nothing can be sent (blocked, unreadable, without such a setting) has none and
   * stays in the job with the reason. Throws `not-available` where another job still
   * has to work on one of the devices, here or in another process, unless `options.wait`: then it waits
   * for its turn (state `waiting`) and starts by itself; so do `resume` and `undo`.
   */
  start(request: {
    readonly plan: Plan;
    readonly deviceIds?: readonly string[];
    readonly secrets?: Readonly<Record<string, string>>;
    readonly options?: ApplyOptions;
  }): { readonly jobId: string };
  /** All that runs or waits, also in another process on this data folder; then all of it again whenever something is different. */
  watchAll(signal: AbortSignal): AsyncIterable<WorkEvent>;
  /** The job as it stands, then what happens, then `end`. */
  watch(id: string, signal: AbortSignal): AsyncIterable<JobEvent>;
  /** Lets what is under way finish its read-back, starts nothing more; the rest stays pending. */
  cancel(id: string): boolean;
  /** What is left of a job and what is needed to finish it. Throws `not-found`. */
  resumePreview(id: string): ResumePreview;
  /**
   * Finishes what is unfinished: devices whose turn did not come, and writes whose fate is open, which
   * are settled by reading first. `resumed` is false where nothing is left. Throws `not-available`
   * while the job is being worked on, and where a secret is missing or another one than before;
   * nothing was sent then. `options` lie over those the job was started with, but drift is only
   * accepted when it is confirmed anew.
   */
  resume(request: {
    readonly id: string;
    readonly secrets?: Readonly<Record<string, string>>;
    readonly options?: ApplyOptions;
  }): { readonly jobId: string; readonly resumed: boolean };
  /** What an undo would put back and what it cannot. Throws `not-found`, `unknown-device`. */
  undoPreview(id: string, deviceIds?: readonly string[]): UndoPreview;
  /**
   * Puts back what the job found on its devices, as a job of its own of kind `undo`. With `acceptDrift`
   * also where someone else changed the same values since. Throws `not-allowed` where nothing can be
   * undone, `not-available` while the job is being worked on.
   */
  undo(request: {
    readonly id: string;
    readonly deviceIds?: readonly string[];
    readonly options?: ApplyOptions;
  }): { readonly jobId: string };
  /** Hands out no further device until `unpause`; what is under way ends. False where it does not run here. */
  pause(id: string): boolean;
  unpause(id: string): boolean;
  search(query: HistoryQuery): HistoryPage;
  /** Everything the query finds (its `limit` and `after` do not count), of one device that device alone. CSV is safe to open in a spreadsheet. */
  export(request: { readonly query: HistoryQuery; readonly format: 'csv' | 'json' }): {
    readonly text: string;
    readonly fileName: string;
  };
  /** The same piece by piece, for who writes it to a file: memory stays bounded however much there is. */
  exportParts(request: { readonly query: HistoryQuery; readonly format: 'csv' | 'json' }): Iterable<string>;
  rebootPending(id: string): readonly FollowUpDevice[];
  /**
   * Waits (10 min unless told otherwise) for devices whose writes need a restart, reads what they show
   * then and settles the outcome. Goes on under the same id. A device that showed the new values right after the
   * write has to be seen going away first. Throws `not-allowed` where nothing waits for a restart.
   */
  followUp(request: {
    readonly id: string;
    readonly deviceIds?: readonly string[];
    readonly waitSeconds?: number;
  }): { readonly jobId: string; readonly devices: number };
}
