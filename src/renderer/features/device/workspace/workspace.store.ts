import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { DeviceCapabilities } from '#shared/model.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { useReading } from '#renderer/common/errors/attempt.ts';
import { listAreas } from './presence.ts';

/** The device that is looked at, and what it can: read once when its workspace opens, again on request. */
export const useWorkspace = defineStore('workspace', () => {
  const devices = useDevices();
  const deviceId = ref('');
  const capabilities = shallowRef<DeviceCapabilities>();
  const { reading, problem, read, stop } = useReading();

  const device = computed(() => devices.byId.get(deviceId.value));
  const areas = computed(() => listAreas(device.value ?? { kinds: [] }, capabilities.value));

  /** Forms wait for limits, so that no control changes under the fingers; where they cannot be read the specification's hold. */
  const limitsKnown = computed(() => capabilities.value !== undefined || problem.value !== undefined);

  /** A later error, for instance from a dialog, replaces that of the reading; a device that answers again is read again. */
  watch(
    () => JSON.stringify(device.value?.lastError),
    () => {
      if (problem.value === undefined) return;
      if (device.value?.lastError !== undefined) problem.value = device.value.lastError;
      else if (!reading.value) void refresh();
    },
  );

  /** `reads`: false where the device is only named, and nothing is sent to it. */
  function open(id: string, reads = true): void {
    if (deviceId.value === id && (capabilities.value !== undefined || reading.value)) return;
    stop();
    deviceId.value = id;
    capabilities.value = undefined;
    problem.value = undefined;
    if (reads) void refresh();
  }

  async function refresh(): Promise<void> {
    problem.value = undefined;
    await read(async (signal) => {
      // Claims and limits first: forms need them. What harmless reads really answer takes longer and corrects the areas.
      const claims = await getApi().operations.capabilities({ deviceId: deviceId.value }, { signal });
      if (signal.aborted) return;
      // Earlier results stay until all of the new reading is received.
      capabilities.value ??= claims;
      const { probes = [] } = await getApi().operations.capabilities(
        { deviceId: deviceId.value, probe: true, documents: false },
        { signal },
      );
      if (!signal.aborted) capabilities.value = { ...claims, probes };
    });
  }

  /** One sign-in attempt, then everything is read again. */
  async function tryAgain(): Promise<void> {
    const [test] =
      (await read((signal) => getApi().devices.test({ ids: [deviceId.value] }, { signal }))) ?? [];
    if (test === undefined) return;
    problem.value = test.error;
    if (test.ok) await refresh();
  }

  return { deviceId, device, capabilities, reading, problem, areas, limitsKnown, open, refresh, tryAgain };
});
