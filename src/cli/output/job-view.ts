/** A job for people: one row a device, one column a section, the outcome in each cell. */
import type { DeviceResult, Job, JobSummary, SectionResult } from '../../shared/model.ts';
import { ATTENTION, OUTCOMES, shownOutcome } from '../../shared/outcomes.ts';
import { cleanLine } from './clean.ts';
import { errorLines } from './errors.ts';
import { deviceWords, standingWord, TONES } from './job-words.ts';
import type { Output } from './output.ts';
import type { Paint } from './paint.ts';
import type { Column } from './table.ts';
import { textWidth } from './width.ts';

function paintOf(section: DeviceResult['sections'][number] | undefined): keyof Paint | undefined {
  return section === undefined ? undefined : TONES[OUTCOMES[shownOutcome(section)].tone];
}

/** As the screens call it. */
function outcomeWord(section: SectionResult, out: Output): string {
  return out.status('outcome', shownOutcome(section));
}

function sectionColumns(results: readonly DeviceResult[], out: Output): readonly Column<DeviceResult>[] {
  // An undo or a retry has other sections for each device.
  const sections = [
    ...new Map(
      results.flatMap((device) => device.sections).map((section) => [section.index, section]),
    ).values(),
  ].sort((a, b) => a.index - b.index);
  return sections.map(({ index, set }) => ({
    title: set.split('.').at(-1) ?? set,
    cell: (device) => {
      const section = device.sections.find((candidate) => candidate.index === index);
      if (section !== undefined) return outcomeWord(section, out);
      return device.state === 'failed' ? out.status('outcome', 'failed') : '—';
    },
    paint: (device) => paintOf(device.sections.find((section) => section.index === index)),
  }));
}

/** Every error of the job in words, each naming its device. */
function problemLines(results: readonly DeviceResult[], out: Output): readonly string[] {
  return results.flatMap((device) => {
    const errors = [
      device.error,
      ...device.sections.map(({ error, outcome }) => (outcome === 'skipped' ? undefined : error)),
    ].filter((error) => error !== undefined);
    const distinct = errors.filter(
      (error, at) =>
        errors.findIndex(
          (other) =>
            other.code === error.code &&
            other.message === error.message &&
            other.operation === error.operation,
        ) === at,
    );
    return distinct.flatMap((error) => errorLines({ ...error, device: device.name }, out));
  });
}

/** A name that was made of the address says it already. */
function isNamed({ name, url }: DeviceResult): boolean {
  return URL.parse(url)?.host !== name;
}

const DEVICE_COLUMNS: readonly Column<DeviceResult>[] = [
  { title: 'DEVICE', cell: ({ name }) => name, flexible: true },
  { title: 'ADDRESS', cell: ({ url }) => url, flexible: true },
];
/** What device and address need at the least to be told apart. */
const NEEDED_FOR_DEVICE = 24;

function wideTable(out: Output, job: Job): boolean {
  const sections = sectionColumns(job.results, out);
  const needed = sections.reduce(
    (sum, { title, cell }) =>
      sum + 2 + Math.max(textWidth(title), ...job.results.map((device) => textWidth(cell(device)))),
    NEEDED_FOR_DEVICE,
  );
  if (out.width !== undefined && needed > out.width) return false;
  out.table<DeviceResult>(
    [...DEVICE_COLUMNS.slice(0, job.results.some(isNamed) ? 2 : 1), ...sections],
    job.results,
  );
  return true;
}

interface Line {
  readonly name: string;
  readonly section?: SectionResult;
  readonly outcome: string;
}

/** One line a setting, where the columns would not fit; one for a device that has none. */
function longTable(out: Output, job: Job): void {
  const rows = job.results.flatMap(({ name, state, sections }): readonly Line[] =>
    sections.length === 0
      ? [
          {
            name,
            outcome:
              state === 'pending' || state === 'failed'
                ? out.status('outcome', state)
                : out.status('job', state),
          },
        ]
      : sections.map((section, at) => ({
          name: at === 0 ? name : '',
          section,
          outcome: outcomeWord(section, out),
        })),
  );
  out.table<Line>(
    [
      { title: 'DEVICE', cell: ({ name }) => name, flexible: true },
      { title: 'SETTING', cell: ({ section }) => section?.label ?? '—', flexible: true },
      { title: 'OUTCOME', cell: ({ outcome }) => outcome, paint: ({ section }) => paintOf(section) },
    ],
    rows,
  );
}

/** What a job is about stands beside its other fields. */
export function forScripts<Summary extends JobSummary>({ about, ...job }: Summary) {
  return { ...job, ...about };
}

export function printJob(out: Output, job: Job): void {
  if (!wideTable(out, job)) longTable(out, job);
  for (const line of problemLines(job.results, out)) out.note(line);
  const counts = ATTENTION.filter((outcome) => outcome !== 'unsupported').flatMap((outcome) => {
    const count = job.counts[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${out.status('outcome', outcome)}`];
  });
  const end = out.say('cli.job-end', {
    title: cleanLine(job.title),
    devices: deviceCount(job.devices, out),
    outcomes: deviceWords(job, out),
    counts: counts.join(', ') || '—',
    id: job.id,
    state: standingWord(job, out),
  });
  out.line(`\n${end}`);
}

export function deviceCount(count: number, out: Output): string {
  return count === 1 ? out.say('cli.device') : out.say('cli.devices', { count });
}
