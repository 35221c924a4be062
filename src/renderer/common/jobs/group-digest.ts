import { useI18n } from 'vue-i18n';
import { sectionLabel, useFieldWords } from '../words/field-words.ts';
import type { StatusFamily } from '../status/status-words.ts';

interface Part {
  readonly value: string;
  readonly set: string;
  readonly label: string;
  /** Why, where the word of its state does not say it. */
  readonly why?: string | undefined;
}

/** What became of which section, in one line: dozens of groups that all say "5 devices" could not be told apart. */
export function useGroupDigest(family: StatusFamily): (parts: readonly Part[]) => string {
  const { t } = useI18n();
  const fieldWords = useFieldWords();
  return (parts) =>
    [...Map.groupBy(parts, ({ value }) => value)]
      .map(([value, same]) => {
        const names = new Set(
          same.map(
            ({ set, label, why }) =>
              sectionLabel(fieldWords.value.words, set, label) + (why === undefined ? '' : ` (${why})`),
          ),
        );
        return t('job.digest', { state: t(`status.${family}.${value}`), sections: [...names].join(', ') });
      })
      .join(' · ');
}
