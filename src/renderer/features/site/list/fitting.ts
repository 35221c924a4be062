import { useResizeObserver } from '@vueuse/core';
import { nextTick, shallowRef, watch, type Ref } from 'vue';

/** Room in px for the button with what does not fit. */
const MORE = 110;

/**
 * How many of the first `count()` actions of a wrapping row stay beside each other in one line; the
 * others belong behind a button. `contents` changes with the width of the row; an action is a child with
 * `data-action`.
 */
export function useFitting(
  row: Readonly<Ref<HTMLElement | null>>,
  count: () => number,
  contents: Readonly<Ref<string>>,
): Readonly<Ref<number>> {
  const shown = shallowRef(count());
  let width = 0;

  /** Measures the whole row once. All of it happens before the next redraw. */
  async function fit(): Promise<void> {
    shown.value = count();
    await nextTick();
    if (row.value !== null) shown.value = countFitting(row.value);
  }
  useResizeObserver(row, ([entry]) => {
    if (entry === undefined || entry.contentRect.width === width) return;
    width = entry.contentRect.width;
    void fit();
  });
  watch([count, contents], fit, { flush: 'post' });
  return shown;
}

function countFitting(row: HTMLElement): number {
  const children = [...row.children] as HTMLElement[];
  const gap = Number.parseFloat(getComputedStyle(row).columnGap) || 0;
  const widths = children.map(({ offsetWidth }) => offsetWidth + gap);
  const actions = widths.filter((_width, at) => children[at]?.dataset['action'] !== undefined);
  const { paddingLeft, paddingRight } = getComputedStyle(row);
  let room = row.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) + gap;
  for (const width of widths) room -= width;
  let fitting = actions.length;
  if (room < 0) room -= MORE;
  while (room < 0 && fitting > 0) room += actions[(fitting -= 1)] ?? 0;
  return fitting;
}
