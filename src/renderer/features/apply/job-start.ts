/** Starts a job from the current plan. */
import { ref, type ShallowRef } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import { getApi } from '#renderer/client/use-client.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { collectSecrets, useKeptSecrets } from '#renderer/common/jobs/secrets/kept-secrets.store.ts';
import type { StartOptions } from './options.ts';
import type { PlanAtHand } from './plan-at-hand.ts';
import { useTemplateChoice } from './template/template-choice.store.ts';

export function createJobStart(hand: PlanAtHand, problem: ShallowRef<ErrorShape | undefined>) {
  const choice = useTemplateChoice();
  const kept = useKeptSecrets();
  const jobId = ref<string>();
  const starting = ref(false);
  /** How the last start was asked for. */
  let asFor: StartOptions = {};

  /** Starts the job; the answer is its id. */
  async function start(options: StartOptions): Promise<string | undefined> {
    const { plan, totals, isForeign, secrets } = hand;
    if (plan.value === undefined || totals.value === undefined || starting.value) return undefined;
    starting.value = true;
    problem.value = undefined;
    asFor = options;
    try {
      const given = collectSecrets(isForeign.value ? secrets.value : choice.read.secrets);
      await kept.save(given);
      const started = await getApi().jobs.start({
        planId: plan.value.id,
        deviceIds: [...totals.value.applicable],
        secrets: given,
        options,
      });
      jobId.value = started.jobId;
      return started.jobId;
    } catch (thrown) {
      problem.value = extractErrorShape(thrown);
      return undefined;
    } finally {
      starting.value = false;
    }
  }

  /** Repeats a refused start, to run once its devices are free. */
  function startWhenFree(): Promise<string | undefined> {
    return start({ ...asFor, wait: true });
  }

  return { jobId, starting, start, startWhenFree };
}
