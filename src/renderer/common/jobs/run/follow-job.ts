import { useEventListener } from '@vueuse/core';
import { watch } from 'vue';
import { useWork } from '../work/work.store.ts';
import { useJob } from './job.store.ts';

/**
 * Follows the job that a page shows while it is shown, and looks again when the person returns to the window.
 */
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
