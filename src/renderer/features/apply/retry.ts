/** A new plan of a job's template for those of its devices that did not get through. */
import type { ShallowRef } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import { getApi } from '#renderer/client/use-client.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { retryPlan } from '#renderer/common/jobs/jobs.api.ts';
import { hasAllSecrets, collectSecrets } from '#renderer/common/jobs/secrets/kept-secrets.store.ts';
import type { PlanAtHand, PlanSource } from './plan-at-hand.ts';

/** `lookAt` empties the step of the plan, for a plan from there. */
export function createRetry(
  hand: PlanAtHand,
  problem: ShallowRef<ErrorShape | undefined>,
  lookAt: (from: PlanSource) => void,
) {
  const { source, planning, asked, secrets, retrying } = hand;

  /** Secrets that the vault has not are asked for first, because no job keeps them. */
  async function retry(
    retried: string,
    given: Readonly<Record<string, string>> = {},
    asks = false,
  ): Promise<void> {
    const from: PlanSource = { kind: 'retry', jobId: retried };
    lookAt(from);
    hand.began(0);
    try {
      const preview = await getApi().plans.retryPreview({ jobId: retried });
      if (source.value !== from) return;
      if (preview.secrets.length === 0 || (!asks && hasAllSecrets(preview.secrets, given))) {
        planRetry(given);
        return;
      }
      asked.value = preview.secrets;
      retrying.value = preview;
    } catch (thrown) {
      if (source.value === from) problem.value = extractErrorShape(thrown);
    }
    if (source.value === from) planning.value = undefined;
  }

  /** The secrets that were given count for the job too: they are not asked for twice. */
  function planRetry(given: Readonly<Record<string, string>>): void {
    const from = source.value;
    if (from.kind !== 'retry') return;
    lookAt(from);
    hand.make(0, (onEvent, options) =>
      retryPlan({ jobId: from.jobId, secrets: collectSecrets(given) }, onEvent, options),
    );
    secrets.value = given;
  }

  return { retry, planRetry };
}
