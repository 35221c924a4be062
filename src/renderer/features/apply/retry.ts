/** A new plan of a job's template for those of its devices that did not get through. */
import { getApi } from '#renderer/client/use-client.ts';
import type { Problem } from '#renderer/common/errors/attempt.ts';
import { hasAllSecrets, collectSecrets } from '#renderer/common/jobs/secrets/kept-secrets.store.ts';
import type { PlanAtHand, PlanSource } from './plan-at-hand.ts';

/** `lookAt` empties the step of the plan, for a plan from there. */
export function createRetry(hand: PlanAtHand, { fail }: Problem, lookAt: (from: PlanSource) => void) {
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
      if (source.value === from) fail(thrown);
    }
    if (source.value === from) planning.value = undefined;
  }

  /** The secrets that were given count for the job too: they are not asked for twice. */
  function planRetry(given: Readonly<Record<string, string>>): void {
    const from = source.value;
    if (from.kind !== 'retry') return;
    lookAt(from);
    hand.make(0, getApi().plans.retry, { jobId: from.jobId, secrets: collectSecrets(given) });
    secrets.value = given;
  }

  return { retry, planRetry };
}
