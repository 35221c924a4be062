/** Jobs: plans carried out, journalled, watched. */
import { randomBytes, randomUUID } from 'node:crypto';
import { FieldwrightError } from '../../shared/errors.ts';
import type { ApplyOptions, JobEvent } from '../../shared/model.ts';
import type { Clock, DevicesApi, JobsApi } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import type { JobContext } from './device-turn.ts';
import { planDevice } from './create-plan.ts';
import type { Plans } from './create-plan.ts';
import { applyTurns, continuedTurns, undoTurns } from './job-kinds.ts';
import type { JobTurn, NewTurn } from './job-kinds.ts';
import { previewResume, previewUndo } from './job-previews.ts';
import { createJobRows } from './job-rows.ts';
import { endState } from './job-state.ts';
import { createJournal } from './journal.ts';
import type { NewJob } from './journal.ts';
import { LiveJob } from './live-job.ts';
import { chosenDevices } from './locate-device.ts';
import { isAlive, release, takeOwnership } from './owner.ts';
import { prepareTasks } from './prepare-job.ts';
import type { UnplannedTask } from './resume-plan.ts';
import { runDevices } from './run-job.ts';
import { requireSameSecrets, sealSecretsCheck } from './secrets-check.ts';
import { createStoredJobs } from './stored-job.ts';

export interface JobsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly devices: Pick<DevicesApi, 'find' | 'addTransient' | 'test'>;
  readonly plans: Pick<Plans, 'secretsOf'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Operating system user for the journal. */
  readonly user: string;
  /** Told of an error that ended a job outside of any device. */
  readonly onFailure?: (error: unknown) => void;
}

export interface Jobs extends JobsApi {
  /** Stops running jobs (they stay resumable) and waits for what is under way. */
  close(): Promise<void>;
}

/** Ended jobs stay in memory this long for those who come to watch late; after that the journal answers. */
const ENDED_KEPT = 20;

/** Jobs whose secrets are remembered while this process runs, so that it need not ask twice. */
const SECRETS_KEPT = 20;

type Secrets = Readonly<Record<string, string>>;

