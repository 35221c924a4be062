import { defineStore } from 'pinia';
import { computed, ref, shallowRef, triggerRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { JobEvent, JobState } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { createBatch } from '#renderer/client/batch.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import { watchJob } from '../jobs.api.ts';
import { JobModel, listJobSteps, type JobStep } from './job-model.ts';

/** Maximum number of steps between two redraws: they take well below the 50 ms that a person would notice. */
const MOST_STEPS = 150;

/** Milliseconds between two reads of a job on which another program works. */
const ELSEWHERE_MS = 2000;

export const useJob = defineStore('job', () => {
  const id = ref<string>();
  const job = shallowRef<JobModel>();
  const { problem, fail, attempt } = useProblem();
  const cancelling = ref(false);
  let stop: (() => void) | undefined;
  let current: symbol | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  /** Summary of the job; undefined until it was received in whole. */
  const summary = computed(() => (job.value?.isComplete === true ? job.value.summary : undefined));
  const isRunning = computed(() => summary.value !== undefined && isAtWork(summary.value.state));
  const isPaused = computed(() => isRunning.value && summary.value?.paused === true);

  function take(step: JobStep): void {
    if (step.type === 'job' && job.value?.summary.id !== step.job.id) job.value = new JobModel(step.job);
    if (job.value === undefined) return;
    job.value.apply(step);
  }
  /** A watch of its own: what one that was given up still had to tell is passed over. */
  function receiver(isCurrent: () => boolean): (event: JobEvent) => void {
    const batch = createBatch<JobStep>(
      (steps) => {
        if (!isCurrent()) return;
        steps.forEach(take);
        triggerRef(job);
      },
      { waitMs: 40, most: MOST_STEPS },
    );
    let reported: JobState | undefined;
    return (event) => {
      // An ended job is reported twice, as its state and as its end: one of them is enough.
      if (event.type === 'end' && reported === event.job.state) return;
      if (event.type === 'job') reported = event.job.state;
      listJobSteps(event).forEach(batch.push);
    };
  }

  /**
   * Watches another job, or the same one again: it may have continued, and its earlier end must not show
   * meanwhile.
   */
  function watch(jobId: string): void {
    if (id.value === jobId && stop !== undefined) return;
    leave();
    id.value = jobId;
    follow(jobId);
  }

  function follow(jobId: string): void {
    clearTimeout(again);
    const watching = Symbol(jobId);
    current = watching;
    const receive = receiver(() => current === watching);
    let reported: JobState | undefined;
    stop = watchJob(
      jobId,
      (event) => {
        if (event.type === 'job' || event.type === 'end') reported = event.job.state;
        receive(event);
      },
      {
        onError: (error) => {
          fail(error);
          stop = undefined;
        },
        onEnd: () => {
          stop = undefined;
          cancelling.value = false;
          // Another program runs the job, and only the journal reports it.
          if (reported !== undefined && isAtWork(reported))
            again = setTimeout(() => {
              follow(jobId);
            }, ELSEWHERE_MS);
        },
      },
    );
  }

  /** An ended job may have been resumed, from another window or the command line. */
  function lookAgain(): void {
    if (id.value === undefined || stop !== undefined || isRunning.value) return;
    follow(id.value);
  }

  /** The job itself goes on; only this window stops looking. */
  function leave(): void {
    clearTimeout(again);
    stop?.();
    stop = undefined;
    current = undefined;
    id.value = undefined;
    job.value = undefined;
    problem.value = undefined;
    cancelling.value = false;
  }

  async function ask(action: (jobId: string) => Promise<unknown>): Promise<void> {
    const { value: jobId } = id;
    if (jobId === undefined) return;
    await attempt(() => action(jobId));
    if (problem.value !== undefined) cancelling.value = false;
  }
  function cancel(): Promise<void> {
    cancelling.value = true;
    return ask((id) => getApi().jobs.cancel({ id }));
  }
  const pause = (): Promise<void> => ask((id) => getApi().jobs.pause({ id }));
  const unpause = (): Promise<void> => ask((id) => getApi().jobs.unpause({ id }));

  /** Goes on under the same id: it is watched anew. */
  function followUp(deviceIds: readonly string[], waitSeconds: number): Promise<void> {
    return ask(async (jobId) => {
      await getApi().jobs.followUp({ id: jobId, deviceIds, waitSeconds });
      leave();
      watch(jobId);
    });
  }

  return {
    id,
    job,
    summary,
    isRunning,
    isPaused,
    problem,
    cancelling,
    watch,
    lookAgain,
    leave,
    cancel,
    pause,
    unpause,
    followUp,
  };
});
