/** The plan that is being made or looked at, where it comes from, and the secrets that it needs. */
import { computed, shallowRef } from 'vue';
import type { Plan, PlanEvent, PlanPart, RetryPreview, TemplateVariable } from '#shared/model.ts';
import { createBatch } from '#renderer/client/batch.ts';
import type { StreamProcedure } from '#renderer/client/subscribe.ts';
import { getApi } from '#renderer/client/use-client.ts';
import { useStream, type Problem } from '#renderer/common/errors/attempt.ts';
import { mergePlanParts } from '#renderer/common/jobs/whole-events.ts';
import { planTotals } from '#renderer/common/jobs/plan/plan-groups.ts';
import { hasAllSecrets } from '#renderer/common/jobs/secrets/kept-secrets.store.ts';

/** Source of a plan: made here, or brought from a file, a retry of failed devices, or another screen. */
export type PlanSource =
  | { readonly kind: 'template' }
  | { readonly kind: 'file'; readonly title: string }
  | { readonly kind: 'retry'; readonly jobId: string }
  | { readonly kind: 'handed'; readonly title: string };

export const HERE: PlanSource = { kind: 'template' };

export function createPlanAtHand(kept: Problem) {
  const { follow, stop } = useStream(kept);
  const source = shallowRef<PlanSource>(HERE);
  const plan = shallowRef<Plan>();
  const planning = shallowRef<{ readonly done: number; readonly total: number; readonly since: number }>();
  /** Secrets that a plan from elsewhere needs and that this window has not got; a plan never holds them. */
  const asked = shallowRef<readonly TemplateVariable[]>([]);
  const secrets = shallowRef<Readonly<Record<string, string>>>({});
  const retrying = shallowRef<RetryPreview>();

  const isForeign = computed(() => source.value.kind !== 'template');
  const totals = computed(() => (plan.value === undefined ? undefined : planTotals(plan.value)));
  const hasSecrets = computed(() => hasAllSecrets(asked.value, secrets.value));

  function forget(): void {
    stop();
    plan.value = undefined;
    planning.value = undefined;
    asked.value = [];
    secrets.value = {};
    retrying.value = undefined;
    source.value = HERE;
  }

  function began(total: number): void {
    planning.value = { done: 0, total, since: Date.now() };
  }

  function make<Input>(
    total: number,
    procedure: StreamProcedure<Input, PlanEvent | PlanPart>,
    input: Input,
  ): void {
    began(total);
    const batch = createBatch((events: readonly PlanEvent[]) => {
      for (const event of events) {
        if (event.type === 'plan') take(event.plan);
        else if (planning.value !== undefined)
          planning.value = { ...planning.value, done: event.done, total: event.total };
      }
    });
    follow(procedure, input, mergePlanParts(batch.push), (isWhole) => {
      batch.flush();
      if (!isWhole) planning.value = undefined;
    });
  }

  function take(made: Plan): void {
    plan.value = made;
    planning.value = undefined;
    if (source.value.kind === 'file' || source.value.kind === 'handed') void findSecrets(made);
  }

  async function findSecrets(made: Plan): Promise<void> {
    const check = await kept.attempt(() =>
      getApi().templates.check({ text: made.template.text }, { signal: AbortSignal.timeout(15_000) }),
    );
    if (check !== undefined && plan.value === made)
      asked.value = (check.summary?.variables ?? []).filter(({ type }) => type === 'secret');
  }

  /** Parts that the screen sees. */
  const state = { source, plan, planning, asked, secrets, retrying, isForeign, totals, hasSecrets };
  return {
    ...state,
    state,
    forget,
    began,
    make,
    take,
  };
}
export type PlanAtHand = ReturnType<typeof createPlanAtHand>;
