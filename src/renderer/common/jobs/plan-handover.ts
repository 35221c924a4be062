/** A plan that another screen made, on its way to the Apply screen, where it is looked at and started. */
import { shallowRef } from 'vue';
import type { Plan } from '#shared/model.ts';

interface HandedPlan {
  readonly plan: Plan;
  readonly title: string;
}

const waiting = shallowRef<HandedPlan>();

/** Kept in memory only: with a reload of the window it is gone, and made anew where it came from. */
export function storePlan(handed: HandedPlan): void {
  waiting.value = handed;
}

export function takeHandedPlan(): HandedPlan | undefined {
  const handed = waiting.value;
  waiting.value = undefined;
  return handed;
}
