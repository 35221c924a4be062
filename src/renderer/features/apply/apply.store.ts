import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Plan, PlanFix } from '#shared/model.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { saveFile } from '#renderer/common/files/save-file.ts';
import { fetchPlan } from '#renderer/common/jobs/jobs.api.ts';
import { createJobStart } from './job-start.ts';
import { createPlanAtHand, HERE, type PlanSource } from './plan-at-hand.ts';
import { createRetry } from './retry.ts';
import { useTemplateChoice } from './template/template-choice.store.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

export const STEPS = ['template', 'devices', 'plan', 'apply', 'results'] as const;
export type Step = (typeof STEPS)[number];

/** One way from a template to its results. It is kept when the person looks at another screen. */
export const useApply = defineStore('apply', () => {
  const devices = useDevices();
  const choice = useTemplateChoice();
  const step = ref<Step>('template');
  const kept = useProblem();
  const { problem, attempt } = kept;
  const hand = createPlanAtHand(kept);
  const { source, isForeign, plan, planning, secrets, retrying, totals } = hand;
  const { jobId, starting, start, startWhenFree } = createJobStart(hand, kept);

  const reached = computed<Readonly<Record<Step, boolean>>>(() => ({
    template: true,
    devices: choice.isReady && !isForeign.value,
    plan: plan.value !== undefined || planning.value !== undefined || retrying.value !== undefined,
    apply: (totals.value?.applicable.length ?? 0) > 0,
    results: jobId.value !== undefined,
  }));

  // A plan holds for the template, devices and values it was made with, and for nothing else.
  watch(
    [() => devices.chosen, () => choice.text, () => choice.raw, () => choice.valuesFile],
    () => {
      if (jobId.value === undefined && !isForeign.value) forgetPlan();
    },
    { flush: 'sync' },
  );

  function forgetPlan(): void {
    hand.forget();
    jobId.value = undefined;
    if (step.value !== 'template' && step.value !== 'devices') step.value = 'devices';
  }

  /** The plan step, empty, for a plan from there. */
  function lookAt(from: PlanSource): void {
    forgetPlan();
    problem.value = undefined;
    source.value = from;
    step.value = 'plan';
  }

  const { retry, planRetry } = createRetry(hand, kept, lookAt);

  /** Reads the devices and says what would be written. */
  function makePlan(): void {
    const deviceIds = [...devices.chosen];
    const table = choice.valuesByDevice;
    const valuesByDevice =
      table === undefined
        ? undefined
        : Object.fromEntries(deviceIds.flatMap((id) => (table[id] === undefined ? [] : [[id, table[id]]])));
    lookAt(HERE);
    hand.make(deviceIds.length, getApi().plans.create, {
      templateText: choice.text,
      deviceIds,
      values: { ...choice.read.values },
      ...removeUndefined({ valuesByDevice }),
      secrets: { ...choice.read.secrets },
    });
  }

  /** The plan, made anew from where it came from; where there was none, the secrets may be to blame and are asked for again. */
  function planAgain(): void {
    if (source.value.kind === 'retry')
      void retry(source.value.jobId, plan.value === undefined ? {} : secrets.value, plan.value === undefined);
    else if (!isForeign.value) makePlan();
  }

  /** Changes the template, for this run alone, so that a section is no longer blocked, and makes the plan anew. */
  async function applyFix(index: number, { path, value }: PlanFix): Promise<void> {
    await attempt(async () => {
      await choice.changeSection({ index, path, value });
      makePlan();
    });
  }

  function takePlan(made: Plan, from: Extract<PlanSource, { title: string }>): void {
    lookAt(from);
    hand.take(made);
  }

  /** Restores the plan after a reload, unless it was made from another version of the template. */
  async function recall(planId: string, from: PlanSource): Promise<void> {
    await attempt(async () => {
      const made = await fetchPlan(planId);
      if (from.kind === 'template' && made.template.text !== choice.text) return;
      lookAt(from);
      hand.take(made);
    });
  }

  /** A step that the address names; as far as there is something to see there. A started job goes on by itself. */
  function visit(wanted: Step, planId: string | undefined): void {
    jobId.value = undefined;
    const hasPlan = planId !== undefined && plan.value?.id === planId;
    if (wanted === 'template' || wanted === 'devices')
      step.value = wanted === 'devices' && reached.value.devices ? 'devices' : 'template';
    else if (wanted === 'apply' && hasPlan && reached.value.apply) step.value = 'apply';
    else if (hasPlan || (wanted === 'plan' && planId === undefined)) step.value = 'plan';
    else step.value = reached.value.devices ? 'devices' : 'template';
  }

  async function openPlan(name: string, content: string): Promise<void> {
    await attempt(async () => {
      takePlan(await getApi().plans.importFile({ text: content }), { kind: 'file', title: name });
    });
  }

  async function savePlan(): Promise<void> {
    const planId = plan.value?.id;
    if (planId === undefined) return;
    await attempt(async () => {
      const { text, fileName } = await getApi().plans.exportFile({ planId });
      saveFile({ name: fileName, text, type: 'application/json' });
    });
  }

  function cancelPlan(): void {
    const back = isForeign.value ? 'template' : 'devices';
    forgetPlan();
    step.value = back;
  }

  /** A job that was started before this window was loaded anew. */
  function reopen(started: string): void {
    forgetPlan();
    jobId.value = started;
    step.value = 'apply';
  }

  function startOver(): void {
    forgetPlan();
    step.value = 'template';
  }

  return {
    ...hand.state,
    step,
    jobId,
    starting,
    problem,
    reached,
    makePlan,
    planAgain,
    applyFix,
    retry,
    planRetry,
    takePlan,
    openPlan,
    savePlan,
    cancelPlan,
    start,
    startWhenFree,
    reopen,
    startOver,
    recall,
    visit,
  };
});
