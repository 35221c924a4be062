import { useResizeObserver } from '@vueuse/core';
import { onBeforeUnmount, type ShallowRef } from 'vue';

const NAME = '--bar-end';
/** Height of `--bar-end` at most: a bar that is scrolled to may be anywhere. */
const MOST = 280;

/**
 * Publishes the height of a bar at the lower end of a screen as `--bar-end`, so that overlays keep off its
 * buttons.
 */
export function useBarEnd(bar: Readonly<ShallowRef<HTMLElement | null>>): void {
  const { style } = document.documentElement;
  useResizeObserver(bar, ([entry]) => {
    // A bar that was taken off the page, and is kept for later, has no height.
    const isThere = entry !== undefined && entry.contentRect.height > 0;
    const end = isThere ? innerHeight - entry.target.getBoundingClientRect().top : 0;
    style.setProperty(NAME, `${Math.min(Math.max(end, 0), MOST)}px`);
  });
  onBeforeUnmount(() => style.removeProperty(NAME));
}
