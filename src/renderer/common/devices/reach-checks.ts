import { useDocumentVisibility } from '@vueuse/core';
import { onScopeDispose, watch } from 'vue';
import { keepChecked } from './devices.api.ts';

/** Has the devices looked at for as long as somebody can see the window. */
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
