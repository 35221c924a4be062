import { useResizeObserver } from '@vueuse/core';
import { nextTick, shallowRef, watch, type Ref } from 'vue';

/**
 * How many of the first `count()` actions of a wrapping row stay beside each other in one line; the
 * others belong behind a button. `contents` names what changes the width of the row.
 */
export function useFitting(
  row: Readonly<Ref<HTMLElement | null>>,
  count: () => number,
  contents: () => readonly unknown[],
): Readonly<Ref<number>> {
  const shown = shallowRef(count());
  let width = 0;
  let turn = 0;

  /** Tries the whole row first. All of it happens before the next redraw. */
  async function fit(): Promise<void> {
    const mine = (turn += 1);
    shown.value = count();
    await nextTick();
    while (mine === turn && shown.value > 0 && row.value !== null && wraps(row.value)) {
      // The button needs room too: the last action alone is never put behind it.
      shown.value -= shown.value === count() ? 2 : 1;
      await nextTick();
    }
  }
  useResizeObserver(row, ([entry]) => {
    if (entry === undefined || entry.contentRect.width === width) return;
    width = entry.contentRect.width;
    void fit();
  });
  watch([count, contents], fit, { flush: 'post' });
  return shown;
}

function wraps(row: HTMLElement): boolean {
  const [first, ...rest] = [...row.children]
    .map((child) => child.getBoundingClientRect())
    .filter(({ height }) => height > 0);
  return first !== undefined && rest.some(({ top }) => top >= first.bottom);
}
