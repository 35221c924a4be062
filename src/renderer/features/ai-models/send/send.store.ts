import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { InputAt } from '#shared/contract.ts';
import type { ChosenFile, ModelPlan } from '#shared/ai-models/ai-models.ts';
import type { Pace } from '#renderer/components/ui/pace.ts';
import { sendInPieces } from '#renderer/common/files/send-file.ts';
import { useProblem, useReading, useStream } from '#renderer/common/errors/attempt.ts';

/** One package on its way to a job: its file, the plan for each device, the start. */
export const useSend = defineStore('model-send', () => {
  const file = shallowRef<ChosenFile>();
  const plan = shallowRef<ModelPlan>();
  const kept = useProblem();
  const { problem, attempt } = kept;
  const { follow, stop: stopPlan } = useStream(kept);
  const { read, stop: stopFile } = useReading(kept);
  /** Work that is waited for. */
  const busy = ref<'file' | 'hash' | 'devices' | 'start'>();
  const pace = shallowRef<Pace>({ done: 0, total: 0 });

  function leave(): void {
    stopPlan();
    stopFile();
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
    busy.value = 'file';
    const show = (done: number): void => {
      pace.value = { done, total: chosen.size };
    };
    show(0);
    const taken = await read((signal) =>
      sendInPieces(
        chosen,
        async (piece) => {
          const answer = await getApi().models.receive(piece);
          show(answer.bytes);
          return answer;
        },
        signal,
      ),
    );
    if (taken === undefined && problem.value === undefined) return;
    file.value = taken?.file;
    busy.value = undefined;
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
    plan.value = undefined;
    busy.value = 'hash';
    follow(
      getApi().models.plan,
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
      () => {
        busy.value = undefined;
      },
    );
  }

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
