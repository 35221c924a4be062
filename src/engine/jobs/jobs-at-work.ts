/** Jobs that this engine works on: each is journalled, has its turn among those that share a device, and its owner. */
import { randomUUID } from 'node:crypto';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Job, JobRun, WorkSummary } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { Vault } from '../inventory/access/vault.ts';
import type { Store } from '../store/index.ts';
import type { JobKinds, JobTurn, NewDevice, NewJob } from './job-kind.ts';
import type { JobRows } from './job-rows.ts';
import { Journal, type Claim } from './journal.ts';
import { LiveJob } from './live-job.ts';
import { LiveJobs, type Work } from './live-jobs.ts';
import { putOffAbsent } from './open/open-reason.ts';
import { isInWindow } from './open/time-window.ts';
import { isAlive, release, takeOwnership, type Owner } from './owner.ts';
import { WorkList } from './work-list.ts';

export interface JobsAtWorkOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly kinds: JobKinds;
  readonly vault: Pick<Vault, 'seal'>;
  readonly clock: Clock;
  /** Operating system user for the journal. */
  readonly user: string;
  /** Called with an error that ended a job outside of any device. */
  readonly onFailure?: (error: unknown) => void;
  /** Called with the devices of a job that has ended. */
  readonly onEnded?: (deviceIds: readonly string[]) => void;
}

export class JobsAtWork {
  readonly #options: Omit<JobsAtWorkOptions, 'onFailure' | 'onEnded'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #rows: JobRows;
  readonly #self: Owner;
  readonly #journal: Journal;
  readonly live: LiveJobs;
  readonly list: WorkList;
  #closing = false;

  constructor(options: JobsAtWorkOptions, rows: JobRows) {
    const { store, vault, kinds, clients, clock, onFailure = () => undefined, onEnded } = options;
    this.#options = options;
    this.#onFailure = onFailure;
    this.#rows = rows;
    this.#self = takeOwnership(randomUUID(), store.dataDir);
    this.#journal = new Journal(store, vault, kinds);
    this.live = new LiveJobs({
      journal: this.#journal,
      clients,
      clock,
      onFailure,
      settleInterrupted: () => this.settleInterrupted(),
      onChange: (job) => {
        try {
          if (job.ended) {
            kinds.find(job.kind)?.ended?.(job.id, job.done);
            onEnded?.(job.results.map(({ deviceId }) => deviceId));
          }
        } catch (error) {
          // The job has ended all the same, and those who wait for its devices are woken.
          onFailure(error);
        }
        this.list.changed(job.id);
      },
    });
    this.list = new WorkList({
      atWork: () => {
        this.settleInterrupted();
        return rows.atWork();
      },
      summaryOf: (id) => this.#underWay(id),
    });
    this.settleInterrupted();
  }

  /**
   * Journals a new job and starts it, or lets it wait for its turn; `isLeftOpen`: leaves it as open work. Throws
   * `not-available` where a device is busy and it may not wait.
   */
  begin(job: NewJob & { readonly undoOf?: string; readonly isLeftOpen?: boolean }): {
    readonly jobId: string;
  } {
    this.refuseWhileClosing();
    this.settleInterrupted();
    const { id, kind, undoOf, title, about, options } = job;
    const devices = job.devices.map((device) => putOffAbsent(device, options.whenBack !== undefined));
    const run = this.#run('start');
    const turn = this.#journal.create(
      { ...job, devices },
      { owner: this.#self, run, mayWait: this.#mayWait(job), isTooEarly: this.#isTooEarly(options) },
    );
    const head = { id, kind, title, about, createdAt: run.at, by: run.by, runs: [run], options };
    const results = devices.map(({ deviceId, name, url, state, error, open, idle, units }) => ({
      deviceId,
      name,
      url,
      state,
      ...removeUndefined({ error, open, idle: idle || undefined }),
      units: units.map(({ result }) => result),
    }));
    if (job.isLeftOpen === true) {
      this.#journal.end({ id, state: 'interrupted', endedAt: run.at, results });
      return { jobId: id };
    }
    this.live.launch(
      new LiveJob({ ...head, ...removeUndefined({ undoOf }) }, results, { turn, ...options }),
      { turns: inTurn(devices, options.canary), options },
    );
    return { jobId: id };
  }

