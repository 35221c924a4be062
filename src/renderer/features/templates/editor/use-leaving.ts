import { useEventListener } from '@vueuse/core';
import { shallowRef } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';

/**
 * Asks before unsaved work is abandoned: with a question on the way to another screen or template, with that
 * of the browser if the window is closed.
 */
export function useLeaving({
  isUnsaved,
  isOpen,
  onGivenUp,
}: {
  readonly isUnsaved: () => boolean;
  readonly isOpen: (id: unknown) => boolean;
  readonly onGivenUp: () => void;
}) {
  /** The question that is open. */
  const leaving = shallowRef<(leave: boolean) => void>();
  let left = false;

  function ask(): Promise<boolean> {
    return new Promise((resolve) => {
      leaving.value = resolve;
    });
  }
  onBeforeRouteLeave(async () => {
    left = !isUnsaved() || (await ask());
    return left;
  });
  // Moving to the address of a newly saved template is no leaving.
  onBeforeRouteUpdate(({ params }) => (isUnsaved() && !isOpen(params['id']) ? ask() : true));
  function answer(leave: boolean): void {
    if (leave) onGivenUp();
    leaving.value?.(leave);
    leaving.value = undefined;
  }
  useEventListener('beforeunload', (event) => {
    if (isUnsaved()) event.preventDefault();
  });

  return { leaving, answer, isLeft: () => left };
}
