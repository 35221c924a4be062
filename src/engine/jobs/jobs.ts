/** Jobs: begun, continued, taken back, looked at. What is done on a device is for their kinds to know. */
import { randomBytes } from 'node:crypto';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { LastChange } from '#shared/history.ts';
import type { Job, JobEvent, JobSummary, KeptChanges } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { nameSelection } from '#shared/selection-name.ts';
import type { JobsApi, SitesApi } from '../api/routes.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';
import type { Vault } from '../inventory/access/vault.ts';
import { keepChanges, type TestAfresh } from './confirm/keep-changes.ts';
import { putBackUnkept } from './confirm/put-back.ts';
import { listChanges, listLastChanges } from './history/changes.ts';
import { createHistory, exportText, type History } from './history/history.ts';
import { requireUndo, type NewJob } from './job-kind.ts';
import { createJobRows, type JobRows } from './job-rows.ts';
import { createJobBusyError, JobsAtWork, type JobsAtWorkOptions } from './jobs-at-work.ts';
import type { LiveJob } from './live-job.ts';
import { pickDevices, buildJobTarget, lookUp, type Finder } from './locate-device.ts';
import { buildResumePreview, buildUndoPreview } from './previews.ts';
import { listFollowUpDevices, followUpDevices, isAwaitingRestart } from './restarts.ts';
import { StoredJobs } from './stored-job.ts';
import type { FollowUpRecord, StoredJob } from './types.ts';

interface JobsOptions extends JobsAtWorkOptions {
  readonly sites: Pick<SitesApi, 'list'>;
  readonly devices: Finder;
  readonly saved: Pick<SavedSecrets, 'mark'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly testAfresh: TestAfresh;
}

/** Default time in seconds that a job waits for a restart. */
const FOLLOW_UP_SECONDS = 600;

/** Seconds until a device whose restart was noticed has to show what it took. */
const RESTARTED_SECONDS = 60;

export class Jobs implements Omit<JobsApi, 'start'> {
  readonly #options: JobsOptions;
  readonly #rows: JobRows;
  readonly #stored: StoredJobs;
  readonly #history: History;
  readonly #atWork: JobsAtWork;

  constructor(options: JobsOptions) {
    const { store, vault, kinds } = options;
    this.#options = options;
    this.#rows = createJobRows(store, kinds);
    this.#stored = new StoredJobs(store, vault, kinds);
    this.#history = createHistory(store, this.#rows, kinds);
    this.#atWork = new JobsAtWork(options, this.#rows);
  }

  /** Begins a job under the name of its devices. See `begin` of JobsAtWork. */
  begin(job: Parameters<JobsAtWork['begin']>[0]): { readonly jobId: string } {
    return this.#atWork.begin({ ...job, about: { ...job.about, selection: this.#nameSelection(job) } });
  }

  list(): readonly JobSummary[] {
    this.#atWork.settleInterrupted();
    return this.#rows.list().map((summary) => this.#asItStands(summary));
  }

  show({ id }: Parameters<JobsApi['show']>[0]): Job {
    const fullId = this.#idOf(id);
    const live = this.#atWork.known(fullId);
    return live === undefined ? this.#rows.show(fullId) : this.#rows.withLater(live.snapshot());
  }

  async *watch({ id }: Parameters<JobsApi['watch']>[0], signal: AbortSignal): AsyncGenerator<JobEvent> {
    const fullId = this.#idOf(id);
    const live = this.#atWork.known(fullId);
    if (live?.ended === false) {
      yield* live.watch(signal);
      // Changes that were not kept are being put back by now.
      if (!live.isRevertible) return;
    }
    if (signal.aborted) return;
    // A later job may have finished the rest of a job that ended here.
    const job = this.show({ id: fullId });
    yield { type: 'job', job };
    if (!isAtWork(job.state)) yield { type: 'end', job };
  }

  readonly watchAll: JobsApi['watchAll'] = (signal) => {
    return this.#atWork.list.watch(signal);
  };