  /** Goes on with an ended job under its own id. @throws `not-available` if another process was faster */
  continue(
    before: Job,
    { kind, ...claim }: Pick<Claim, 'options' | 'waiting' | 'followUp'> & Pick<JobRun, 'kind'>,
    work: Work,
  ): void {
    const run = this.#run(kind);
    const turn = this.#journal.claim(before.id, {
      ...claim,
      owner: this.#self,
      run,
      runsBefore: before.runs?.length ?? 0,
      mayWait: this.#mayWait({ kind: before.kind, options: work.options }),
      isTooEarly: this.#isTooEarly(work.options),
    });
    if (turn === undefined) throw createJobBusyError(before.id);
    const { id, kind: name, title, about, undoOf, createdAt, by, runs = [], results } = before;
    const head = { id, kind: name, title, about, createdAt, by, runs: [...runs, run] };
    const waiting = new Set(claim.waiting);
    this.live.launch(
      new LiveJob(
        { ...head, ...removeUndefined({ undoOf }) },
        results.map((result, position) => {
          const { error: _error, idle: _idle, ...rest } = result;
          return waiting.has(position) ? { ...rest, state: 'pending' } : result;
        }),
        { turn, ...work.options },
      ),
      work,
    );
  }

  /**
   * Returns a job that this engine runs or ran last; undefined if the journal knows more: another process has continued
   * it, or its open work may have been dropped since.
   */
  known(id: string): LiveJob | undefined {
    const job = this.live.get(id);
    if (job?.ended !== true) return job;
    return job.hasOpenWork || job.isRevertible || !this.#rows.isOwnedBy(id, this.#self.engine)
      ? undefined
      : job;
  }

  /** Stops running jobs (they stay resumable) and waits for what is under way. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.live.close();
    try {
      this.#journal.flush();
    } catch (error) {
      // Reading settles the lost results when the job is resumed.
      this.#onFailure(error);
    }
    release(this.#self, this.#options.store.dataDir);
  }

  /** Jobs whose process ended are at work no more. */
  settleInterrupted(): void {
    try {
      // A job of this engine that is not running has ended too: a full disk kept its end from the journal.
      this.#rows.markInterrupted(
        (owner, id) =>
          isAlive(owner, this.#options.store.dataDir) &&
          (owner.engine !== this.#self.engine || this.live.isRunning(id)),
      );
    } catch (error) {
      // The journal of such a disk stays readable; a write reports the error.
      this.#onFailure(error);
    }
  }

  /**
   * Ends a job of another program that seems to be at work on it, as if that had died. If it lives all the same, it begins
   * nothing more. @throws `not-available` for a job that runs here
   */
  takeOver(id: string): void {
    this.refuseWhileClosing();
    if (this.live.isRunning(id)) throw createJobBusyError(id);
    this.#rows.markInterrupted((_owner, each) => each !== id);
    this.list.changed(id);
  }

  /** Throws `not-available`. */
  refuseWhileClosing(): void {
    if (this.#closing)
      throw new FieldwrightError({
        code: 'not-available',
        source: 'app',
        ...say('closing'),
      });
  }

  #underWay(id: string): WorkSummary {
    const live = this.known(id);
    if (live !== undefined) {
      const waitsAt = live.kind === 'flow' ? live.waitsAt : undefined;
      return { ...live.summary(), ...removeUndefined({ waitsAt }) };
    }
    const summary = this.#rows.summary(id);
    return { ...summary, ...removeUndefined({ elsewhere: isAtWork(summary.state) || undefined }) };
  }

  #mayWait({ kind, options }: Pick<NewJob, 'kind' | 'options'>): Claim['mayWait'] {
    const { whenBusy } = this.#options.kinds.of(kind);
    return options.wait ?? (whenBusy === 'behind-own-kind' ? whenBusy : whenBusy === 'wait');
  }

  #isTooEarly({ between }: NewJob['options']): boolean {
    return between !== undefined && !isInWindow(between, this.#options.clock.now());
  }

  #run(kind: JobRun['kind']): JobRun {
    return { kind, at: this.#options.clock.now().toISOString(), by: this.#options.user };
  }
}

/** Orders the devices by their turns: only a device to which something is sent is a canary. */
function inTurn(devices: readonly NewDevice[], canary = 0): readonly JobTurn[] {
  const ordered =
    canary > 0
      ? devices.toSorted((a, b) => Number(a.changesNothing === true) - Number(b.changesNothing === true))
      : devices;
  return ordered.flatMap(({ turn }) => turn ?? []);
}

export function createJobBusyError(id: string): FieldwrightError {
  return new FieldwrightError({
    code: 'not-available',
    source: 'user',
    ...say('job-busy-elsewhere', { id }),
  });
}
