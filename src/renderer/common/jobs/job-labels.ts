import { useI18n } from 'vue-i18n';
import { DEVICE_OUTCOMES, type JobSummary } from '#shared/model.ts';
import { describePeopleOutcome } from '#shared/people/people-outcome.ts';
import { getCurrentCounts, getShownJobState } from '#shared/outcomes.ts';
import { getJobTitle } from '#shared/units.ts';
import { useFieldLabels } from '../labels/field-labels.ts';
import { revealHiddenCharacters } from '../labels/format.ts';
import { describeDetail } from '../labels/detail-text.ts';
import { formatTemplateName } from '../labels/template-labels.ts';

type Named = Pick<JobSummary, 'title' | 'about'>;
type Counted = Pick<JobSummary, 'deviceCounts' | 'finishedLater'>;
type Ended = Pick<
  JobSummary,
  'kind' | 'state' | 'resumable' | 'deviceCounts' | 'counts' | 'devices' | 'about' | 'finishedLater'
>;

/** How a job ended, in words: nothing is "all done" that waits for a restart or got nothing. */
export function useJobLabels() {
  const { t, n, te } = useI18n();
  const fieldLabels = useFieldLabels();

  /** Formats how many devices had which outcome: every chosen device is counted. */
  function devices(job: Counted): string {
    const counts = getCurrentCounts(job);
    const later = job.finishedLater ?? 0;
    return [
      ...DEVICE_OUTCOMES.flatMap((outcome) => {
        const count = counts[outcome] ?? 0;
        return count === 0 ? [] : [t(`job.devices.${outcome}`, { n: count })];
      }),
      ...(later === 0 ? [] : [t('job.devices.later', { n: later })]),
    ].join(t('job.devices.comma'));
  }

  /** Outcome for people where all devices are done; undefined if some of it cannot be read back. */
  function peopleDone({ about: { people }, counts, devices: count }: Ended): string | undefined {
    if (people === undefined || people.bad > 0 || (counts.accepted ?? 0) > 0) return undefined;
    const rest = { unseen: 0, restart: 0, some: 0, nowhere: 0, open: 0, unsent: [] };
    const [sentence] = describePeopleOutcome({
      ...rest,
      ...{ work: people.work, people: people.rows, devices: count, everywhere: people.rows },
    });
    return sentence && describeDetail(sentence);
  }

  function headline(job: Ended): string {
    if (job.finishedLater !== undefined) return devices(job);
    const { attention = 0, pending = 0 } = job.deviceCounts;
    // No device failed: some were away, and continue when they are seen.
    if (job.state === 'partial' && attention === 0 && pending > 0) return t('job.ended.away', { n: pending });
    if (getShownJobState(job) === 'stopped') return t('job.ended.stopped');
    if (job.state !== 'done' && job.state !== 'failed') return t(`job.ended.${job.state}`);
    const [outcome, ...others] = DEVICE_OUTCOMES.filter((each) => (job.deviceCounts[each] ?? 0) > 0);
    if (others.length > 0 || outcome === undefined) return devices(job);
    const count = job.deviceCounts[outcome] ?? 0;
    if (outcome === 'done' && job.kind === 'undo') return t('job.undone');
    if (outcome === 'done') return peopleDone(job) ?? t('job.ended.done', { n: count });
    return outcome === 'needs-reboot' ? t('job.ended.restarts', { n: count }) : devices(job);
  }

  /**
   * Formats the subject of a job: a template's name in the language of the screen, with its version; for
   * people also the file or the device they come from.
   */
  function about({ title, about: subject }: Named): string {
    const { template, call } = subject;
    if (call !== undefined) return fieldLabels.value.fields[call.operation] ?? revealHiddenCharacters(title);
    if (template === undefined) return getJobTitle(subject, describeDetail) ?? revealHiddenCharacters(title);
    const name = formatTemplateName(template);
    return template.version === undefined ? name : t('job.version', { name, n: n(template.version) });
  }

  function title(job: Pick<JobSummary, 'kind' | 'title' | 'about'>): string {
    return job.kind === 'undo' ? t('job.undoneOf', { name: about(job) }) : about(job);
  }

  /** A kind that this version does not know is called as in the journal. */
  function kind(name: string): string {
    const id = `job.kinds.${name}`;
    return te(id) ? t(id) : revealHiddenCharacters(name);
  }

  return { devices, headline, about, title, kind };
}

/** Returns the path of the screen that shows a job. */
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

/** Path of the screen that lists all jobs. */
export const HISTORY_PATH = '/work/history';

/** Returns the path of a job in the history, where a job of every kind is shown. */
export function buildHistoryPath(id: string): string {
  return `${HISTORY_PATH}/${encodeURIComponent(id)}`;
}
