import { useEventListener } from '@vueuse/core';
import { watch } from 'vue';
import { useWork } from '../work/work.store.ts';
import { useJob } from './job.store.ts';

/** The job that a page shows: watched while it is there, and looked at again when somebody comes back to the window. */
export function useFollowedJob(id: () => string): ReturnType<typeof useJob> {
  const store = useJob();
  const work = useWork();
  watch(
    id,
    (shown, _before, onCleanup) => {
      store.watch(shown);
      onCleanup(work.follow(shown));
    },
    { immediate: true },
  );
  useEventListener(window, 'focus', store.lookAgain);
  return store;
}
