import { useI18n } from 'vue-i18n';
import type { JobSummary, Params, UnitResult } from '#shared/model.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { getSectionResult, isSettingsJob } from '#shared/units.ts';
import { useReader } from '../report-layout/use-reader.ts';
import { placeText } from '../labels/detail-text.ts';
import { getSectionLabel, useFieldLabels } from '../labels/field-labels.ts';
import { reveal } from '../labels/format.ts';

type JobOfKind = Pick<JobSummary, 'kind'>;

/** Returns formatters for the names of sections and other units of work, in the language of the screen. */
export function useUnitLabels() {
  const { t, te } = useI18n();
  const fieldLabels = useFieldLabels();
  const reader = useReader();

  function section(of: {
    readonly set: string;
    readonly label: string;
    readonly title?: DocumentText;
  }): string {
    const { set, label, title } = of;
    if (title !== undefined) return reader.value.words(title);
    return getSectionLabel(fieldLabels.value.fields, set, label);
  }

  /** Names the section with its channel, preset, …. */
  function place(of: { readonly set: string; readonly label: string; readonly params: Params }): string {
    return [getSectionLabel(fieldLabels.value.fields, of.set, of.label), placeText(of.params)]
      .filter((text) => text !== '')
      .join(' · ');
  }

  function unit(job: JobOfKind, result: UnitResult): string {
    const setting = getSectionResult(job, result);
    if (setting !== undefined) return section(setting);
    return result.title === undefined ? reveal(result.label) : reader.value.words(result.title);
  }

  /** `3 settings:` */
  function units(job: JobOfKind, count: number): string {
    const of = te(`job.units.${job.kind}`) ? job.kind : isSettingsJob(job) ? 'settings' : 'other';
    return t(`job.units.${of as 'settings'}`, { n: count });
  }

  return { section, place, unit, units };
}
