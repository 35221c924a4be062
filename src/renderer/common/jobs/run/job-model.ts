import type { DeviceResult, Job, JobEvent, JobSummary } from '#shared/model.ts';
import { ATTENTION, isAtWork, getShownOutcome, type ShownOutcome } from '#shared/outcomes.ts';
import { groupOf, sortByAttention, buildResultKey, type ResultGroup } from '../results/result-groups.ts';

export type Phase = Extract<JobEvent, { type: 'phase' }>['phase'];
export interface DevicePhase {
  readonly index: number;
  readonly phase: Phase;
}

/** Change that is made to a model at a time; a whole job is many of them, so that no step takes long. */
export type JobStep =
  | { readonly type: 'job'; readonly job: Job }
  | { readonly type: 'settled'; readonly summary: Job }
  | Exclude<JobEvent, { type: 'job' } | { type: 'end' }>;

/** Splits an event into steps: a whole job becomes one step per device, with its own summary last. */
export function listJobSteps(event: JobEvent): readonly JobStep[] {
  if (event.type !== 'job' && event.type !== 'end') return [event];
  const { job } = event;
  return [
    { type: 'job', job },
    ...job.results.map((device): JobStep => ({
      type: 'device',
      jobId: job.id,
      device,
      done: 0,
      total: job.results.length,
    })),
    { type: 'settled', summary: job },
  ];
}

function isThrough({ state }: DeviceResult): boolean {
  return state === 'done' || state === 'failed';
}

/**
 * A job as it goes. It is changed in place, and what is shown of it (how many are through, outcomes,
 * groups) is kept up to date by each step for the device that the step is about: no step looks at
 * all devices.
 */
export class JobModel {
  summary: JobSummary & Pick<Job, 'runs' | 'options'>;
  readonly results = new Map<string, DeviceResult>();
  readonly phases = new Map<string, DevicePhase>();
  /** Devices that have a turn, and those of them that are through. */
  taking = 0;
  finished = 0;
  /** False until every device was reported once. */
  isComplete = false;
  readonly #counts = new Map<ShownOutcome, number>();
  readonly #groups = new Map<string, Map<string, DeviceResult>>();
  readonly #keys = new Map<string, string>();
  readonly #shown = new Map<string, ResultGroup>();

  constructor(job: Job) {
    this.summary = summaryOf(job);
  }

  /** Steps of another job are passed over. */
  apply(step: JobStep): void {
    switch (step.type) {
      case 'job':
        this.phases.clear();
        return;
      case 'settled':
        this.summary = summaryOf(step.summary);
        this.isComplete = true;
        this.phases.clear();
        return;
      case 'confirm':
        if (step.jobId === this.summary.id) this.summary = { ...this.summary, confirmUntil: step.until };
        return;
      case 'paused':
        if (step.jobId === this.summary.id)
          this.summary = {
            ...this.summary,
            paused: step.paused,
            pausedBy: step.paused ? step.reason : undefined,
          };
        return;
      case 'device':
        if (step.jobId !== this.summary.id) return;
        this.#set(step.device);
        if (step.device.state !== 'running') this.phases.delete(step.device.deviceId);
        return;
      case 'phase': {
        if (step.jobId !== this.summary.id) return;
        this.phases.set(step.deviceId, { index: step.index, phase: step.phase });
        const result = this.results.get(step.deviceId);
        if (result?.state === 'pending') this.#set({ ...result, state: 'running' });
        return;
      }
      case 'unit': {
        const result = step.jobId === this.summary.id ? this.results.get(step.deviceId) : undefined;
        if (result === undefined) return;
        const isKnown = result.units.some(({ index }) => index === step.result.index);
        const units = isKnown
          ? result.units.map((known) => (known.index === step.result.index ? step.result : known))
          : [...result.units, step.result];
        this.#set({ ...result, state: result.state === 'pending' ? 'running' : result.state, units });
      }
    }
  }

  /** How many units ended how, in the order of attention. */
  counts(): readonly (readonly [ShownOutcome, number])[] {
    return ATTENTION.filter((outcome) => (this.#counts.get(outcome) ?? 0) > 0).map(
      (outcome) => [outcome, this.#counts.get(outcome) ?? 0] as const,
    );
  }

  /** Devices that are through by identical outcome, those that want attention first; after the end all of them. */
  groups(): readonly ResultGroup[] {
    for (const [key, devices] of this.#groups)
      if (!this.#shown.has(key))
        this.#shown.set(key, groupOf({ kind: this.summary.kind }, key, [...devices.values()]));
    const isRunning = isAtWork(this.summary.state);
    return sortByAttention(
      [...this.#shown.values()].filter(({ devices }) => !isRunning || devices.some(isThrough)),
    );
  }

  #set(result: DeviceResult): void {
    const before = this.results.get(result.deviceId);
    if (before === result) return;
    if (before !== undefined) {
      this.#count(before, -1);
    }
    this.results.set(result.deviceId, result);
    this.#count(result, 1);
    this.#regroup(result);
  }

  #count(result: DeviceResult, by: 1 | -1): void {
    for (const unit of result.units) {
      const outcome = getShownOutcome(unit);
      this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + by);
    }
    if (result.idle === true) return;
    this.taking += by;
    if (isThrough(result)) this.finished += by;
  }

  /** A device under way has no group: it would wander from one to the next with every unit. */
  #regroup(result: DeviceResult): void {
    const before = this.#keys.get(result.deviceId);
    const key = result.state === 'running' ? undefined : buildResultKey(this.summary, result);
    if (before !== undefined) {
      const group = this.#groups.get(before);
      group?.delete(result.deviceId);
      if (group?.size === 0) this.#groups.delete(before);
      this.#shown.delete(before);
      this.#keys.delete(result.deviceId);
    }
    if (key === undefined) return;
    const group = this.#groups.get(key) ?? new Map<string, DeviceResult>();
    group.set(result.deviceId, result);
    this.#groups.set(key, group);
    this.#shown.delete(key);
    this.#keys.set(result.deviceId, key);
  }
}

function summaryOf(job: Job): JobModel['summary'] {
  const { results: _results, ...summary } = job;
  return summary;
}
