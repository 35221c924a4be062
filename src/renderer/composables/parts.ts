import { computed, ref } from 'vue';

/** A long list that is drawn `part` at a time: what is shown, how many are left, and `more` of them. */
export function useParts<Item>(all: () => readonly Item[], part: number) {
  const most = ref(part);
  const shown = computed(() => all().slice(0, most.value));
  const left = computed(() => Math.max(0, all().length - most.value));
  function more(): void {
    most.value += part;
  }
  return { shown, left, more };
}
