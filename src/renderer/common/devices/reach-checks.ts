import { useDocumentVisibility } from '@vueuse/core';
import { onScopeDispose, watch } from 'vue';
import { keepChecked } from './devices.api.ts';

/** Checks whether devices can be reached while the window is visible. */
export function useReachChecks(): void {
  const visibility = useDocumentVisibility();
  let end: (() => void) | undefined;
  function stop(): void {
    end?.();
    end = undefined;
  }
  watch(
    visibility,
    (seen) => {
      stop();
      if (seen === 'visible') end = keepChecked({});
    },
    { immediate: true },
  );
  onScopeDispose(stop);
}