  readonly resumePreview: JobsApi['resumePreview'] = ({ id }) => {
    const preview = buildResumePreview(this.#source(id));
    return { ...preview, secrets: this.#options.saved.mark(preview.secrets) };
  };

  readonly takeOver: JobsApi['takeOver'] = ({ id }) => {
    const fullId = this.#idOf(id);
    const taken = isAtWork(this.#rows.summary(fullId).state);
    if (taken) this.#atWork.takeOver(fullId);
    return { taken };
  };

  readonly resume: JobsApi['resume'] = (request) => {
    this.#atWork.refuseWhileClosing();
    const id = this.#idOf(request.id);
    const before = this.#endedJob(id);
    if (!before.resumable) return { jobId: id, resumed: false };

    const job = this.#stored.read(id);
    const kind = this.#options.kinds.of(job.kind);
    // A confirmation counts for what the person saw then, so drift is never accepted by an old one.
    const { acceptDrift: _once, ...kept } = job.options;
    const options = { ...kept, ...request.options };
    const turns = kind.resume(job, { secrets: given(request.secrets), options });
    const waiting = listFollowUpDevices(job);
    const followUp =
      job.followUp === undefined || waiting.length === 0 || kind.followUp === undefined
        ? undefined
        : { ...job.followUp, positions: waiting.map(({ position }) => position) };
    this.#atWork.continue(
      before,
      {
        kind: 'resume',
        options,
        waiting: turns.map(({ position }) => position),
        ...removeUndefined({ followUp }),
      },
      {
        turns: turns.map(({ turn }) => turn),
        options,
        ...removeUndefined({
          followUps: followUp === undefined ? undefined : (kind.followUp?.(job, waiting, followUp) ?? []),
        }),
      },
    );
    return { jobId: id, resumed: true };
  };

  /**
   * Goes on with some devices of an ended job: those of its open work that can be done now. Drift is not accepted, and no
   * secret is asked for. `atOnce`: also outside its window of time. Returns false if nothing of it remains. Throws like `resume`.
   */
  takeUp(id: string, positions: readonly number[], { atOnce = false } = {}): boolean {
    this.#atWork.refuseWhileClosing();
    const before = this.#endedJob(id);
    const job = this.#stored.read(id);
    const kind = this.#options.kinds.of(job.kind);
    const { acceptDrift: _once, between, ...kept } = job.options;
    const options = { ...kept, wait: false, ...removeUndefined({ between: atOnce ? undefined : between }) };
    const chosen = job.devices.filter(({ position }) => positions.includes(position));
    // The kind sees the whole job: one of its devices may be the source for the others.
    const turns = kind
      .resume(job, { secrets: undefined, options })
      .filter(({ position }) => positions.includes(position));
    const restarted = chosen.filter(isAwaitingRestart);
    const followUp = {
      positions: restarted.map(({ position }) => position),
      waitSeconds: RESTARTED_SECONDS,
      restarted: true,
    };
    const followUps = restarted.length === 0 ? [] : (kind.followUp?.(job, restarted, followUp) ?? []);
    if (turns.length + followUps.length === 0) return false;
    this.#atWork.continue(
      before,
      { kind: 'resume', waiting: turns.map(({ position }) => position) },
      { turns: turns.map(({ turn }) => turn), options, followUps },
    );
    return true;
  }

  readonly undoPreview: JobsApi['undoPreview'] = ({ id, deviceIds }) => {
    const source = this.#source(id);
    return buildUndoPreview(source, pickDevices(source.job.devices, deviceIds, this.#options.devices));
  };

  readonly undo: JobsApi['undo'] = (request) => {
    this.#atWork.refuseWhileClosing();
    const id = this.#idOf(request.id);
    this.#endedJob(id);
    const job = this.#stored.read(id);
    const undo = requireUndo(this.#options.kinds, job);
    const { deviceIds, options = {}, only } = request;
    const devices = pickDevices(job.devices, deviceIds, this.#options.devices);
    return this.begin({
      ...undo.begin(job, {
        devices,
        named: deviceIds !== undefined,
        options,
        ...removeUndefined({ only }),
      }),
      undoOf: id,
    });
  };

  /** Keeps what a job changed; see `keepChanges`. */
  confirm({ id }: Parameters<JobsApi['confirm']>[0], signal: AbortSignal): Promise<KeptChanges> {
    this.#atWork.refuseWhileClosing();
    return keepChanges(this.show({ id }), this.#options, signal);
  }

  /** Puts back what jobs changed that ended without a person keeping it; see `putBackUnkept`. */
  putBackUnkept(how: { readonly atOnce: boolean }): void {
    this.#atWork.settleInterrupted();
    const { store, kinds, devices } = this.#options;
    putBackUnkept(
      { store, kinds, devices, read: (id) => this.#stored.read(id), begin: (job) => this.begin(job) },
      how,
    );
  }

  readonly rebootPending: JobsApi['rebootPending'] = ({ id }) => {
    const fullId = this.#idOf(id);
    return followUpDevices(this.#atWork.known(fullId)?.results ?? this.#rows.show(fullId).results);
  };

  readonly targets: JobsApi['targets'] = ({ id }) => {
    return this.#stored
      .read(this.#rows.fullId(id))
      .devices.map((device) => buildJobTarget(device, this.#options.devices));
  };

  readonly followUp: JobsApi['followUp'] = (request) => {
    this.#atWork.refuseWhileClosing();
    const id = this.#idOf(request.id);
    const before = this.#endedJob(id);
    const job = this.#stored.read(id);
    const devices = pickDevices(
      job.devices.filter(isAwaitingRestart),
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
    this.#atWork.continue(
      before,
      { kind: 'follow-up', waiting: [], followUp: record },
      { turns: [], options: {}, followUps },
    );
    return { jobId: id, devices: devices.length };
  };

  readonly cancel: JobsApi['cancel'] = ({ id }) => {
    const job = this.#atWork.known(this.#rows.fullId(id));
    if (job === undefined || job.ended) return { cancelled: false };
    job.cancel();
    return { cancelled: true };
  };

  readonly pause: JobsApi['pause'] = ({ id }) => {
    return { paused: this.#signal(id, (job) => job.pause()) };
  };

  readonly unpause: JobsApi['unpause'] = ({ id }) => {
    return { unpaused: this.#signal(id, (job) => job.unpause()) };
  };

  readonly search: JobsApi['search'] = (query) => {
    this.#atWork.settleInterrupted();
    const page = this.#history.search(query);
    return { ...page, jobs: page.jobs.map((summary) => this.#asItStands(summary)) };
  };

  readonly changes: JobsApi['changes'] = (query) => {
    this.#atWork.settleInterrupted();
    return listChanges(this.#options.store, this.#options.kinds, query);
  };

  /** Returns the last change of each of these devices. */
  lastChanges({ deviceIds }: { readonly deviceIds: readonly string[] }): readonly LastChange[] {
    return listLastChanges(this.#options.store, deviceIds);
  }

  readonly export: JobsApi['export'] = (request) => {
    const parts = this.exportParts(request);
    return exportText(parts, { format: request.format, at: this.#options.clock.now() });
  };

  exportParts(request: Parameters<JobsApi['exportParts']>[0]): Iterable<string> {
    this.#atWork.settleInterrupted();
    return this.#history.parts(request);
  }

  /**
   * Returns an ended job as its kind keeps it. @throws `not-found`, or `not-available` while it is worked on
   */
  stored(id: string): StoredJob {
    const fullId = this.#idOf(id);
    this.#endedJob(fullId);
    return this.#stored.read(fullId);
  }

  /** Stops running jobs (they stay resumable) and waits for what is under way. */
  close(): Promise<void> {
    return this.#atWork.close();
  }

  /** Returns the full id of a job; those whose process ended are at work no more. */
  #idOf(prefix: string): string {
    this.#atWork.settleInterrupted();
    return this.#rows.fullId(prefix);
  }

  #nameSelection({ devices }: NewJob): ReturnType<typeof nameSelection> {
    const named = devices
      .filter(({ deviceId }) => deviceId !== '')
      .map((device) => {
        const found = lookUp(device, this.#options.devices);
        return { name: device.name, kinds: found?.kinds ?? [], siteId: found?.siteId };
      });
    return nameSelection(named, this.#options.sites.list());
  }

  #signal(id: string, what: (job: LiveJob) => boolean): boolean {
    const job = this.#atWork.known(this.#rows.fullId(id));
    if (job === undefined || !what(job)) return false;
    this.#atWork.list.changed(job.id);
    return true;
  }

  /** Updates a summary with what happened since the last line in the journal. */
  #asItStands(summary: JobSummary): JobSummary {
    const live = this.#atWork.known(summary.id);
    return live === undefined ? summary : this.#rows.withLater(live.summary());
  }

  #source(id: string): Parameters<typeof buildResumePreview>[0] {
    this.#atWork.settleInterrupted();
    const { results: _results, ...summary } = this.#rows.show(this.#rows.fullId(id));
    const job = this.#stored.read(summary.id);
    return { summary, job, kind: this.#options.kinds.of(job.kind), finder: this.#options.devices };
  }

  /** Returns an ended job. @throws `not-available` while it is running */
  #endedJob(id: string): Job {
    const job = this.#rows.show(id);
    if (isAtWork(job.state)) throw createJobBusyError(id);
    return job;
  }
}

export function createJobId(): string {
  return `j-${randomBytes(6).toString('hex')}`;
}

function given(
  secrets: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  return secrets === undefined || Object.keys(secrets).length === 0 ? undefined : secrets;
}
