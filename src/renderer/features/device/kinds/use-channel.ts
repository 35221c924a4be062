import { computed, onMounted, ref, watch } from 'vue';
import { getFirstChannel } from '../pages/params.ts';
import { useWorkspace } from '../workspace/workspace.store.ts';

/** Channel that a part shows: the first one until another is chosen; `load` reads the part for it. */
export function useChannel(load: (channel: number) => void) {
  const workspace = useWorkspace();
  const chosen = ref<number>();
  const channel = computed({
    get: () => chosen.value ?? getFirstChannel(workspace.capabilities),
    set: (value) => (chosen.value = value),
  });
  const query = computed(() => ({ channelID: String(channel.value) }));
  const reload = (): void => load(channel.value);
  onMounted(reload);
  watch(channel, reload);
  return { channel, query, reload };
}
