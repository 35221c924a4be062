/** The journal of one data folder: intent before each piece of work, result after. */
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';
import type {
  JobRun,
  ApplyOptions,
  DeviceResult,
  JobState,
  UnitProgress,
  UnitResult,
} from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import type { Vault } from '../inventory/access/vault.ts';
import type { Store } from '../store/index.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { addSearchText, searchTextOf } from './history/search-text.ts';
import { findBlocker, createBusyError } from './busy-devices.ts';
import {
  addUnconfirmed,
  beginCountdown,
  markReverted,
  readCountdown,
  removeUnconfirmed,
} from './confirm/confirm-rows.ts';
import { Budget } from './items/budget.ts';
import { getUnitDetail, toJsonOrNull, type Content } from './job-columns.ts';
import { computeTotals } from './job-state.ts';
import { addRun, JournalRows, type DeviceStanding } from './journal-rows.ts';
import type { Owner } from './owner.ts';

import type { FollowUpRecord, HistoryKinds, JobEntry, NewUnit, Shown, UnitKey } from './types.ts';

/** Request that is about to be sent, and what it replaces. */
export interface Intent {
  /** Document read right before the write, if there is one; that of the first attempt is kept unless `renew`. */
  readonly before?: string;
  /** True if an undo goes back to what was read now, not to what an earlier run found. */
  readonly renew: boolean;
  /** Document about to be sent. */
  readonly sent: string;
  /** The documents hold secrets. */
  readonly sensitive: boolean;
}

type MayWait = boolean | 'behind-own-kind';

/** Process and user that begin or continue a job, and when. */
export interface Begun {
  readonly owner: Owner;
  readonly run: JobRun;
  /** Waits if a device is busy (`behind-own-kind`: only for jobs of its kind); otherwise `not-available` is thrown. */
  readonly mayWait: MayWait;
  /** Its window of time is closed: it waits without a look at other jobs. */
  readonly isTooEarly?: boolean;
}

/** Start of another run of an ended job. */
export interface Claim extends Begun {
  /** Runs that the job had when it was looked at: with another one since, what was seen counts no more. */
  readonly runsBefore: number;
  /** Absent: as before. */
  readonly options?: ApplyOptions;
  /** Places of the devices that wait for their turn. */
  readonly waiting: readonly number[];
  /** Record of the restarts that are waited for meanwhile. */
  readonly followUp?: FollowUpRecord;
}

/** `waiting`: until the job `behind` has done with a device, or its window of time opens. */
export type Turn = { readonly state: 'running' } | { readonly state: 'waiting'; readonly behind?: string };

interface EndedJob {
  readonly id: string;
  readonly state: JobState;
  readonly endedAt: string;
  readonly results: readonly DeviceResult[];
  /** A cut off follow-up stays known. */
  readonly followUpLeft?: boolean;
}

const AT_WORK = "('running', 'waiting')";

export class Journal {
  readonly #store: Store;
  readonly #kinds: HistoryKinds;
  readonly #rows: JournalRows;
  readonly #commits: GroupCommit;
  /** Engines that work on jobs of this journal, by job: another process may have taken one over since. */
  readonly #owners = new Map<string, string>();
  /** Jobs that were looked up in the commit under way: true for one that another process has taken over. */
  readonly #takenOver = new Map<string, boolean>();
  /** Bytes of the documents that the devices of a job made us keep, by its id. */
  readonly #budgets = new Map<string, Budget>();

