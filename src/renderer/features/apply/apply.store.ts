import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { Plan, PlanEvent, TemplateCheck, TemplateEntry } from '../../../shared/model.ts';
import { createBatch } from '../../composables/batch.ts';
import { useDevices } from '../../composables/devices.store.ts';
import { errorOf } from '../../composables/error-of.ts';
import { checkTemplate, createPlan, listTemplates, saveTemplate, startJob, type StartOptions } from './apply.api.ts';
import { planTotals } from './plan-groups.ts';
import { initialValues, readValues, type RawValues } from './variables.ts';

export const STEPS = ['template', 'devices', 'plan', 'apply', 'results'] as const;
export type Step = (typeof STEPS)[number];

/** Long enough to type on, short enough to feel live. */
const CHECK_PAUSE_MS = 250;

/** One way from a template to its results. It is kept when the person looks at another screen. */
export const useApply = defineStore('apply', () => {
  const devices = useDevices();
  const step = ref<Step>('template');
  const templates = shallowRef<readonly TemplateEntry[]>();
  const templateId = ref<string>();
  const text = ref('');
  /** What was written or changed and then left for another template: never lost by a click. */
  const draft = ref('');
  /** What the template is shown as: what it does, or its text. */
  const view = ref<'overview' | 'text'>('overview');
  const check = shallowRef<TemplateCheck>();
  const raw = shallowRef<RawValues>({});
  const plan = shallowRef<Plan>();
  const planning = shallowRef<{ readonly done: number; readonly total: number; readonly since: number }>();
  const jobId = ref<string>();
  const starting = ref(false);
  const problem = shallowRef<ErrorShape>();
  let checking: AbortController | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let stopPlan: (() => void) | undefined;

  const template = computed(() => templates.value?.find((entry) => entry.id === templateId.value));
  const isEdited = computed(() => text.value !== (template.value?.text ?? ''));
  const variables = computed(() => check.value?.summary?.variables ?? []);
  const read = computed(() => readValues(variables.value, raw.value));
  const isTemplateReady = computed(() => check.value?.ok === true && Object.keys(read.value.complaints).length === 0);
  const totals = computed(() => (plan.value === undefined ? undefined : planTotals(plan.value)));
  const reached = computed<Readonly<Record<Step, boolean>>>(() => ({
    template: true,
    devices: isTemplateReady.value,
    plan: isTemplateReady.value && devices.chosen.size > 0 && (plan.value !== undefined || planning.value !== undefined),
    apply: plan.value !== undefined && (totals.value?.applicable.length ?? 0) > 0,
    results: jobId.value !== undefined,
  }));

  async function loadTemplates(): Promise<void> {
    problem.value = undefined;
    try {
      templates.value = await listTemplates();
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
  }

  function choose(entry: TemplateEntry): void {
    keepDraft();
    templateId.value = entry.id;
    view.value = 'overview';
    setText(entry.text, 0);
  }

  /** Takes a text from elsewhere, such as a file. */
  function take(newText: string): void {
    keepDraft();
    templateId.value = undefined;
    view.value = newText.trim() === '' ? 'text' : 'overview';
    setText(newText, 0);
  }

  /** Back to what was written here, or an empty place to write. */
  function openDraft(): void {
    if (templateId.value === undefined) return;
    take(isEdited.value && text.value.trim() !== '' ? text.value : draft.value);
    view.value = 'text';
  }

  function keepDraft(): void {
    if (isEdited.value && text.value.trim() !== '') draft.value = text.value;
  }

  /** The text changed: what was known about it is forgotten, and it is checked once typing rests. */
  function setText(newText: string, pauseMs = CHECK_PAUSE_MS): void {
    text.value = newText;
    checking?.abort();
    clearTimeout(pause);
    forgetPlan();
    check.value = undefined;
    if (newText.trim() !== '') pause = setTimeout(() => void runCheck(), pauseMs);
  }

  async function runCheck(): Promise<void> {
    checking?.abort();
    const controller = new AbortController();
    checking = controller;
    try {
      const answer = await checkTemplate(text.value, controller.signal);
      if (controller.signal.aborted) return;
      check.value = answer;
      raw.value = initialValues(answer.summary?.variables ?? [], raw.value);
      problem.value = undefined;
    } catch (thrown) {
      if (!controller.signal.aborted) problem.value = errorOf(thrown);
    }
  }
  // A plan holds for the devices and values it was made with. At once, so that `again` can choose and plan.
  watch([() => devices.chosen, raw], () => {
    if (jobId.value === undefined) forgetPlan();
  }, { flush: 'sync' });

  async function save(): Promise<void> {
    try {
      const saved = await saveTemplate({ ...(template.value?.source === 'own' ? { id: template.value.id } : {}), text: text.value });
      text.value = saved.text;
      templateId.value = undefined;
      draft.value = '';
      await loadTemplates();
      templateId.value = saved.id;
    } catch (thrown) {
      problem.value = errorOf(thrown);
    }
  }

  function forgetPlan(): void {
    stopPlan?.();
    stopPlan = undefined;
    plan.value = undefined;
    planning.value = undefined;
    jobId.value = undefined;
    if (step.value !== 'template' && step.value !== 'devices') step.value = 'devices';
  }

  /** Reads the devices and says what would be written. */
  function makePlan(deviceIds: readonly string[] = [...devices.chosen]): void {
    forgetPlan();
    problem.value = undefined;
    step.value = 'plan';
    planning.value = { done: 0, total: deviceIds.length, since: Date.now() };
    const batch = createBatch((events: readonly PlanEvent[]) => {
      for (const event of events) {
        if (event.type === 'plan') {
          plan.value = event.plan;
          planning.value = undefined;
        } else if (planning.value !== undefined) {
          planning.value = { ...planning.value, done: event.done, total: event.total };
        }
      }
    });
    stopPlan = createPlan(
      { templateText: text.value, deviceIds: [...deviceIds], values: { ...read.value.values }, secrets: { ...read.value.secrets } },
      batch.push,
      {
        onEnd: batch.flush,
        onError: (error) => {
          batch.flush();
          planning.value = undefined;
          problem.value = errorOf(error);
        },
      },
    );
  }

  function cancelPlan(): void {
    forgetPlan();
    step.value = 'devices';
  }

  /** Starts the job; the answer is its id. */
  async function start(options: StartOptions): Promise<string | undefined> {
    if (plan.value === undefined || totals.value === undefined || starting.value) return undefined;
    starting.value = true;
    problem.value = undefined;
    try {
      const started = await startJob({ planId: plan.value.id, deviceIds: [...totals.value.applicable], secrets: { ...read.value.secrets }, options });
      jobId.value = started.jobId;
      return started.jobId;
    } catch (thrown) {
      problem.value = errorOf(thrown);
      return undefined;
    } finally {
      starting.value = false;
    }
  }

  /** A new plan for some devices of a job; its template must be chosen first where it is not the last one. */
  async function again(job: { readonly id: string; readonly template: string }, deviceIds: readonly string[]): Promise<void> {
    const isLast = jobId.value === job.id;
    jobId.value = undefined;
    devices.choose(deviceIds);
    if (isLast && isTemplateReady.value) return makePlan(deviceIds);
    if (templates.value === undefined) await loadTemplates();
    const entry = templates.value?.find((candidate) => candidate.name === job.template);
    if (entry !== undefined) choose(entry);
    step.value = 'template';
  }

  function startOver(): void {
    forgetPlan();
    step.value = 'template';
  }

  return {
    step, templates, templateId, template, text, draft, view, isEdited, check, variables, raw, read, isTemplateReady, plan, totals, planning, jobId, starting, problem, reached,
    loadTemplates, choose, take, openDraft, setText, save, makePlan, cancelPlan, start, again, startOver,
  };
});
