/** Jobs: begun, continued, taken back, looked at. What is done on a device is for their kinds to know. */
import { randomBytes, randomUUID } from 'node:crypto';
import { say } from '../../shared/details.ts';
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { JobRun } from '../../shared/model.ts';
import type { Job, JobEvent, JobSummary, WorkSummary } from '../../shared/model.ts';
import { isAtWork } from '../../shared/outcomes.ts';
import type { Clock, JobsApi } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { SavedSecrets } from '../inventory/saved-secrets.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import { createHistory, exportText } from './history/history.ts';
import type { History } from './history/history.ts';
import type { FollowUpRecord, JobKinds, JobTurn, NewDevice, NewJob } from './job-kind.ts';
import { createJobRows } from './job-rows.ts';
import type { JobRows } from './job-rows.ts';
import { Journal } from './journal.ts';
import type { Claim } from './journal.ts';
import { LiveJob } from './live-job.ts';
import { LiveJobs } from './live-jobs.ts';
import type { Work } from './live-jobs.ts';
import { chosenDevices, targetOf } from './locate-device.ts';
import type { Finder } from './locate-device.ts';
import { isAlive, release, takeOwnership } from './owner.ts';
import { previewResume, previewUndo } from './previews.ts';
import { followedUp, followUpDevices, waitsForRestart } from './restarts.ts';
import { StoredJobs } from './stored-job.ts';
import type { StoredJob } from './stored-job.ts';
import { WorkList } from './work-list.ts';

export interface JobsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly devices: Finder;
  readonly kinds: JobKinds;
  readonly saved: Pick<SavedSecrets, 'mark'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Operating system user for the journal. */
  readonly user: string;
  /** Told of an error that ended a job outside of any device. */
  readonly onFailure?: (error: unknown) => void;
}

/** How long a restart is waited for unless told otherwise. */
const FOLLOW_UP_SECONDS = 600;

export class Jobs implements Omit<JobsApi, 'start'> {
  readonly #options: JobsOptions;
  readonly #self = takeOwnership(randomUUID());
  readonly #journal: Journal;
  readonly #rows: JobRows;
  readonly #stored: StoredJobs;
  readonly #live: LiveJobs;
  readonly #history: History;
  readonly #work: WorkList;
  #closing = false;

