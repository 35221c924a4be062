import { computed, type ComputedRef } from 'vue';
import type { Device } from '../../../shared/model.ts';
import { sortDevices } from '../../common/devices/device-list.ts';
import { useDevices } from '../../common/devices/devices.store.ts';

/** Devices that may hold people: access terminals, and those of which nobody knows yet what they are. */
export function useTerminals(): ComputedRef<readonly Device[]> {
  const devices = useDevices();
  return computed(() =>
    sortDevices(devices.list, { key: 'name', descending: false }).filter(
      ({ kinds }) => kinds.length === 0 || kinds.includes('gate'),
    ),
  );
}