export function createJobs(options: JobsOptions): Jobs {
  const { store, clock, vault, devices: finder } = options;
  const self = takeOwnership(randomUUID());
  const journal = createJournal(store, vault);
  const rows = createJobRows(store);
  const stored = createStoredJobs(store, vault);
  const live = new Map<string, LiveJob>();
  const running = new Map<string, Promise<void>>();
  const secretsByJob = new Map<string, Secrets>();
  const canSeal = (): void => { vault.seal('', 'journal'); };
  let closing = false;

  function settleDead(): void {
    rows.markInterrupted(isAlive);
  }
  settleDead();

  function refuseWhileClosing(): void {
    if (closing) throw new FieldwrightError({ code: 'not-available', source: 'app', message: 'Fieldwright is closing.' });
  }

  const start: JobsApi['start'] = (request) => {
    refuseWhileClosing();
    const { plan } = request;
    const applyOptions = request.options ?? {};
    const secrets = given(request.secrets) ?? options.plans.secretsOf(plan.id);
    const prepared = prepareTasks({
      plan, deviceIds: request.deviceIds, find: (reference) => finder.find(reference), allowPlainFields: applyOptions.allowPlainFields === true, secrets, canSeal,
    });
    const id = newId();
    const secretsCheck = sealSecretsCheck(secrets, id, vault);
    remember(id, secrets);
    return begin({
      id, kind: 'apply', backwards: false, planId: plan.id, template: plan.template, options: applyOptions, ...(secretsCheck === undefined ? {} : { secretsCheck }),
    }, applyTurns(prepared));
  };

  /** Journals a new job and starts it. */
  function begin(about: Omit<NewJob, 'createdAt' | 'by' | 'owner' | 'devices'>, turns: readonly NewTurn[]): { readonly jobId: string } {
    const { id, kind, undoOf, template: { name, hash } } = about;
    const head = { id, kind, ...(undoOf === undefined ? {} : { undoOf }), createdAt: clock.now().toISOString(), by: options.user, template: { name, hash } };
    journal.create({ ...about, ...head, template: about.template, owner: self, devices: turns.map(({ device }) => device) });
    const job = new LiveJob(head, turns.map(({ device: { deviceId, name: called, url, state, error, sections } }) => ({ deviceId, name: called, url, state, ...(error === undefined ? {} : { error }), sections })));
    launch(job, turns.flatMap(({ turn }) => turn ?? []), about.options);
    return { jobId: id };
  }

  function launch(job: LiveJob, turns: readonly JobTurn[], applyOptions: ApplyOptions): void {
    live.delete(job.id);
    live.set(job.id, job);
    running.set(job.id, run(job, turns, applyOptions).finally(() => running.delete(job.id)));
  }

  async function run(job: LiveJob, turns: readonly JobTurn[], applyOptions: ApplyOptions): Promise<void> {
    const context: JobContext = { job, journal, clients: options.clients, clock, acceptDrift: applyOptions.acceptDrift === true, signal: new AbortController().signal };
    try {
      await runDevices(turns, applyOptions, { turn: (turn) => turn(context), cancelled: () => job.cancelled });
    } catch (error) {
      options.onFailure?.(error);
    }
    const state = endState(job.results, { cancelled: job.cancelled && !closing, closing });
    const endedAt = clock.now().toISOString();
    try {
      journal.end({ id: job.id, state, endedAt, results: job.results });
    } catch (error) {
      options.onFailure?.(error);
    }
    if (state === 'done') secretsByJob.delete(job.id);
    job.end(state, endedAt);
    forgetOld();
  }

  const resume: JobsApi['resume'] = (request) => {
    refuseWhileClosing();
    settleDead();
    const id = rows.fullId(request.id);
    const before = rows.show(id);
    if (before.state === 'running') throw beingWorkedOn(id);
    if (!before.resumable) return { jobId: id, resumed: false };

    const job = stored.read(id);
    const secrets = given(request.secrets) ?? secretsByJob.get(id) ?? {};
    requireSameSecrets(secrets, job.secretsCheck, id, vault);
    // A confirmation counts for what the person saw then, so drift is never accepted by an old one.
    const { acceptDrift: _once, ...kept } = job.options;
    const runOptions = { ...kept, ...request.options };
    const turns = continuedTurns({ job, secrets, finder, stored, planNow, canSeal, allowPlainFields: runOptions.allowPlainFields === true });
    if (!journal.claim(id, { owner: self, options: runOptions, waiting: turns.map(({ position }) => position) })) throw beingWorkedOn(id);
    remember(id, secrets);

    const { results, state: _state, endedAt: _ended, devices: _count, counts: _counts, resumable: _resumable, ...head } = before;
    const waiting = new Set(turns.map(({ position }) => position));
    launch(new LiveJob(head, results.map((result, position) => {
      const { error: _error, ...rest } = result;
      return waiting.has(position) ? { ...rest, state: 'pending' } : result;
    })), turns.map(({ turn }) => turn), runOptions);
    return { jobId: id, resumed: true };
  };

  function planNow({ deviceId, resolved, document }: UnplannedTask): ReturnType<typeof planDevice> {
    return planDevice(finder.find(deviceId), resolved, document, { clients: options.clients, devices: finder, clock, signal: new AbortController().signal });
  }

  const undo: JobsApi['undo'] = (request) => {
    refuseWhileClosing();
    settleDead();
    const id = rows.fullId(request.id);
    if (rows.show(id).state === 'running') throw beingWorkedOn(id);
    const source = stored.read(id);
    const undoOptions = request.options ?? {};
    const turns = undoTurns({
      source, devices: chosenDevices(source.devices, request.deviceIds, finder), stored, finder, canSeal, allowPlainFields: undoOptions.allowPlainFields === true,
    });
    return begin({ id: newId(), kind: 'undo', undoOf: id, backwards: !source.backwards, planId: '', template: source.template, options: undoOptions }, turns);
  };

  function remember(jobId: string, secrets: Secrets): void {
    if (Object.keys(secrets).length === 0) return;
    secretsByJob.set(jobId, secrets);
    const [oldest] = secretsByJob.keys();
    if (secretsByJob.size > SECRETS_KEPT && oldest !== undefined) secretsByJob.delete(oldest);
  }

  function forgetOld(): void {
    const ended = [...live.values()].filter((job) => job.ended);
    for (const job of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) live.delete(job.id);
  }

  async function* watch(id: string, signal: AbortSignal): AsyncGenerator<JobEvent> {
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
      return rows.list().map((summary) => {
        const job = live.get(summary.id);
        if (job === undefined) return summary;
        const { results: _results, ...now } = job.snapshot();
        return now;
      });
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
      return previewResume(summary, stored.read(summary.id), finder);
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
      job.cancelled = true;
      return true;
    },
    async close() {
      closing = true;
      for (const job of live.values()) if (!job.ended) job.cancelled = true;
      await Promise.allSettled(running.values());
      journal.flush();
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
    code: 'not-available', source: 'user', message: `The job ${id} is being worked on right now.`,
    hint: 'Wait for it to end, or stop it where it was started: in the app or in another terminal.',
  });
}
