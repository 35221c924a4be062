import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { DeviceCapabilities } from '#shared/model.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { listAreas } from './presence.ts';

/** The device that is looked at, and what it can: read once when its workspace opens, again on request. */
export const useWorkspace = defineStore('workspace', () => {
  const devices = useDevices();
  const deviceId = ref('');
  const capabilities = shallowRef<DeviceCapabilities>();
  const reading = ref(false);
  const problem = shallowRef<ErrorShape>();
  let current: AbortController | undefined;

  const device = computed(() => devices.byId.get(deviceId.value));
  const areas = computed(() => listAreas(device.value ?? { kinds: [] }, capabilities.value));

  /** Forms wait for limits, so that no control changes under the fingers; where they cannot be read the specification's hold. */
  const limitsKnown = computed(() => capabilities.value !== undefined || problem.value !== undefined);

  /** A later error, for instance from a dialog, replaces that of the reading. */
  watch(
    () => JSON.stringify(device.value?.lastError),
    () => {
      problem.value &&= device.value?.lastError ?? problem.value;
    },
  );

  /** `reads`: false where the device is only named, and nothing is sent to it. */
  function open(id: string, reads = true): void {
    if (deviceId.value === id && (capabilities.value !== undefined || reading.value)) return;
    current?.abort();
    deviceId.value = id;
    capabilities.value = undefined;
    problem.value = undefined;
    if (reads) void refresh();
  }

  async function refresh(): Promise<void> {
    current?.abort();
    const controller = new AbortController();
    current = controller;
    reading.value = true;
    problem.value = undefined;
    try {
      // Claims and limits first: forms need them. What harmless reads really answer takes longer and corrects the areas.
      const claims = await getApi().operations.capabilities(
        { deviceId: deviceId.value },
        { signal: controller.signal },
      );
      if (controller.signal.aborted) return;
      // Earlier results stay until all of the new reading is received.
      capabilities.value ??= claims;
      const { probes = [] } = await getApi().operations.capabilities(
        { deviceId: deviceId.value, probe: true, documents: false },
        { signal: controller.signal },
      );
      if (!controller.signal.aborted) capabilities.value = { ...claims, probes };
    } catch (thrown) {
      if (!controller.signal.aborted) problem.value = extractErrorShape(thrown);
    } finally {
      if (current === controller) reading.value = false;
    }
  }

  /** One sign-in attempt, then everything is read again. */
  async function tryAgain(): Promise<void> {
    reading.value = true;
    try {
      const [test] = await getApi().devices.test({ ids: [deviceId.value] });
      problem.value = test?.error;
      if (test?.ok === true) await refresh();
    } catch (thrown) {
      problem.value = extractErrorShape(thrown);
    } finally {
      reading.value = false;
    }
  }

  return { deviceId, device, capabilities, reading, problem, areas, limitsKnown, open, refresh, tryAgain };
});
