/** Jobs: plans carried out, journalled, watched. */
import { randomBytes, randomUUID } from 'node:crypto';
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { JobRun } from '../../shared/history.ts';
import type { Job, JobEvent, JobSummary } from '../../shared/model.ts';
import type { Clock, DevicesApi, JobsApi } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { SavedSecrets } from '../inventory/saved-secrets.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import { planDevice } from '../plans/create-plan.ts';
import type { Plans, SavedAs } from '../plans/create-plan.ts';
import { followedUp, followUpDevices, followUpTurns, waitsForRestart } from '../apply/follow-up/follow-up.ts';
import { createHistory, exportText } from './history/history.ts';
import { applyTurns, continuedTurns, inTurn, undoTurns } from '../apply/job-kinds.ts';
import type { NewTurn } from '../apply/job-kinds.ts';
import { previewResume, previewUndo } from '../apply/job-previews.ts';
import { createJobRows } from './job-rows.ts';
import { createJournal } from './journal.ts';
import type { Claim, FollowUpRecord, NewJob } from './journal.ts';
import { LiveJob } from './live-job.ts';
import { createLiveJobs } from './live-jobs.ts';
import type { Work } from './live-jobs.ts';
import { chosenDevices } from './locate-device.ts';
import { isAlive, release, takeOwnership } from './owner.ts';
import { prepareTasks } from '../apply/prepare-job.ts';
import type { UnplannedTask } from '../apply/resume-plan.ts';
import { requireSameSecrets, sealSecretsCheck } from '../apply/secrets-check.ts';
import { createStoredJobs } from './stored-job.ts';

export interface JobsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly devices: Pick<DevicesApi, 'find' | 'addTransient' | 'test'>;
  readonly plans: Pick<Plans, 'secretsOf'>;
  readonly saved: Pick<SavedSecrets, 'fillFor' | 'mark'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Operating system user for the journal. */
  readonly user: string;
  /** The saved template version whose text has this hash. */
  readonly savedAs?: SavedAs;
  /** Told of a device whose restart was waited for and is over. */
  readonly onRestarted: (deviceId: string) => void;
  /** Told of an error that ended a job outside of any device. */
  readonly onFailure?: (error: unknown) => void;
}

export interface Jobs extends JobsApi {
  /** Stops running jobs (they stay resumable) and waits for what is under way. */
  close(): Promise<void>;
}

/** Jobs whose secrets are remembered while this process runs, so that it need not ask twice. */
const SECRETS_KEPT = 20;

/** How long a restart is waited for unless told otherwise. */
const FOLLOW_UP_SECONDS = 600;

type Secrets = Readonly<Record<string, string>>;

