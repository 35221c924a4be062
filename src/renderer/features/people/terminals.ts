import { computed, type ComputedRef } from 'vue';
import type { Device } from '#shared/model.ts';
import { sortDevices } from '#renderer/common/devices/device-list.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';

/** Returns devices that may hold people: access terminals, then those whose kind is not known. */
export function useTerminals(): ComputedRef<readonly Device[]> {
  const devices = useDevices();
  return computed(() =>
    sortDevices(devices.list, { key: 'name', descending: false })
      .filter(({ kinds }) => kinds.length === 0 || kinds.includes('gate'))
      .toSorted((a, b) => Number(a.kinds.length === 0) - Number(b.kinds.length === 0)),
  );
}
