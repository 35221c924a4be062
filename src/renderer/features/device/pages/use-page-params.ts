import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { getFirstChannel, buildRawParams, readParams, type RawParams } from './params.ts';
import type { DevicePage } from '../workspace/pages.ts';
import { useWorkspace } from '../workspace/workspace.store.ts';

/** The parameters of a page live in its address: what is chosen can be linked to. */
export function usePageParams(page: DevicePage) {
  const route = useRoute();
  const router = useRouter();
  const workspace = useWorkspace();
  const raw = computed(() =>
    buildRawParams(page.operation, route.query, getFirstChannel(workspace.capabilities)),
  );
  const read = computed(() => readParams(page.operation, raw.value));
  const target = computed(() =>
    typeof route.query['field'] === 'string' ? route.query['field'] : undefined,
  );
  function choose(params: RawParams): void {
    void router.push({ path: route.path, query: { ...params } });
  }
  return { raw, read, target, choose };
}