  constructor(options: JobsOptions) {
    const { store, vault, kinds, clients, clock, onFailure = () => undefined } = options;
    this.#options = options;
    this.#journal = new Journal(store, vault, kinds);
    this.#rows = createJobRows(store, kinds);
    this.#stored = new StoredJobs(store, vault, kinds);
    this.#history = createHistory(store, this.#rows, kinds);
    this.#live = new LiveJobs({
      journal: this.#journal,
      clients,
      clock,
      onFailure,
      settleDead: () => this.#settleDead(),
      onChange: (job) => {
        if (job.ended) kinds.find(job.kind)?.ended?.(job.id, job.done);
        this.#work.changed(job.id);
      },
    });
    this.#work = new WorkList({
      atWork: () => {
        this.#settleDead();
        return this.#rows.atWork();
      },
      summaryOf: (id) => this.#underWay(id),
    });
    this.#settleDead();
  }

  /** Journals a new job and starts it, or lets it wait for its turn. Throws `not-available` where a device is busy and it may not wait. */
  begin(job: NewJob & { readonly undoOf?: string }): { readonly jobId: string } {
    this.#refuseWhileClosing();
    this.#settleDead();
    const { id, kind, undoOf, title, about, options, devices } = job;
    const run = this.#run('start');
    const turn = this.#journal.create(job, { owner: this.#self, run, mayWait: this.#mayWait(job) });
    const head = { id, kind, title, about, createdAt: run.at, by: run.by, runs: [run], options };
    this.#live.launch(
      new LiveJob(
        { ...head, ...defined({ undoOf }) },
        devices.map(({ deviceId, name, url, state, error, idle, units }) => ({
          deviceId,
          name,
          url,
          state,
          ...defined({ error, idle: idle || undefined }),
          units: units.map(({ result }) => result),
        })),
        turn.state === 'waiting' ? turn.behind : undefined,
      ),
      { turns: inTurn(devices, options.canary), options },
    );
    return { jobId: id };
  }

  list(): readonly JobSummary[] {
    this.#settleDead();
    return this.#rows.list().map((summary) => this.#asItStands(summary));
  }

  show({ id }: Parameters<JobsApi['show']>[0]): Job {
    this.#settleDead();
    const fullId = this.#rows.fullId(id);
    return this.#live.get(fullId)?.snapshot() ?? this.#rows.show(fullId);
  }

  async *watch({ id }: Parameters<JobsApi['watch']>[0], signal: AbortSignal): AsyncGenerator<JobEvent> {
    this.#settleDead();
    const fullId = this.#rows.fullId(id);
    const job = this.#live.get(fullId);
    if (job !== undefined) {
      yield* job.watch(signal);
      return;
    }
    const stored = this.#rows.show(fullId);
    yield { type: 'job', job: stored };
    if (!isAtWork(stored.state)) yield { type: 'end', job: stored };
  }

  watchAll(signal: AbortSignal): ReturnType<JobsApi['watchAll']> {
    return this.#work.watch(signal);
  }

  resumePreview({ id }: Parameters<JobsApi['resumePreview']>[0]): ReturnType<JobsApi['resumePreview']> {
    const preview = previewResume(this.#source(id));
    return { ...preview, secrets: this.#options.saved.mark(preview.secrets) };
  }

  resume(request: Parameters<JobsApi['resume']>[0]): ReturnType<JobsApi['resume']> {
    this.#refuseWhileClosing();
    this.#settleDead();
    const id = this.#rows.fullId(request.id);
    const before = this.#endedJob(id);
    if (!before.resumable) return { jobId: id, resumed: false };

    const job = this.#stored.read(id);
    const kind = this.#options.kinds.of(job.kind);
    // A confirmation counts for what the person saw then, so drift is never accepted by an old one.
    const { acceptDrift: _once, ...kept } = job.options;
    const options = { ...kept, ...request.options };
    const turns = kind.resume(job, { secrets: given(request.secrets), options });
    const waiting = followedUp(job);
    const followUp =
      job.followUp === undefined || waiting.length === 0 || kind.followUp === undefined
        ? undefined
        : { ...job.followUp, positions: waiting.map(({ position }) => position) };
    this.#continue(
      before,
      {
        kind: 'resume',
        options,
        waiting: turns.map(({ position }) => position),
        ...defined({ followUp }),
      },
      {
        turns: turns.map(({ turn }) => turn),
        options,
        ...defined({
          followUps: followUp === undefined ? undefined : (kind.followUp?.(job, waiting, followUp) ?? []),
        }),
      },
    );
    return { jobId: id, resumed: true };
  }

  undoPreview({ id, deviceIds }: Parameters<JobsApi['undoPreview']>[0]): ReturnType<JobsApi['undoPreview']> {
    const source = this.#source(id);
    return previewUndo(source, chosenDevices(source.job.devices, deviceIds, this.#options.devices));
  }

  undo(request: Parameters<JobsApi['undo']>[0]): ReturnType<JobsApi['undo']> {
    this.#refuseWhileClosing();
    this.#settleDead();
    const id = this.#rows.fullId(request.id);
    this.#endedJob(id);
    const job = this.#stored.read(id);
    const { undo } = this.#options.kinds.of(job.kind);
    if (undo === undefined)
      throw new FieldwrightError({
        code: 'not-allowed',
        source: 'user',
        ...say('kind-without-undo'),
      });
    const { deviceIds, options = {} } = request;
    const devices = chosenDevices(job.devices, deviceIds, this.#options.devices);
    return this.begin({
      ...undo.begin(job, { devices, named: deviceIds !== undefined, options }),
      undoOf: id,
    });
  }

  rebootPending({ id }: Parameters<JobsApi['rebootPending']>[0]): ReturnType<JobsApi['rebootPending']> {
    this.#settleDead();
    const fullId = this.#rows.fullId(id);
    return followUpDevices(this.#live.get(fullId)?.results ?? this.#rows.show(fullId).results);
  }

  targets({ id }: Parameters<JobsApi['targets']>[0]): ReturnType<JobsApi['targets']> {
    return this.stored(id).devices.map((device) => targetOf(device, this.#options.devices));
  }

  followUp(request: Parameters<JobsApi['followUp']>[0]): ReturnType<JobsApi['followUp']> {
    this.#refuseWhileClosing();
    this.#settleDead();
    const id = this.#rows.fullId(request.id);
    const before = this.#endedJob(id);
    const job = this.#stored.read(id);
    const devices = chosenDevices(
      job.devices.filter(waitsForRestart),
      request.deviceIds,
      this.#options.devices,
    );
    const record: FollowUpRecord = {
      positions: devices.map(({ position }) => position),
      waitSeconds: request.waitSeconds ?? FOLLOW_UP_SECONDS,
    };
    const kind = this.#options.kinds.of(job.kind);
    const followUps = devices.length === 0 ? [] : (kind.followUp?.(job, devices, record) ?? []);
    if (followUps.length === 0)
      throw new FieldwrightError({
        code: 'not-allowed',
        source: 'user',
        ...say('nothing-waits', { id }),
      });
    this.#continue(
      before,
      { kind: 'follow-up', waiting: [], followUp: record },
      { turns: [], options: {}, followUps },
    );
    return { jobId: id, devices: devices.length };
  }

  cancel({ id }: Parameters<JobsApi['cancel']>[0]): ReturnType<JobsApi['cancel']> {
    const job = this.#live.get(this.#rows.fullId(id));
    if (job === undefined || job.ended) return { cancelled: false };
    job.cancel();
    return { cancelled: true };
  }

  pause({ id }: Parameters<JobsApi['pause']>[0]): ReturnType<JobsApi['pause']> {
    return { paused: this.#told(id, (job) => job.pause()) };
  }

  unpause({ id }: Parameters<JobsApi['unpause']>[0]): ReturnType<JobsApi['unpause']> {
    return { unpaused: this.#told(id, (job) => job.unpause()) };
  }

  search(query: Parameters<JobsApi['search']>[0]): ReturnType<JobsApi['search']> {
    this.#settleDead();
    const page = this.#history.search(query);
    return { ...page, jobs: page.jobs.map((summary) => this.#asItStands(summary)) };
  }

  export(request: Parameters<JobsApi['export']>[0]): ReturnType<JobsApi['export']> {
    const parts = this.exportParts(request);
    return exportText(parts, { format: request.format, at: this.#options.clock.now() });
  }

  exportParts(request: Parameters<JobsApi['exportParts']>[0]): Iterable<string> {
    this.#settleDead();
    return this.#history.parts(request);
  }

  /** An ended job as its kind keeps it. Throws `not-found`, `not-available` while it is worked on. */
  stored(id: string): StoredJob {
    this.#settleDead();
    const fullId = this.#rows.fullId(id);
    this.#endedJob(fullId);
    return this.#stored.read(fullId);
  }

  /** Stops running jobs (they stay resumable) and waits for what is under way. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#live.close();
    try {
      this.#journal.flush();
    } catch (error) {
      // What is lost with it is settled by reading when the job is resumed.
      this.#options.onFailure?.(error);
    }
    release(this.#self);
  }

  #told(id: string, what: (job: LiveJob) => boolean): boolean {
    const job = this.#live.get(this.#rows.fullId(id));
    if (job === undefined || !what(job)) return false;
    this.#work.changed(job.id);
    return true;
  }

  /** With what happened since the last line in the journal. */
  #asItStands(summary: JobSummary): JobSummary {
    return this.#live.get(summary.id)?.summary() ?? summary;
  }

  /** One that ended here may have gone on in another process: then the journal knows more. */
  #underWay(id: string): WorkSummary {
    const live = this.#live.isRunning(id) ? this.#live.get(id) : undefined;
    if (live !== undefined) return live.summary();
    const summary = this.#rows.summary(id);
    return { ...summary, ...defined({ elsewhere: isAtWork(summary.state) || undefined }) };
  }

  #source(id: string): Parameters<typeof previewResume>[0] {
    this.#settleDead();
    const { results: _results, ...summary } = this.#rows.show(this.#rows.fullId(id));
    const job = this.#stored.read(summary.id);
    return { summary, job, kind: this.#options.kinds.of(job.kind), finder: this.#options.devices };
  }

  /** Throws `not-available` while somebody works on it. */
  #endedJob(id: string): Job {
    const job = this.#rows.show(id);
    if (isAtWork(job.state)) throw beingWorkedOn(id);
    return job;
  }

  /** Goes on with an ended job under its own id. Throws `not-available` where somebody else was faster. */
  #continue(
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
    });
    if (turn === undefined) throw beingWorkedOn(before.id);
    const { id, kind: name, title, about, undoOf, createdAt, by, runs = [], results } = before;
    const head = { id, kind: name, title, about, createdAt, by, runs: [...runs, run] };
    const waiting = new Set(claim.waiting);
    this.#live.launch(
      new LiveJob(
        { ...head, ...defined({ undoOf }) },
        results.map((result, position) => {
          const { error: _error, idle: _idle, ...rest } = result;
          return waiting.has(position) ? { ...rest, state: 'pending' } : result;
        }),
        turn.state === 'waiting' ? turn.behind : undefined,
      ),
      work,
    );
  }

  #mayWait({ kind, options }: Pick<NewJob, 'kind' | 'options'>): boolean {
    return options.wait ?? this.#options.kinds.of(kind).whenBusy === 'wait';
  }

  #run(kind: JobRun['kind']): JobRun {
    return { kind, at: this.#options.clock.now().toISOString(), by: this.#options.user };
  }

  #settleDead(): void {
    try {
      // A job of this engine that nobody works on: its end could not be journalled when it came, on a full disk.
      this.#rows.markInterrupted(
        (owner, id) => isAlive(owner) && (owner.engine !== this.#self.engine || this.#live.isRunning(id)),
      );
    } catch (error) {
      // On such a disk the journal is shown as it is; whoever wants to write hears of it there.
      this.#options.onFailure?.(error);
    }
  }

  #refuseWhileClosing(): void {
    if (this.#closing)
      throw new FieldwrightError({
        code: 'not-available',
        source: 'app',
        ...say('closing'),
      });
  }
}

export function newJobId(): string {
  return `j-${randomBytes(6).toString('hex')}`;
}

/** In the order in which they have their turns: only a device that gets something is a canary. */
function inTurn(devices: readonly NewDevice[], canary = 0): readonly JobTurn[] {
  const ordered =
    canary > 0
      ? devices.toSorted((a, b) => Number(a.changesNothing === true) - Number(b.changesNothing === true))
      : devices;
  return ordered.flatMap(({ turn }) => turn ?? []);
}
function given(
  secrets: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  return secrets === undefined || Object.keys(secrets).length === 0 ? undefined : secrets;
}

function beingWorkedOn(id: string): FieldwrightError {
  return new FieldwrightError({
    code: 'not-available',
    source: 'user',
    ...say('job-busy-elsewhere', { id }),
  });
}
