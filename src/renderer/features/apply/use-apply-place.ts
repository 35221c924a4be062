import { onMounted, ref, watch } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { takeHandedPlan } from '#renderer/common/jobs/plan-handover.ts';
import { keepDraft, readDraft } from './apply-draft.ts';
import { STEPS, useApply, type Step } from './apply.store.ts';
import { useTemplateChoice } from './template/template-choice.store.ts';

/** State of the wizard in the address. */
interface Place {
  readonly step?: Step;
  readonly plan?: string;
  readonly job?: string;
}

/**
 * Keeps the step of the wizard, its plan and its job in the address, so that back, forward and reload work as
 * usual. Template, values and devices are kept by the window (see apply-draft.ts). Returns whether the state
 * before a reload is still being fetched.
 */
export function useApplyPlace() {
  const route = useRoute();
  const router = useRouter();
  const apply = useApply();
  const choice = useTemplateChoice();
  const devices = useDevices();
  const restoring = ref(false);

  /** Returns the current state of the wizard. */
  function here(): Place {
    if (apply.jobId !== undefined) return { job: apply.jobId };
    const plan = apply.step === 'plan' || apply.step === 'apply' ? apply.plan?.id : undefined;
    return { step: apply.step, ...removeUndefined({ plan }) };
  }

  /** A step is a way back; that a plan has come, or that its job was started, is none. */
  function tell(): void {
    if (restoring.value || route.path !== '/changes/apply') return;
    const [now, then] = [here(), placeOf(route.query)];
    if (same(now, then)) return;
    const isWay =
      then.job !== undefined || (then.step !== undefined && now.step !== undefined && then.step !== now.step);
    void router[isWay ? 'push' : 'replace']({ path: '/changes/apply', query: { ...now } });
  }

  async function follow(query: LocationQuery): Promise<void> {
    // Requests in the address are carried out once: going back must not plan again.
    const { new: isNew, retry, template } = query;
    const handed = takeHandedPlan();
    if (handed !== undefined) apply.takePlan(handed.plan, { kind: 'handed', title: handed.title });
    else if (typeof retry === 'string') void apply.retry(retry);
    else if (typeof template === 'string') {
      apply.startOver();
      void chooseTemplate(template);
    } else if (isNew !== undefined) apply.startOver();
    else await goTo(placeOf(query));
    tell();
  }

  async function goTo(place: Place): Promise<void> {
    if (place.job !== undefined && place.job !== apply.jobId) apply.reopen(place.job);
    if (place.step === undefined || place.job !== undefined) return;
    if (choice.text === '' && apply.plan === undefined) await restore(place);
    else if (!same(place, here())) apply.visit(place.step, place.plan);
  }

  /** After a reload: what was chosen, and the plan where it still fits that. */
  async function restore({ step, plan }: Place): Promise<void> {
    const draft = readDraft();
    if (draft === undefined) return;
    restoring.value = true;
    if (devices.listVisits === 0) devices.choose(draft.deviceIds);
    await choice.restore(draft);
    if (plan !== undefined) await apply.recall(plan, draft.source);
    apply.visit(step ?? 'template', plan);
    restoring.value = false;
  }

  async function chooseTemplate(id?: string): Promise<void> {
    await choice.load();
    const wanted =
      choice.templates?.find((entry) => entry.id === id) ??
      (choice.text === '' && !restoring.value ? choice.templates?.[0] : undefined);
    if (wanted !== undefined) choice.choose(wanted);
  }

  watch(
    () => route.query,
    (query) => {
      if (route.path === '/changes/apply') void follow(query);
    },
    { immediate: true },
  );
  watch([() => apply.step, () => apply.plan?.id, () => apply.jobId, restoring], tell);
  watch(
    [
      () => choice.templateId,
      () => choice.text,
      () => choice.raw,
      () => choice.valuesFile,
      () => devices.chosen,
      () => apply.source,
    ],
    () => {
      if (restoring.value || choice.text === '') return;
      keepDraft({ ...choice.draft(), deviceIds: [...devices.chosen], source: apply.source });
    },
    { immediate: true },
  );
  onMounted(() => {
    devices.start();
    void chooseTemplate();
  });
  return { restoring };
}

function placeOf({ step, plan, job }: LocationQuery): Place {
  if (typeof job === 'string') return { job };
  const known = STEPS.find((each) => each === step);
  return { ...removeUndefined({ step: known }), ...(typeof plan === 'string' ? { plan } : {}) };
}

function same(one: Place, other: Place): boolean {
  return one.step === other.step && one.plan === other.plan && one.job === other.job;
}
