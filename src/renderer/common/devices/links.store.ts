import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { LostLink } from '#shared/model.ts';
import { useDevices } from './devices.store.ts';
import { watchLinks } from './devices.api.ts';

/** Networks of this computer that are gone, and the devices that cannot be looked at for it. */
export const useLinks = defineStore('links', () => {
  const devices = useDevices();
  const lost = shallowRef<readonly LostLink[]>([]);
  const cut = computed<ReadonlySet<string>>(() => new Set(lost.value.flatMap(({ deviceIds }) => deviceIds)));
  /** True while no device of the inventory can be reached: all work waits. */
  const isAllCut = computed(() => cut.value.size > 0 && devices.list.every(({ id }) => cut.value.has(id)));
  let end: (() => void) | undefined;

  /** Starts once for the life of the window. */
  function start(): void {
    end ??= watchLinks(
      (now) => {
        lost.value = now;
      },
      { onError: () => (end = undefined) },
    );
  }
  return { lost, cut, isAllCut, start };
});
