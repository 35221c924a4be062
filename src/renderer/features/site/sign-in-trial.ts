/** The test of many devices' sign-ins: one at a time, counted on the screen and in the place of running work. */
import { computed } from 'vue';
import type { DeviceTest } from '../../../shared/model.ts';
import { useAccess } from '../../common/access/access.store.ts';
import { useActivities } from '../../common/jobs/work/activities.store.ts';

/** What it is called among what runs. */
const TRIAL = 'signIn.trying';

export function useSignInTrial() {
  const access = useAccess();
  const activities = useActivities();
  /** The one that is under way. */
  const trial = computed(() => activities.list.find(({ title }) => title === TRIAL));

  /** Undefined where another one runs; devices that a stop left untried are not among the answers. */
  async function testMany(ids: readonly string[]): Promise<readonly DeviceTest[] | undefined> {
    if (trial.value !== undefined) return undefined;
    const stopping = new AbortController();
    const total = ids.length;
    const shown = activities.begin({ title: TRIAL, to: '/site', total, cancel: () => stopping.abort() });
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
