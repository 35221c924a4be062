import { useI18n } from 'vue-i18n';
import type { StatusFamily } from '../status/status-labels.ts';

interface Part {
  readonly value: string;
  /** Name of the setting or other part. */
  readonly name: string;
  /** Why, where the word of its state does not say it. */
  readonly why?: string | undefined;
}

/**
 * Returns a function that formats the parts with their outcomes on one line: dozens of groups that all say "5
 * devices" could not be distinguished.
 */
export function useGroupDigest(family: StatusFamily): (parts: readonly Part[]) => string {
  const { t, te } = useI18n();
  return (parts) =>
    [...Map.groupBy(parts, ({ value }) => value)]
      .map(([value, same]) => {
        const names = new Set(same.map(({ name, why }) => name + (why === undefined ? '' : ` (${why})`)));
        const id = `status.${family}.${value}`;
        return t('job.digest', { state: te(id) ? t(id) : value, sections: [...names].join(', ') });
      })
      .join(' · ');
}
