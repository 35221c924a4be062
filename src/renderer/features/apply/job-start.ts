import { ref } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { Problem } from '#renderer/common/errors/attempt.ts';
import { collectSecrets, useKeptSecrets } from '#renderer/common/jobs/secrets/kept-secrets.store.ts';
import type { StartOptions } from './options.ts';
import type { PlanAtHand } from './plan-at-hand.ts';
import { useTemplateChoice } from './template/template-choice.store.ts';

export function createJobStart(hand: PlanAtHand, { attempt }: Problem) {
  const choice = useTemplateChoice();
  const kept = useKeptSecrets();
  const jobId = ref<string>();
  const starting = ref(false);
  let asFor: StartOptions = {};

  async function start(options: StartOptions): Promise<string | undefined> {
    const { plan, totals, isForeign, secrets } = hand;
    if (plan.value === undefined || totals.value === undefined || starting.value) return undefined;
    starting.value = true;
    asFor = options;
    const planId = plan.value.id;
    const deviceIds = [...totals.value.applicable];
    const started = await attempt(async () => {
      const given = collectSecrets(isForeign.value ? secrets.value : choice.read.secrets);
      await kept.save(given);
      return getApi().jobs.start({ planId, deviceIds, secrets: given, options });
    });
    starting.value = false;
    if (started !== undefined) jobId.value = started.jobId;
    return started?.jobId;
  }

  /** Repeats a refused start, to run once its devices are free. */
  function startWhenFree(): Promise<string | undefined> {
    return start({ ...asFor, wait: true });
  }

  return { jobId, starting, start, startWhenFree };
}
