import { useI18n } from 'vue-i18n';
import type { JobSummary } from '#shared/model.ts';
import { useJobLabels } from '../job-labels.ts';
import { useWork } from './work.store.ts';

/** Returns a function that says in words which job another one waits for; undefined if it waits for none. */
export function useWaitsFor(): (job: Pick<JobSummary, 'waitsFor'>) => string | undefined {
  const { t } = useI18n();
  const work = useWork();
  const labels = useJobLabels();
  return ({ waitsFor }) => {
    if (waitsFor === undefined) return undefined;
    const first = work.jobs?.find(({ id }) => id === waitsFor);
    return first === undefined
      ? t('work.waitsForId', { id: waitsFor })
      : t('work.waitsFor', { title: labels.title(first) });
  };
}
