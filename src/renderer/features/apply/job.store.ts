import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { JobEvent, JobSummary } from '../../../shared/model.ts';
import { createBatch } from '../../composables/batch.ts';
import { errorOf } from '../../composables/error-of.ts';
import { cancelJob, listJobs, watchJob } from './apply.api.ts';
import { applyJobEvents, type LiveJob } from './job-events.ts';

/** The job that is being looked at, live, and the history. */
export const useJob = defineStore('job', () => {
  const id = ref<string>();
  const job = shallowRef<LiveJob>();
  const problem = shallowRef<ErrorShape>();
  const cancelling = ref(false);
  const history = shallowRef<readonly JobSummary[]>();
  const historyProblem = shallowRef<ErrorShape>();
  let stop: (() => void) | undefined;

  const results = computed(() => (job.value === undefined ? [] : [...job.value.results.values()]));
  const isRunning = computed(() => job.value?.summary.state === 'running');
  const batch = createBatch((events: readonly JobEvent[]) => (job.value = applyJobEvents(job.value, events)));

  /** Looks at another job, or again at the same one. */
  function watch(jobId: string): void {
    if (id.value === jobId && (stop !== undefined || job.value !== undefined)) return;
    leave();
    id.value = jobId;
    stop = watchJob(jobId, (event) => {
      batch.push(event);
      if (event.type === 'job' || event.type === 'end') batch.flush();
    }, {
      onError: (error) => {
        problem.value = errorOf(error);
        stop = undefined;
      },
      onEnd: () => {
        batch.flush();
        stop = undefined;
        cancelling.value = false;
      },
    });
  }

  /** The job itself goes on; only this window stops looking. */
  function leave(): void {
    stop?.();
    stop = undefined;
    batch.flush();
    id.value = undefined;
    job.value = undefined;
    problem.value = undefined;
    cancelling.value = false;
  }

  async function cancel(): Promise<void> {
    if (id.value === undefined) return;
    cancelling.value = true;
    try {
      await cancelJob(id.value);
    } catch (thrown) {
      problem.value = errorOf(thrown);
      cancelling.value = false;
    }
  }

  async function loadHistory(): Promise<void> {
    historyProblem.value = undefined;
    try {
      history.value = await listJobs();
    } catch (thrown) {
      historyProblem.value = errorOf(thrown);
    }
  }

  return { id, job, results, isRunning, problem, cancelling, history, historyProblem, watch, leave, cancel, loadHistory };
});
