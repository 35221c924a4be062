import { useEventListener } from '@vueuse/core';
import { shallowRef } from 'vue';
import { onBeforeRouteLeave } from 'vue-router';

/** Asks before unsaved work is left: by a question on the way to another screen, by the browser's own where the window is closed. */
export function useLeaving({ isUnsaved, onGivenUp }: { readonly isUnsaved: () => boolean; readonly onGivenUp: () => void }) {
  /** The question that is open. */
  const leaving = shallowRef<(leave: boolean) => void>();
  let left = false;

  onBeforeRouteLeave(() => {
    if (isUnsaved()) return new Promise<boolean>((resolve) => { leaving.value = resolve; });
    left = true;
    return true;
  });
  function answer(leave: boolean): void {
    if (leave) {
      left = true;
      onGivenUp();
    }
    leaving.value?.(leave);
    leaving.value = undefined;
  }
  useEventListener('beforeunload', (event) => {
    if (isUnsaved()) event.preventDefault();
  });

  return { leaving, answer, isLeft: () => left };
}
