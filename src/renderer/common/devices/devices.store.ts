import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { Device, DeviceEvent } from '#shared/model.ts';
import { createBatch } from '#renderer/client/batch.ts';
import { applyDeviceEvents } from './device-list.ts';
import { watchDevices } from './devices.api.ts';
import { useProblem } from '../errors/attempt.ts';

/** Every known device, live, and which of them the person has chosen. Features share it. */
export const useDevices = defineStore('devices', () => {
  const byId = shallowRef<ReadonlyMap<string, Device>>(new Map());
  const chosen = shallowRef<ReadonlySet<string>>(new Set());
  const loaded = ref(false);
  /** How often the list was opened: a task that was chosen for before then begins with what is chosen there now. */
  const listVisits = ref(0);
  const { problem, fail } = useProblem();
  const list = computed(() => [...byId.value.values()]);
  const chosenDevices = computed(() => list.value.filter((device) => chosen.value.has(device.id)));
  let following: AbortController | undefined;

  function receive(events: readonly DeviceEvent[]): void {
    const before = byId.value;
    byId.value = applyDeviceEvents(before, events);
    loaded.value = true;
    // A device that was just added may be chosen before it arrives here: only removed devices are deselected.
    const gone = [...chosen.value].filter((id) => before.has(id) && !byId.value.has(id));
    if (gone.length > 0) setChosen(gone, false);
  }
  const batch = createBatch(receive);

  /** Starts following once for the life of the window; called again after an error it tries anew. */
  function start(): void {
    if (following !== undefined) return;
    following = new AbortController();
    problem.value = undefined;
    watchDevices(
      (event) => {
        batch.push(event);
        if (event.type === 'all') batch.flush();
      },
      {
        signal: following.signal,
        onError: (error) => {
          fail(error);
          following = undefined;
        },
      },
    );
  }

  function choose(ids: Iterable<string>): void {
    chosen.value = new Set(ids);
  }

  function setChosen(ids: Iterable<string>, on: boolean): void {
    const next = new Set(chosen.value);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    chosen.value = next;
  }

  return { byId, list, chosen, chosenDevices, loaded, listVisits, problem, start, choose, setChosen };
});