  constructor(store: Store, vault: Pick<Vault, 'seal'>, kinds: HistoryKinds) {
    this.#store = store;
    this.#kinds = kinds;
    this.#rows = new JournalRows(store, vault);
    this.#commits = createGroupCommit(store, () => {
      this.#takenOver.clear();
    });
  }

  /**
   * Writes the whole job with nothing done yet; durable on return. @throws `not-available` if another process already puts
   * back what this undo would
   */
  create(
    job: JobEntry & { readonly undoOf?: string },
    { owner, run, mayWait, isTooEarly = false }: Begun,
  ): Turn {
    this.#store.requireRoom(0, 'intent');
    this.#owners.set(job.id, owner.engine);
    return this.#store.transaction(() => {
      this.#store.insert('jobs', {
        id: job.id,
        kind: job.kind,
        title: job.title,
        about: JSON.stringify(job.about),
        subject: job.subject,
        body: JSON.stringify(job.body),
        state: 'running',
        created_at: run.at,
        by_user: run.by,
        owner_process: owner.process,
        owner_engine: owner.engine,
        owner_started: owner.started,
        undo_of: job.undoOf,
        options: JSON.stringify(job.options),
        search_text: searchTextOf(job, run.by, this.#kinds.find(job.kind)?.history),
      });
      addRun(this.#store, job.id, run);
      job.devices.forEach((device, position) => this.#rows.insertDevice(job.id, device, position, run.at));
      const { confirmWithin, reverts } = job.options;
      if (reverts === true && removeUnconfirmed(this.#store, job.undoOf ?? '') === 0)
        throw appError('not-available', say('job-taken-over', { id: job.id }));
      if (confirmWithin !== undefined)
        addUnconfirmed(
          this.#store,
          job.id,
          job.devices.flatMap(({ state }, position) => (state === 'pending' ? [position] : [])),
        );
      return this.#queue(job.id, mayWait, isTooEarly);
    });
  }

  /**
   * Makes `owner` the one who works on an ended job, with these devices (by their places) waiting for their
   * turn. Returns undefined if another process was faster. Durable.
   */
  claim(jobId: string, claim: Claim): Turn | undefined {
    const { owner, run, runsBefore, options, waiting, followUp, mayWait, isTooEarly = false } = claim;
    this.#store.requireRoom(0, 'intent');
    return this.#store.transaction(() => {
      const { changes } = this.#store.run(
        `UPDATE jobs SET state = 'running', ended_at = NULL, totals = NULL, owner_process = ?, owner_engine = ?, owner_started = ?, options = coalesce(?, options), follow_up = ?
         WHERE id = ? AND state NOT IN ${AT_WORK} AND (SELECT count(*) FROM job_runs WHERE job_id = jobs.id) = ?`,
        owner.process,
        owner.engine,
        owner.started ?? null,
        toJsonOrNull(options),
        toJsonOrNull(followUp),
        jobId,
        runsBefore,
      );
      if (changes === 0) return undefined;
      this.#owners.set(jobId, owner.engine);
      addSearchText(this.#store, jobId, run.by);
      addRun(this.#store, jobId, run);
      for (const position of waiting) {
        this.#store.update(
          'job_devices',
          { state: 'pending', error: undefined, idle: 0, dropped: undefined },
          { job_id: jobId, position },
        );
      }
      if (options?.confirmWithin !== undefined) addUnconfirmed(this.#store, jobId, waiting);
      return this.#queue(jobId, mayWait, isTooEarly);
    });
  }

  /** Lets a waiting job begin where none of its devices is busy any more; durable then. */
  startOrWait(jobId: string): Turn {
    const { behind } = findBlocker(this.#store, jobId, true) ?? {};
    if (behind !== undefined) return { state: 'waiting', behind };
    return this.#store.transaction((): Turn => {
      const late = findBlocker(this.#store, jobId, true);
      if (late !== undefined) return { state: 'waiting', behind: late.behind };
      this.#store.update('jobs', { state: 'running' }, { id: jobId, state: 'waiting' });
      return { state: 'running' };
    });
  }

  /** Units that were not known when the job was made. */
  addUnits(jobId: string, kind: string, position: number, units: readonly NewUnit[]): void {
    this.#store.transaction(() => {
      for (const unit of units) {
        this.#rows.insertUnit(jobId, position, unit);
        const detail = getUnitDetail(unit.result);
        addSearchText(
          this.#store,
          jobId,
          `${this.#kinds.find(kind)?.history?.words?.(detail) ?? ''} ${unit.result.label}`.trim(),
        );
      }
    });
  }

  /** Resolves when the intent is on disk: only then may the work begin. @throws `vault-locked`, `not-available`, `input-too-large` */
  async intent(key: UnitKey, result: UnitResult, at: string, intent?: Intent): Promise<void> {
    if (intent === undefined) {
      await this.#begin(key.jobId, 0, () =>
        this.#store.run(
          "UPDATE job_units SET phase = 'intent', attempts = attempts + 1, detail = ?, intent_at = ? WHERE job_id = ? AND position = ? AND idx = ?",
          this.#rows.detail(key.jobId, result),
          at,
          key.jobId,
          key.position,
          key.index,
        ),
      );
      return;
    }
    const { sensitive, renew: renewed } = intent;
    const before =
      intent.before === undefined ? null : this.#rows.sealed(intent.before, key, 'before', sensitive);
    const sent = this.#rows.sealed(intent.sent, key, 'sent', sensitive);
    const bytes = (before?.length ?? 0) + sent.length;
    this.#take(key, bytes);
    await this.#begin(key.jobId, bytes, () =>
      this.#rows.writeIntent(key, result, at, { before, sent, renewed }),
    );
  }

  /**
   * Writes a result that is final, or final for now. `shown` is what the device showed after the write, for
   * an undo.
   */
  settled(key: UnitKey, result: UnitResult, at: string, shown?: Shown): void {
    const content = shown === undefined ? undefined : this.#kept(key, this.#rows.sealedShown(key, shown));
    this.#note(key.jobId, () => this.#rows.writeResult(key, result, at, content));
  }

  /** Writes the progress of a long unit: after a crash it goes on there. */
  progress(key: UnitKey, { done, total }: UnitProgress): void {
    this.#note(key.jobId, () =>
      this.#store.update(
        'job_units',
        { done, total },
        { job_id: key.jobId, position: key.position, idx: key.index },
      ),
    );
  }

  device(jobId: string, position: number, device: DeviceStanding, at: string): void {
    this.#note(jobId, () => this.#rows.writeDevice(jobId, position, device, at));
  }

  /** Writes the end of a job with its results, durable on return. */
  end({ id, state, endedAt, results, followUpLeft = false }: EndedJob): void {
    const { complete } = this.#commits.flush();
    this.#store.transaction(() => {
      this.#takenOver.clear();
      if (this.#isTakenOver(id)) return;
      // Results that could not be written when they came are written now.
      results.forEach((device, position) => {
        // Devices become open work also without a turn.
        if (!complete || device.open !== undefined) this.#rows.writeDevice(id, position, device, endedAt);
        if (!complete)
          for (const unit of device.units)
            this.#rows.writeResult({ jobId: id, position, index: unit.index }, unit, null);
      });
      const ended = { state, ended_at: endedAt, totals: JSON.stringify(computeTotals(results)) };
      this.#store.update('jobs', followUpLeft ? ended : { ...ended, follow_up: null }, { id });
      markReverted(this.#store, id);
    });
    this.#rows.ended(id);
    this.#budgets.delete(id);
    this.#owners.delete(id);
  }

  /** True if results may be missing on disk because a write of the journal failed. */
  get lacksResults(): boolean {
    return this.#commits.isIncomplete;
  }

  flush(): void {
    this.#commits.flush();
  }

  /** Begins the time in which a person has to keep what the job has written. */
  beginCountdown(jobId: string, until: string): void {
    this.#commits.flush();
    beginCountdown(this.#store, jobId, until);
  }

  /** Returns the end of that time; undefined if nothing is left to be kept. */
  readCountdown(jobId: string): string | undefined {
    return readCountdown(this.#store, jobId);
  }

  /** Writes an intent. @throws `not-available` if another process has taken the job over */
  async #begin(jobId: string, bytes: number, write: () => unknown): Promise<void> {
    let isTaken = false;
    await this.#commits.durable(() => {
      isTaken = this.#isTakenOver(jobId);
      if (!isTaken) write();
    }, bytes);
    if (isTaken) throw appError('not-available', say('job-taken-over', { id: jobId }));
  }

  /** Writes with the next commit, unless another process answers for the job then. */
  #note(jobId: string, write: () => unknown): void {
    this.#commits.soon(() => {
      if (!this.#isTakenOver(jobId)) write();
    });
  }

  #isTakenOver(jobId: string): boolean {
    const known = this.#takenOver.get(jobId);
    if (known !== undefined) return known;
    const mine = this.#owners.get(jobId);
    if (mine === undefined) return false;
    const row = this.#store.get<{ readonly owner: string; readonly state: JobState }>(
      'SELECT owner_engine AS owner, state FROM jobs WHERE id = ?',
      jobId,
    );
    const isTaken = row !== undefined && (row.owner !== mine || !isAtWork(row.state));
    this.#takenOver.set(jobId, isTaken);
    return isTaken;
  }

  /** Counts a document of a device. @throws `input-too-large` if its job has kept too much already */
  #take({ jobId, position }: UnitKey, bytes: number): void {
    const budget = this.#budgets.get(jobId) ?? new Budget();
    this.#budgets.set(jobId, budget);
    budget.requireRoom(bytes);
    budget.take(position, bytes);
  }

  /** Returns what a device showed after a write; undefined where there is no room for it: an undo then compares with what was sent. */
  #kept(key: UnitKey, shown: Content | undefined): Content | undefined {
    try {
      this.#take(key, shown?.length ?? 0);
      this.#store.requireRoom(shown?.length ?? 0, 'record');
      return shown;
    } catch {
      return undefined;
    }
  }

  #queue(jobId: string, mayWait: MayWait, isTooEarly: boolean): Turn {
    if (isTooEarly) {
      this.#store.update('jobs', { state: 'waiting' }, { id: jobId });
      return { state: 'waiting' };
    }
    const other =
      mayWait === 'behind-own-kind' ? findBlocker(this.#store, jobId, true, 'other-kinds') : undefined;
    const blocker = other ?? findBlocker(this.#store, jobId, mayWait !== false);
    if (blocker === undefined) return { state: 'running' };
    if (other !== undefined || mayWait === false) throw createBusyError(blocker);
    this.#store.update('jobs', { state: 'waiting' }, { id: jobId });
    return { state: 'waiting', behind: blocker.behind };
  }
}
