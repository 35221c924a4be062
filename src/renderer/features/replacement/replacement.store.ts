import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import type { ReplacementPlan } from '#shared/replacement.ts';

/** The old device, the new one, and what becomes of the one on the other. */
export const useReplacement = defineStore('replacement', () => {
  const oldId = ref('');
  const newId = ref('');
  /** People of the new device are read from this one. */
  const reading = shallowRef<{ readonly device?: string; readonly done: number }>();
  const plan = shallowRef<ReplacementPlan>();
  const { problem, attempt, fail } = useProblem();
  let stop: (() => void) | undefined;

  function clear(): void {
    stop?.();
    stop = undefined;
    reading.value = undefined;
    plan.value = undefined;
    problem.value = undefined;
  }

  function choose(which: 'old' | 'new', id: string): void {
    (which === 'old' ? oldId : newId).value = id;
    clear();
    if (oldId.value !== '' && newId.value !== '') makePlan();
  }

  /** Reads both devices; writes nothing. */
  function makePlan(): void {
    clear();
    reading.value = { done: 0 };
    const client = useClient();
    stop = client.subscribe(
      client.api.replacements.plan,
      { oldId: oldId.value, newId: newId.value },
      (event) => {
        if (event.type === 'people') reading.value = event;
        else if (event.type === 'replacement') plan.value = event.plan;
      },
      {
        restart: false,
        onEnd: () => {
          reading.value = undefined;
        },
        onError: (error) => {
          reading.value = undefined;
          fail(error);
        },
      },
    );
  }

  /** Begins the job. Returns its id; undefined if it was refused. */
  async function begin(): Promise<string | undefined> {
    const { value: ready } = plan;
    if (ready === undefined) return undefined;
    let jobId: string | undefined;
    await attempt(async () => {
      ({ jobId } = await getApi().replacements.begin({ planId: ready.id }));
      oldId.value = '';
      newId.value = '';
      clear();
    });
    return jobId;
  }

  return { oldId, newId, reading, plan, problem, choose, makePlan, clear, begin };
});
