/**
 * Choice on the Site screen: devices, which all screens share, and found ones, which only this screen knows.
 */
import { computed, shallowRef } from 'vue';
import type { Sighting } from '#shared/discovery.ts';
import type { useDevices } from '#renderer/common/devices/devices.store.ts';
import { buildFoundKey, readKeyIdentity } from './site-rows.ts';

export function createChosen(
  devices: ReturnType<typeof useDevices>,
  sightings: ReadonlyMap<string, Sighting>,
  isFound: (identity: string) => boolean,
) {
  const found = shallowRef<ReadonlySet<string>>(new Set());
  const keys = computed<ReadonlySet<string>>(() =>
    found.value.size === 0
      ? devices.chosen
      : new Set([...devices.chosen, ...[...found.value].map(buildFoundKey)]),
  );
  const seen = computed(() => [...found.value].flatMap((identity) => sightings.get(identity) ?? []));

  function setFound(identities: readonly string[], on: boolean): void {
    const next = new Set(found.value);
    for (const identity of identities) {
      if (on) next.add(identity);
      else next.delete(identity);
    }
    found.value = next;
  }

  /** Keys of rows: ids of devices, and found ones. */
  function set(rows: readonly string[], on: boolean): void {
    const identities = rows.flatMap((key) => readKeyIdentity(key) ?? []);
    if (identities.length > 0) setFound(identities, on);
    if (identities.length < rows.length)
      devices.setChosen(
        rows.filter((key) => readKeyIdentity(key) === undefined),
        on,
      );
  }

  function clear(): void {
    devices.choose([]);
    found.value = new Set();
  }

  /** Found devices that can be added: neither web services nor what lies outside of the networks. */
  function addAllFound(): void {
    setFound(
      [...sightings.values()]
        .filter(
          ({ identity, recognised, outside }) =>
            isFound(identity) && recognised !== 'web' && outside !== true,
        )
        .map(({ identity }) => identity),
      true,
    );
  }

  function sift(): void {
    const gone = [...found.value].filter((identity) => !isFound(identity));
    if (gone.length > 0) setFound(gone, false);
  }

  return { found, keys, seen, set, clear, addAllFound, sift };
}
