import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { BareMessageId } from '#renderer/common/labels/translate.ts';

/** Long reading under way in this window, which is no job: nothing is written and nothing is kept to resume. */
export interface Activity {
  readonly id: number;
  /** Key of its words. */
  readonly title: BareMessageId;
  /** The screen that shows it. */
  readonly to: string;
  readonly done: number;
  readonly total: number;
  readonly cancel: () => void;
}

export const useActivities = defineStore('activities', () => {
  const list = shallowRef<readonly Activity[]>([]);
  let last = 0;

  /** Shows an activity with the jobs until its end is reported. */
  function begin(activity: Omit<Activity, 'id' | 'done'>): {
    readonly progress: (done: number, total: number) => void;
    readonly end: () => void;
  } {
    const id = (last += 1);
    list.value = [...list.value, { ...activity, id, done: 0 }];
    return {
      progress(done, total) {
        list.value = list.value.map((one) => (one.id === id ? { ...one, done, total } : one));
      },
      end() {
        list.value = list.value.filter((one) => one.id !== id);
      },
    };
  }

  /** 0 to 1, of each the same weight. */
  const share = computed(() =>
    list.value.length === 0
      ? undefined
      : list.value.reduce((sum, { done, total }) => sum + done / Math.max(1, total), 0) / list.value.length,
  );

  return { list, share, begin };
});
