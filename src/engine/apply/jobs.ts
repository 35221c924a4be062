/** Jobs: plans carried out, journalled, watched. */
import { randomBytes, randomUUID } from 'node:crypto';
import { FieldwrightError } from '../../shared/errors.ts';
import type { DeviceResult, JobEvent } from '../../shared/model.ts';
import type { Clock, DevicesApi, JobsApi } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import type { ApplyContext } from './apply-device.ts';
import type { Plans } from './create-plan.ts';
import { createJobRows } from './job-rows.ts';
import { endState } from './job-state.ts';
import { createJournal } from './journal.ts';
import { LiveJob } from './live-job.ts';
import { isAlive } from './owner.ts';
import { prepareTasks } from './prepare-job.ts';
import type { PreparedDevice } from './prepare-job.ts';
import { runDevices } from './run-job.ts';

export interface JobsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly plans: Pick<Plans, 'secretsOf'>;
  readonly vault: Pick<Vault, 'seal'>;
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

export function createJobs(options: JobsOptions): Jobs {
  const { store, clock } = options;
  const self = { process: process.pid, engine: randomUUID() };
  const journal = createJournal(store, options.vault);
  const rows = createJobRows(store);
  const live = new Map<string, LiveJob>();
  const running = new Map<string, Promise<void>>();
  let closing = false;

  function settleDead(): void {
    rows.markInterrupted((owner) => isAlive(owner, self));
  }
  settleDead();

  function start(request: Parameters<JobsApi['start']>[0]): { readonly jobId: string } {
    if (closing) throw new FieldwrightError({ code: 'not-available', source: 'app', message: 'Fieldwright is closing.' });
    const { plan } = request;
    const applyOptions = request.options ?? {};
    const prepared = prepareTasks({
      plan, deviceIds: request.deviceIds, find: (reference) => options.devices.find(reference), allowPlainFields: applyOptions.allowPlainFields === true,
      secrets: request.secrets !== undefined && Object.keys(request.secrets).length > 0 ? request.secrets : options.plans.secretsOf(plan.id),
      canSeal: () => { options.vault.seal('', 'journal'); },
    });

    const createdAt = clock.now().toISOString();
    const head = { id: `j-${randomBytes(6).toString('hex')}`, kind: 'apply' as const, createdAt, by: options.user, template: { name: plan.template.name, hash: plan.template.hash } };
    const results = prepared.map(toResult);
    journal.create({
      ...head, owner: self, planId: plan.id, template: plan.template, options: applyOptions,
      devices: results.map((result, position) => ({ ...result, values: prepared[position]?.planned.values ?? {}, planned: (prepared[position]?.planned.sections ?? []).map((section) => section.changes) })),
    });

    const job = new LiveJob(head, results);
    live.set(job.id, job);
    running.set(job.id, run(job, prepared, applyOptions).finally(() => running.delete(job.id)));
    return { jobId: job.id };
  }

  async function run(job: LiveJob, prepared: readonly PreparedDevice[], applyOptions: NonNullable<Parameters<JobsApi['start']>[0]['options']>): Promise<void> {
    const context: ApplyContext = { job, journal, clients: options.clients, clock, acceptDrift: applyOptions.acceptDrift === true, signal: new AbortController().signal };
    try {
      await runDevices(prepared.flatMap(({ task }) => task ?? []), applyOptions, context);
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
    job.end(state, endedAt);
    forgetOld();
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
    },
  };
}

/** A device before its turn; one that could not be planned has its result already. */
function toResult({ planned, deviceId, name, url, task }: PreparedDevice): DeviceResult {
  return {
    deviceId, name, url, state: task === undefined ? 'failed' : 'pending', ...(planned.error === undefined ? {} : { error: planned.error }),
    sections: planned.sections.map(({ index, set, label, params, changes }) => ({ index, set, label, params, outcome: 'pending', changes })),
  };
}

