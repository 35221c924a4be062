/** The test of many devices' sign-ins: one at a time, counted on the screen and in the place of running work. */
import { useMessage } from 'naive-ui';
import { computed } from 'vue';
import { describeSignIns } from '#shared/job-outcome.ts';
import type { DeviceTest } from '#shared/model.ts';
import { announce } from '#renderer/composables/announcer.ts';
import { describeDetail } from '../labels/detail-text.ts';
import { useActivities } from '../jobs/work/activities.store.ts';
import { useAccess } from './access.store.ts';

/** Title of the trial in the list of running activities. */
const TRIAL = 'signIn.trying';

export function useSignInTrial() {
  const access = useAccess();
  const activities = useActivities();
  /** The one that is under way. */
  const trial = computed(() => activities.list.find(({ title }) => title === TRIAL));

  /**
   * Tests the devices; returns undefined if another trial runs. Devices that were not tested because of a
   * stop are not among the results.
   */
  async function testMany(ids: readonly string[]): Promise<readonly DeviceTest[] | undefined> {
    if (trial.value !== undefined) return undefined;
    const stopping = new AbortController();
    const total = ids.length;
    const shown = activities.begin({ title: TRIAL, to: '/devices', total, cancel: () => stopping.abort() });
    const tests: DeviceTest[] = [];
    const heard = (more: readonly DeviceTest[]): void => {
      tests.push(...more);
      shown.progress(tests.length, total);
    };
    await access.testEach(ids, { signal: stopping.signal, heard }).finally(shown.end);
    return tests;
  }

  return { trial, testMany };
}

/** Returns a function that says how tests ended, wherever the person is by then; `untried`: how many a stop left out. */
export function useTestsTold(): (tests: readonly DeviceTest[], untried?: number) => void {
  const message = useMessage();
  return (tests, untried = 0) => {
    const text = describeSignIns(tests, untried)
      .flatMap((sentence) => describeDetail(sentence) ?? [])
      .join(' ');
    announce(text);
    if (untried === 0 && tests.every(({ ok }) => ok)) message.success(text);
    else message.warning(text);
  };
}
