import { computed } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { useAttempt } from '#renderer/common/errors/attempt.ts';
import { useFollowedJob } from '#renderer/common/jobs/run/follow-job.ts';
import { isAtWork } from '#shared/outcomes.ts';

/** Follows a job on people or fingerprints, and resumes it. */
export function useJobAtWork(id: () => string) {
  const store = useFollowedJob(id);
  const { busy, problem, attempt } = useAttempt();
  /** The model is changed in place, so what is read from it has to depend on the store's ref itself. */
  const shown = computed(() => {
    const { job, summary } = store;
    if (job === undefined || summary === undefined) return undefined;
    return {
      summary,
      isRunning: isAtWork(summary.state),
      devices: [...job.results.values()],
      /** Devices that could not be worked on, by the reason. */
      stopped: job.groups().filter(({ devices: [first] }) => first?.error !== undefined),
    };
  });
  function resume(): Promise<boolean> {
    return attempt(async () => {
      await getApi().jobs.resume({ id: id() });
      store.watch(id());
    });
  }
  return { store, shown, busy, problem, attempt, resume };
}
