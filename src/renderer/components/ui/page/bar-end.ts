import { useResizeObserver } from '@vueuse/core';
import { onBeforeUnmount, shallowRef, type ShallowRef } from 'vue';

/** Height of the bar at most: one that is scrolled to may be anywhere. */
const MOST = 280;

/** Height in px of the bar at the lower end of the screen; undefined without one. Overlays keep off its buttons. */
export const barEnd = shallowRef<number>();

/** Publishes the height of a bar at the lower end of a screen as `barEnd`. */
export function useBarEnd(bar: Readonly<ShallowRef<HTMLElement | null>>): void {
  useResizeObserver(bar, ([entry]) => {
    // A bar that was taken off the page, and is kept for later, has no height.
    barEnd.value =
      entry === undefined || entry.contentRect.height === 0
        ? undefined
        : Math.min(Math.max(innerHeight - entry.target.getBoundingClientRect().top, 0), MOST);
  });
  onBeforeUnmount(() => {
    barEnd.value = undefined;
  });
}
