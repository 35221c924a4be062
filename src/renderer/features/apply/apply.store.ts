import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { api } from '../../client/use-client.ts';
import { defined } from '../../../shared/defined.ts';
import type { SubscribeOptions } from '../../client/index.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { Plan, PlanEvent, RetryPreview, TemplateVariable } from '../../../shared/model.ts';
import { hasAllSecrets, typedSecrets, useKeptSecrets } from '../../common/jobs/secrets/kept-secrets.store.ts';
import { planTotals } from '../../common/jobs/plan/plan-groups.ts';
import { createBatch } from '../../client/batch.ts';
import { useDevices } from '../../common/devices/devices.store.ts';
import { errorOf } from '../../common/errors/error-of.ts';
import { saveFile } from '../../common/files/save-file.ts';
import { createPlan, keptPlan, retryPlan } from '../../common/jobs/jobs.api.ts';
import type { StartOptions } from './options.ts';
import { useTemplateChoice } from './template-choice.store.ts';

export const STEPS = ['template', 'devices', 'plan', 'apply', 'results'] as const;
export type Step = (typeof STEPS)[number];

/** Where the plan comes from: made here, or brought along from a file, a job whose failed devices are retried, another screen. */
export type PlanSource =
  | { readonly kind: 'template' }
  | { readonly kind: 'file'; readonly title: string }
  | { readonly kind: 'retry'; readonly jobId: string }
  | { readonly kind: 'handed'; readonly title: string };

const HERE: PlanSource = { kind: 'template' };

