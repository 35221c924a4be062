import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import type { InputAt } from '#shared/contract.ts';
import type { ChosenFile, ModelPlan } from '#shared/ai-models/ai-models.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import type { Pace } from '#renderer/components/ui/pace.ts';
import { uploadFile } from './send-file.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

/** One package on its way to a job: its file, the plan for each device, the start. */
export const useSend = defineStore('model-send', () => {
  const file = shallowRef<ChosenFile>();
  const plan = shallowRef<ModelPlan>();
  const { problem, attempt } = useProblem();
  /** Work that is waited for. */
  const busy = ref<'file' | 'hash' | 'devices' | 'start'>();
  const pace = shallowRef<Pace>({ done: 0, total: 0 });
  let stop: (() => void) | undefined;

  function leave(): void {
    stop?.();
    stop = undefined;
    file.value = undefined;
    plan.value = undefined;
    problem.value = undefined;
    busy.value = undefined;
  }

  /** Drops a plan that was made for another choice. */
  function outdate(): void {
    plan.value = undefined;
  }

  async function choose(chosen: File): Promise<void> {
    leave();
    const ended = new AbortController();
    stop = () => {
      ended.abort();
    };
    busy.value = 'file';
    pace.value = { done: 0, total: chosen.size };
    try {
      file.value = await uploadFile(
        chosen,
        (done) => {
          pace.value = { done, total: chosen.size };
        },
        ended.signal,
      );
    } catch (thrown) {
      if (!ended.signal.aborted) problem.value = extractErrorShape(thrown);
    }
    if (!ended.signal.aborted) busy.value = undefined;
  }

  /** Opens the dialog of the desktop: the file is used in its place. */
  async function pick(): Promise<void> {
    await attempt(async () => {
      const { file: picked } = await getApi().app.pickPackage();
      if (picked === undefined) return;
      leave();
      file.value = picked;
    });
  }

  function check(request: InputAt<'models.plan'>): void {
    stop?.();
    problem.value = undefined;
    plan.value = undefined;
    busy.value = 'hash';
    const client = useClient();
    stop = client.subscribe(
      client.api.models.plan,
      request,
      (event) => {
        if (event.type === 'plan') {
          plan.value = event.plan;
          busy.value = undefined;
          return;
        }
        busy.value = event.type === 'hashing' ? 'hash' : 'devices';
        pace.value = { done: event.done, total: event.total };
      },
      {
        restart: false,
        onError: (error) => {
          problem.value = extractErrorShape(error);
          busy.value = undefined;
        },
      },
    );
  }

  /** Id of the job; undefined where it could not begin. */
  async function send(request: InputAt<'models.send'>): Promise<string | undefined> {
    busy.value = 'start';
    const result = await attempt(async () => {
      return (await getApi().models.send(request)).jobId;
    });
    busy.value = undefined;
    return result;
  }

  return { file, plan, problem, busy, pace, leave, outdate, choose, pick, check, send };
});
