import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { CapturedSection } from '#shared/template/authoring.ts';
import type { SavedState, SwapReport } from '#shared/history.ts';
import type { Plan } from '#shared/model.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import { compareSwap, saveState } from './swap.api.ts';

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly since: number;
}

/**
 * Returns the parts of a section that were not captured; read-only values, and sections that the device does
 * not have, are no settings.
 */
function missed(section: CapturedSection): CapturedSection | undefined {
  const left = section.left.filter(({ reason }) => reason !== 'read-only');
  if (left.length === 0 && (section.error === undefined || section.state === 'unsupported')) return undefined;
  return { ...section, left };
}

/** Saved states, and the comparison of one of them with another device. */
export const useSwap = defineStore('swap', () => {
  const states = shallowRef<readonly SavedState[]>();
  const stateId = ref<string>();
  const targetId = ref<string>();
  const saving = shallowRef<Progress>();
  /** Sections of the device that could not be saved in whole. */
  const left = shallowRef<readonly CapturedSection[]>([]);
  const comparing = shallowRef<boolean>(false);
  const report = shallowRef<SwapReport>();
  const plan = shallowRef<Plan>();
  const { problem, attempt, fail } = useProblem();
  let stop: (() => void) | undefined;

  const state = computed(() => states.value?.find(({ id }) => id === stateId.value));

  async function load(): Promise<void> {
    await attempt(async () => {
      states.value = await getApi().states.list();
    });
  }

  function choose(id: string): void {
    stateId.value = id;
    forget();
  }
  function aim(deviceId: string): void {
    targetId.value = deviceId === '' ? undefined : deviceId;
    forget();
  }
  function forget(): void {
    stop?.();
    stop = undefined;
    saving.value = undefined;
    comparing.value = false;
    report.value = undefined;
    plan.value = undefined;
    problem.value = undefined;
  }

  /** Reads everything a template can set, and keeps it under a name. */
  function save(deviceId: string, name: string): void {
    forget();
    left.value = [];
    saving.value = { done: 0, total: 0, since: Date.now() };
    const notKept: CapturedSection[] = [];
    stop = saveState(
      { deviceId, ...(name.trim() === '' ? {} : { name: name.trim() }) },
      (event) => {
        if (event.type === 'section') {
          saving.value = { done: event.done, total: event.total, since: saving.value?.since ?? Date.now() };
          const section = missed(event.section);
          if (section !== undefined) notKept.push(section);
        } else if (event.type === 'state') {
          stateId.value = event.state.id;
          left.value = notKept;
        }
      },
      {
        onEnd: () => {
          saving.value = undefined;
          void load();
        },
        onError: (error) => {
          saving.value = undefined;
          fail(error);
        },
      },
    );
  }

  function compare(): void {
    if (stateId.value === undefined || targetId.value === undefined) return;
    forget();
    comparing.value = true;
    stop = compareSwap(
      { stateId: stateId.value, deviceId: targetId.value },
      (event) => {
        if (event.type === 'plan') plan.value = event.plan;
        else if (event.type === 'swap') report.value = event.report;
      },
      {
        onEnd: () => {
          comparing.value = false;
        },
        onError: (error) => {
          comparing.value = false;
          fail(error);
        },
      },
    );
  }

  async function remove(id: string): Promise<void> {
    await attempt(async () => {
      await getApi().states.remove({ id });
      if (stateId.value === id) {
        stateId.value = undefined;
        forget();
      }
      states.value = await getApi().states.list();
    });
  }

  return {
    states,
    stateId,
    state,
    targetId,
    saving,
    left,
    comparing,
    report,
    plan,
    problem,
    load,
    choose,
    aim,
    save,
    cancel: forget,
    compare,
    remove,
  };
});