/** One way from a template to its results. It is kept when the person looks at another screen. */
export const useApply = defineStore('apply', () => {
  const devices = useDevices();
  const choice = useTemplateChoice();
  const kept = useKeptSecrets();
  const step = ref<Step>('template');
  const source = shallowRef<PlanSource>(HERE);
  const plan = shallowRef<Plan>();
  const planning = shallowRef<{ readonly done: number; readonly total: number; readonly since: number }>();
  /** Secrets that a plan from elsewhere needs and that this window has not got; a plan never holds them. */
  const asked = shallowRef<readonly TemplateVariable[]>([]);
  const secrets = shallowRef<Readonly<Record<string, string>>>({});
  /** What a retry is about, while it waits for the secrets that its plan needs. */
  const retrying = shallowRef<RetryPreview>();
  const jobId = ref<string>();
  const starting = ref(false);
  const problem = shallowRef<ErrorShape>();
  let stopPlan: (() => void) | undefined;
  /** How the last start was asked for. */
  let asFor: StartOptions = {};

  const isForeign = computed(() => source.value.kind !== 'template');
  const totals = computed(() => (plan.value === undefined ? undefined : planTotals(plan.value)));
  const hasSecrets = computed(() => hasAllSecrets(asked.value, secrets.value));
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
    stopPlan?.();
    stopPlan = undefined;
    plan.value = undefined;
    planning.value = undefined;
    asked.value = [];
    secrets.value = {};
    retrying.value = undefined;
    jobId.value = undefined;
    source.value = HERE;
    if (step.value !== 'template' && step.value !== 'devices') step.value = 'devices';
  }

  /** The plan step, empty, for a plan from there. */
  function lookAt(from: PlanSource): void {
    forgetPlan();
    problem.value = undefined;
    source.value = from;
    step.value = 'plan';
  }

  function begin(
    from: PlanSource,
    total: number,
    subscribe: (onEvent: (event: PlanEvent) => void, options: SubscribeOptions) => () => void,
  ): void {
    lookAt(from);
    planning.value = { done: 0, total, since: Date.now() };
    const batch = createBatch((events: readonly PlanEvent[]) => {
      for (const event of events) {
        if (event.type === 'plan') take(event.plan);
        else if (planning.value !== undefined)
          planning.value = { ...planning.value, done: event.done, total: event.total };
      }
    });
    let isOver = false;
    const stop = subscribe(
      (event) => {
        if (!isOver) batch.push(event);
      },
      {
        onEnd: batch.flush,
        onError: (error) => {
          batch.flush();
          planning.value = undefined;
          problem.value = errorOf(error);
        },
      },
    );
    stopPlan = () => {
      isOver = true;
      stop();
    };
  }

  function take(made: Plan): void {
    plan.value = made;
    planning.value = undefined;
    if (source.value.kind === 'file' || source.value.kind === 'handed') void findSecrets(made);
  }

  async function findSecrets(made: Plan): Promise<void> {
    try {
      const { summary } = await api().templates.check(
        { text: made.template.text },
        { signal: AbortSignal.timeout(15_000) },
      );
      if (plan.value === made)
        asked.value = (summary?.variables ?? []).filter(({ type }) => type === 'secret');
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
  }

  /** Reads the devices and says what would be written. */
  function makePlan(): void {
    const deviceIds = [...devices.chosen];
    const table = choice.valuesByDevice;
    const valuesByDevice =
      table === undefined
        ? undefined
        : Object.fromEntries(deviceIds.flatMap((id) => (table[id] === undefined ? [] : [[id, table[id]]])));
    begin(HERE, deviceIds.length, (onEvent, options) =>
      createPlan(
        {
          templateText: choice.text,
          deviceIds,
          values: { ...choice.read.values },
          ...defined({ valuesByDevice }),
          secrets: { ...choice.read.secrets },
        },
        onEvent,
        options,
      ),
    );
  }

  /** A new plan of a job's template for those of its devices that did not get through; secrets that the vault has not are asked for first, because no job keeps them. */
  async function retry(
    retried: string,
    given: Readonly<Record<string, string>> = {},
    asks = false,
  ): Promise<void> {
    const from: PlanSource = { kind: 'retry', jobId: retried };
    lookAt(from);
    planning.value = { done: 0, total: 0, since: Date.now() };
    try {
      const preview = await api().plans.retryPreview({ jobId: retried });
      if (source.value !== from) return;
      if (preview.secrets.length === 0 || (!asks && hasAllSecrets(preview.secrets, given))) {
        planRetry(given);
        return;
      }
      asked.value = preview.secrets;
      retrying.value = preview;
    } catch (thrown) {
      if (source.value === from) problem.value = errorOf(thrown);
    }
    if (source.value === from) planning.value = undefined;
  }

  /** The secrets that were given count for the job too: they are not asked for twice. */
  function planRetry(given: Readonly<Record<string, string>>): void {
    const from = source.value;
    if (from.kind !== 'retry') return;
    begin(from, 0, (onEvent, options) =>
      retryPlan({ jobId: from.jobId, secrets: typedSecrets(given) }, onEvent, options),
    );
    secrets.value = given;
  }

  /** The plan, made anew from where it came from; where there was none, the secrets may be to blame and are asked for again. */
  function planAgain(): void {
    if (source.value.kind === 'retry')
      void retry(source.value.jobId, plan.value === undefined ? {} : secrets.value, plan.value === undefined);
    else if (!isForeign.value) makePlan();
  }

  /** Takes a plan that was made elsewhere and is kept by the engine. */
  function takePlan(made: Plan, from: Extract<PlanSource, { title: string }>): void {
    lookAt(from);
    take(made);
  }

  /** After a reload: the plan that was looked at, unless it was made of another version of the template than is at hand now. */
  async function recall(planId: string, from: PlanSource): Promise<void> {
    try {
      const made = await keptPlan(planId);
      if (from.kind === 'template' && made.template.text !== choice.text) return;
      lookAt(from);
      take(made);
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
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
    problem.value = undefined;
    try {
      takePlan(await api().plans.importFile({ text: content }), { kind: 'file', title: name });
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
  }

  async function savePlan(): Promise<void> {
    if (plan.value === undefined) return;
    problem.value = undefined;
    try {
      const { text, fileName } = await api().plans.exportFile({ planId: plan.value.id });
      saveFile({ name: fileName, text, type: 'application/json' });
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
  }

  function cancelPlan(): void {
    const back = isForeign.value ? 'template' : 'devices';
    forgetPlan();
    step.value = back;
  }

  /** Starts the job; the answer is its id. */
  async function start(options: StartOptions): Promise<string | undefined> {
    if (plan.value === undefined || totals.value === undefined || starting.value) return undefined;
    starting.value = true;
    problem.value = undefined;
    asFor = options;
    try {
      const given = typedSecrets(isForeign.value ? secrets.value : choice.read.secrets);
      await kept.save(given);
      const started = await api().jobs.start({
        planId: plan.value.id,
        deviceIds: [...totals.value.applicable],
        secrets: given,
        options,
      });
      jobId.value = started.jobId;
      return started.jobId;
    } catch (thrown) {
      problem.value = errorOf(thrown);
      return undefined;
    } finally {
      starting.value = false;
    }
  }

  /** What was refused, once its devices are free. */
  function startWhenFree(): Promise<string | undefined> {
    return start({ ...asFor, wait: true });
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
    step,
    source,
    isForeign,
    plan,
    planning,
    asked,
    secrets,
    hasSecrets,
    retrying,
    totals,
    jobId,
    starting,
    problem,
    reached,
    makePlan,
    planAgain,
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
