import { useResizeObserver } from '@vueuse/core';
import { onBeforeUnmount, type ShallowRef } from 'vue';

const NAME = '--bar-end';
/** A bar that is scrolled to stands anywhere; what lies over a screen is no higher than this for it. */
const MOST = 200;

/** Of a bar at the lower end of a screen: `--bar-end` says how much of the window it takes, so that what lies over screens keeps off its buttons. */
export function useBarEnd(bar: Readonly<ShallowRef<HTMLElement | null>>): void {
  const { style } = document.documentElement;
  useResizeObserver(bar, ([entry]) => {
    const end = entry === undefined ? 0 : innerHeight - entry.target.getBoundingClientRect().top;
    style.setProperty(NAME, `${Math.min(Math.max(end, 0), MOST)}px`);
  });
  onBeforeUnmount(() => style.removeProperty(NAME));
}
