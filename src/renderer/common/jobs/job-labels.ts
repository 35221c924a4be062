import { useI18n } from 'vue-i18n';
import { describeJobOutcome } from '#shared/job-outcome.ts';
import type { JobSummary } from '#shared/model.ts';
import { addJobSelection, getJobTitle } from '#shared/units.ts';
import { useFieldLabels } from '../labels/field-labels.ts';
import { reveal } from '../labels/format.ts';
import { describeDetail } from '../labels/detail-text.ts';
import { formatPersonSentence } from '../labels/person-words.ts';
import { formatTemplateName } from '../labels/template-labels.ts';

type Named = Pick<JobSummary, 'title' | 'about'>;
type Ended = Parameters<typeof describeJobOutcome>[0];

/** Words for jobs: their outcome, subject and kind. */
export function useJobLabels() {
  const { t, n, te } = useI18n();
  const fieldLabels = useFieldLabels();

  /** Returns the sentences of the outcome of a job; `rows`: outcome of its people and devices. */
  function outcome(job: Ended, rows?: Parameters<typeof describeJobOutcome>[1]): readonly string[] {
    return describeJobOutcome(job, rows).flatMap((sentence) => formatPersonSentence(sentence) ?? []);
  }

  /**
   * Formats the subject of a job: a template's name in the language of the screen, with its version; for
   * people also the file or the device they come from.
   */
  function about({ title, about: subject }: Named): string {
    const { template, call } = subject;
    if (call !== undefined) return fieldLabels.value.fields[call.operation] ?? reveal(title);
    if (template === undefined) return getJobTitle(subject, describeDetail) ?? reveal(title);
    const name = formatTemplateName(template);
    return template.version === undefined ? name : t('job.version', { name, n: n(template.version) });
  }

  /** Formats what a job does, without its devices. */
  function work(job: Pick<JobSummary, 'kind' | 'title' | 'about'>): string {
    return job.kind === 'undo' ? t('job.undoneOf', { name: about(job) }) : about(job);
  }

  /** Formats what a job does and the devices that it was begun for. */
  function title(job: Pick<JobSummary, 'kind' | 'title' | 'about'>): string {
    return reveal(addJobSelection(work(job), job.about, describeDetail));
  }

  /** A kind that this version does not know is called as in the journal. */
  function kind(name: string): string {
    const id = `job.kinds.${name}`;
    return te(id) ? t(id) : reveal(name);
  }

  return { outcome, headline: (job: Ended) => outcome(job).join(' '), work, title, kind };
}

export function buildJobPath({ id, kind }: Pick<JobSummary, 'id' | 'kind'>): string {
  // Kinds of jobs that have a screen of their own are shown there.
  const places: Readonly<Record<string, string>> = {
    flow: '/commission/run',
    model: '/models/job',
    people: '/people/job',
    fingerprints: '/people/fingerprints/job',
  };
  const place = places[kind];
  return place === undefined ? buildHistoryPath(id) : `${place}/${encodeURIComponent(id)}`;
}

export const HISTORY_PATH = '/work/history';

export function buildHistoryPath(id: string): string {
  return `${HISTORY_PATH}/${encodeURIComponent(id)}`;
}
