/** The last change of the devices in sight, asked for as their rows come into it. */
import { computed, shallowRef, watch } from 'vue';
import type { LastChange } from '#shared/history.ts';
import { createBatch } from '#renderer/client/batch.ts';
import { getApi } from '#renderer/client/use-client.ts';
import { useWork } from '#renderer/common/jobs/work/work.store.ts';

/** Devices that one question names at most. */
const MOST = 100;

/** Returns the last change of a device; undefined until it is known, and for one that nothing ever changed. */
export function useLastChanges(): (deviceId: string) => LastChange | undefined {
  const work = useWork();
  const known = shallowRef<ReadonlyMap<string, LastChange | undefined>>(new Map());
  const asked = new Set<string>();
  const batch = createBatch<string>((ids) => void ask(ids), { most: MOST });

  async function ask(deviceIds: readonly string[]): Promise<void> {
    const found = await getApi()
      .jobs.lastChanges({ deviceIds })
      .catch(() => []);
    const next = new Map(known.value);
    for (const id of deviceIds) next.set(id, undefined);
    for (const change of found) next.set(change.deviceId, change);
    known.value = next;
  }

  // A job that ended may have changed any of them; until the answer the rows keep their words.
  const ends = computed(() => work.ended.map(({ id, endedAt = '' }) => id + endedAt).join());
  watch(ends, () => {
    asked.clear();
    known.value = new Map(known.value);
  });

  return (deviceId) => {
    if (!asked.has(deviceId)) {
      asked.add(deviceId);
      batch.push(deviceId);
    }
    return known.value.get(deviceId);
  };
}