export function createJobs(options: JobsOptions): Jobs {
  const { store, clock, vault, devices: finder } = options;
  const self = takeOwnership(randomUUID());
  const journal = createJournal(store, vault);
  const rows = createJobRows(store);
  const stored = createStoredJobs(store, vault);
  const secretsByJob = new Map<string, Secrets>();
  const canSeal = (): void => {
    vault.seal('', 'journal');
  };
  const live = createLiveJobs(
    {
      journal,
      clients: options.clients,
      clock,
      onRestarted: options.onRestarted,
      ...defined({ onFailure: options.onFailure }),
    },
    ({ id, done }) => {
      if (done) secretsByJob.delete(id);
    },
  );
  const history = createHistory(store, rows);
  let closing = false;

  function settleDead(): void {
    try {
      // A job of this engine that nobody works on: its end could not be journalled when it came, on a full disk.
      rows.markInterrupted(
        (owner, id) => isAlive(owner) && (owner.engine !== self.engine || live.isRunning(id)),
      );
    } catch (error) {
      // On such a disk the journal is shown as it is; whoever wants to write hears of it there.
      options.onFailure?.(error);
    }
  }
  settleDead();

  function refuseWhileClosing(): void {
    if (closing)
      throw new FieldwrightError({
        code: 'not-available',
        source: 'app',
        message: 'Fieldwright is closing.',
      });
  }

  const start: JobsApi['start'] = (request) => {
    refuseWhileClosing();
    settleDead();
    const { plan } = request;
    const applyOptions = request.options ?? {};
    const secrets = options.plans.secretsOf(plan, given(request.secrets));
    const prepared = prepareTasks({
      plan,
      deviceIds: request.deviceIds,
      find: (reference) => finder.find(reference),
      allowPlainFields: applyOptions.allowPlainFields === true,
      secrets,
      canSeal,
    });
    const id = newId();
    const secretsCheck = sealSecretsCheck(secrets, id, vault);
    remember(id, secrets);
    const { name, hash, text } = plan.template;
    return begin(
      {
        id,
        kind: 'apply',
        backwards: false,
        planId: plan.id,
        template: { name, hash, text, ...options.savedAs?.(hash) },
        options: applyOptions,
        ...defined({ secretsCheck }),
      },
      applyTurns(prepared, applyOptions),
    );
  };

  /** Journals a new job and starts it. */
  function begin(
    about: Omit<NewJob, 'createdAt' | 'by' | 'owner' | 'devices'>,
    turns: readonly NewTurn[],
  ): { readonly jobId: string } {
    const {
      id,
      kind,
      undoOf,
      template: { text: _text, ...template },
    } = about;
    const head = {
      id,
      kind,
      ...defined({ undoOf }),
      createdAt: clock.now().toISOString(),
      by: options.user,
      template,
    };
    journal.create({
      ...about,
      ...head,
      template: about.template,
      owner: self,
      devices: turns.map(({ device }) => device),
    });
    const runs: readonly JobRun[] = [{ kind: 'start', at: head.createdAt, by: options.user }];
    const job = new LiveJob(
      { ...head, runs, options: about.options },
      turns.map(({ device: { deviceId, name, url, state, error, idle, sections } }) => ({
        deviceId,
        name,
        url,
        state,
        ...defined({ error, idle: idle || undefined }),
        sections,
      })),
    );
    live.launch(job, { turns: inTurn(turns, about.options), options: about.options });
    return { jobId: id };
  }

  const resume: JobsApi['resume'] = (request) => {
    refuseWhileClosing();
    settleDead();
    const id = rows.fullId(request.id);
    const before = rows.show(id);
    if (before.state === 'running') throw beingWorkedOn(id);
    if (!before.resumable) return { jobId: id, resumed: false };

    const job = stored.read(id);
    const typed = given(request.secrets) ?? secretsByJob.get(id) ?? {};
    const secrets = job.kind === 'apply' ? options.saved.fillFor(job.template.text, typed) : typed;
    requireSameSecrets(secrets, job.secretsCheck, id, vault);
    // A confirmation counts for what the person saw then, so drift is never accepted by an old one.
    const { acceptDrift: _once, ...kept } = job.options;
    const runOptions = { ...kept, ...request.options };
    const turns = continuedTurns({
      job,
      secrets,
      finder,
      stored,
      planNow,
      canSeal,
      allowPlainFields: runOptions.allowPlainFields === true,
    });
    const waiting = followedUp(job);
    const followUp =
      job.followUp === undefined || waiting.length === 0
        ? undefined
        : { ...job.followUp, positions: waiting.map(({ position }) => position) };
    continueJob(
      before,
      {
        kind: 'resume',
        options: runOptions,
        waiting: turns.map(({ position }) => position),
        ...defined({ followUp }),
      },
      {
        turns: turns.map(({ turn }) => turn),
        options: runOptions,
        ...defined({
          followUps:
            followUp === undefined
              ? undefined
              : followUpTurns({ devices: waiting, record: followUp, finder, stored }),
        }),
      },
    );
    remember(id, secrets);
    return { jobId: id, resumed: true };
  };

  /** Goes on with an ended job under its own id. Throws `not-available` where somebody else was faster. */
  function continueJob(
    before: Job,
    { kind, ...claim }: Omit<Claim, 'owner' | 'run' | 'runsBefore'> & Pick<JobRun, 'kind'>,
    work: Work,
  ): void {
    const run: JobRun = { kind, at: clock.now().toISOString(), by: options.user };
    if (!journal.claim(before.id, { ...claim, owner: self, run, runsBefore: before.runs?.length ?? 0 }))
      throw beingWorkedOn(before.id);
    const {
      results,
      state: _state,
      endedAt: _ended,
      devices: _count,
      deviceCounts: _devices,
      counts: _counts,
      resumable: _resumable,
      rebootPending: _reboots,
      ...head
    } = before;
    const waiting = new Set(claim.waiting);
    live.launch(
      new LiveJob(
        { ...head, runs: [...(before.runs ?? []), run] },
        results.map((result, position) => {
          const { error: _error, idle: _idle, ...rest } = result;
          return waiting.has(position) ? { ...rest, state: 'pending' } : result;
        }),
      ),
      work,
    );
  }

  const followUp: JobsApi['followUp'] = (request) => {
    refuseWhileClosing();
    settleDead();
    const id = rows.fullId(request.id);
    const before = rows.show(id);
    if (before.state === 'running') throw beingWorkedOn(id);
    const devices = chosenDevices(stored.read(id).devices.filter(waitsForRestart), request.deviceIds, finder);
    if (devices.length === 0)
      throw new FieldwrightError({
        code: 'not-allowed',
        source: 'user',
        message: `Nothing of the job ${id} waits for a restart.`,
      });
    const record: FollowUpRecord = {
      positions: devices.map(({ position }) => position),
      waitSeconds: request.waitSeconds ?? FOLLOW_UP_SECONDS,
    };
    continueJob(
      before,
      { kind: 'follow-up', waiting: [], followUp: record },
      { turns: [], options: {}, followUps: followUpTurns({ devices, record, finder, stored }) },
    );
    return { jobId: id, devices: devices.length };
  };

  function planNow(
    { deviceId, resolved, document }: UnplannedTask,
    signal: AbortSignal,
  ): ReturnType<typeof planDevice> {
    return planDevice(finder.find(deviceId), resolved, document, {
      clients: options.clients,
      devices: finder,
      clock,
      signal,
    });
  }

  const undo: JobsApi['undo'] = (request) => {
    refuseWhileClosing();
    settleDead();
    const id = rows.fullId(request.id);
    if (rows.show(id).state === 'running') throw beingWorkedOn(id);
    const source = stored.read(id);
    const undoOptions = request.options ?? {};
    const turns = undoTurns({
      source,
      devices: chosenDevices(source.devices, request.deviceIds, finder),
      named: request.deviceIds !== undefined,
      stored,
      finder,
      canSeal,
      allowPlainFields: undoOptions.allowPlainFields === true,
    });
    return begin(
      {
        id: newId(),
        kind: 'undo',
        undoOf: id,
        backwards: !source.backwards,
        planId: '',
        template: source.template,
        options: undoOptions,
      },
      turns,
    );
  };

  function remember(jobId: string, secrets: Secrets): void {
    if (Object.keys(secrets).length === 0) return;
    secretsByJob.set(jobId, secrets);
    const [oldest] = secretsByJob.keys();
    if (secretsByJob.size > SECRETS_KEPT && oldest !== undefined) secretsByJob.delete(oldest);
  }

  /** With what happened since the last line in the journal. */
  function asItStands(summary: JobSummary): JobSummary {
    const job = live.get(summary.id);
    if (job === undefined) return summary;
    const { results: _results, runs: _runs, options: _options, ...now } = job.snapshot();
    return now;
  }

  async function* watch(id: string, signal: AbortSignal): AsyncGenerator<JobEvent> {
    settleDead();
    const fullId = rows.fullId(id);
    const job = live.get(fullId);
    if (job !== undefined) {
      yield* job.watch(signal);
      return;
    }
    const stored = rows.show(fullId);
    yield { type: 'job', job: stored };
    if (stored.state !== 'running') yield { type: 'end', job: stored };
  }

  return {
    list() {
      settleDead();
      return rows.list().map(asItStands);
    },
    show(id) {
      settleDead();
      const fullId = rows.fullId(id);
      return live.get(fullId)?.snapshot() ?? rows.show(fullId);
    },
    start,
    watch,
    resume,
    resumePreview(id) {
      settleDead();
      const { results: _results, ...summary } = rows.show(rows.fullId(id));
      const preview = previewResume(summary, stored.read(summary.id), finder);
      return { ...preview, secrets: options.saved.mark(preview.secrets) };
    },
    undo,
    undoPreview(id, deviceIds) {
      settleDead();
      const { results: _results, ...summary } = rows.show(rows.fullId(id));
      const job = stored.read(summary.id);
      return previewUndo(summary, job, chosenDevices(job.devices, deviceIds, finder), { stored, finder });
    },
    cancel(id) {
      const job = live.get(rows.fullId(id));
      if (job === undefined || job.ended) return false;
      job.cancel();
      return true;
    },
    pause: (id) => live.get(rows.fullId(id))?.pause() ?? false,
    unpause: (id) => live.get(rows.fullId(id))?.unpause() ?? false,
    rebootPending(id) {
      settleDead();
      const fullId = rows.fullId(id);
      return followUpDevices(live.get(fullId)?.results ?? rows.show(fullId).results);
    },
    followUp,
    search(query) {
      settleDead();
      const page = history.search(query);
      return { ...page, jobs: page.jobs.map(asItStands) };
    },
    export(request) {
      settleDead();
      return exportText(history.parts(request), { format: request.format, at: clock.now() });
    },
    exportParts(request) {
      settleDead();
      return history.parts(request);
    },
    async close() {
      closing = true;
      await live.close();
      try {
        journal.flush();
      } catch (error) {
        // What is lost with it is settled by reading when the job is resumed.
        options.onFailure?.(error);
      }
      secretsByJob.clear();
      release(self);
    },
  };
}

function newId(): string {
  return `j-${randomBytes(6).toString('hex')}`;
}

function given(secrets: Secrets | undefined): Secrets | undefined {
  return secrets === undefined || Object.keys(secrets).length === 0 ? undefined : secrets;
}

function beingWorkedOn(id: string): FieldwrightError {
  return new FieldwrightError({
    code: 'not-available',
    source: 'user',
    message: `The job ${id} is being worked on right now.`,
    hint: 'Wait for it to end, or stop it where it was started: in the app or in another terminal.',
  });
}
