/** A job for people: one row a device and one column a setting, else one row a unit of work. */
import type { DeviceResult, Job, UnitResult } from '#shared/model.ts';
import { ATTENTION, OUTCOMES, getShownOutcome } from '#shared/outcomes.ts';
import { describeJobOutcome } from '#shared/job-outcome.ts';
import type { PeopleOutcome } from '#shared/people/people-outcome.ts';
import { getSectionResult, isSettingsJob } from '#shared/units.ts';
import { formatError } from './errors.ts';
import { formatJobStatus, TONES } from './job-text.ts';
import { formatJobName, formatSectionName } from './names.ts';
import type { Output } from './output.ts';
import type { Paint } from './paint.ts';
import type { Columns } from './table.ts';
import { measureText } from './width.ts';

function paintOf(unit: UnitResult | undefined): keyof Paint | undefined {
  return unit === undefined ? undefined : TONES[OUTCOMES[getShownOutcome(unit)].tone];
}

/** Returns the outcome in the words of the screens. */
function outcomeWord(unit: UnitResult, out: Output): string {
  return out.status('outcome', getShownOutcome(unit));
}

function nameOf(job: Job, unit: UnitResult, out: Output): string {
  const section = getSectionResult(job, unit);
  if (section !== undefined) return formatSectionName(out, section);
  return unit.title === undefined ? unit.label : out.words(unit.title);
}

function listSectionColumns(job: Job, out: Output) {
  // An undo or a retry has other sections for each device.
  const sections = new Map(
    job.results.flatMap(({ units }) => units.map((unit) => [unit.index, getSectionResult(job, unit)])),
  );
  return [...sections]
    .sort(([a], [b]) => a - b)
    .map(([at, section]) => ({
      title: section?.set.split('.').at(-1) ?? '',
      value: (device: DeviceResult) => {
        const unit = device.units.find(({ index }) => index === at);
        if (unit !== undefined) return outcomeWord(unit, out);
        return device.state === 'failed' ? out.status('outcome', 'failed') : '—';
      },
      paint: (device: DeviceResult) => paintOf(device.units.find(({ index }) => index === at)),
    }));
}

/** Returns every error of the job in words, each with the name of its device. */
function problemLines(results: readonly DeviceResult[], out: Output): readonly string[] {
  return results.flatMap((device) => {
    const errors = [
      device.error,
      ...device.units.map(({ error, outcome }) => (outcome === 'skipped' ? undefined : error)),
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
    return distinct.flatMap((error) => formatError({ ...error, device: device.name }, out));
  });
}

/** Returns the warnings of writes, each with the name of its device. */
function warningLines(job: Job, out: Output): readonly string[] {
  return job.results.flatMap(({ name, units }) =>
    units
      .flatMap((unit) => getSectionResult(job, unit)?.warnings ?? [])
      .flatMap((warning) => formatError({ ...warning, device: name }, out))
      .map((line) => out.paint.warn(out.say('cli.warning', { line }))),
  );
}

/** Returns whether the name says more than the address that it may have been made of. */
function isNamed({ name, url }: DeviceResult): boolean {
  return URL.parse(url)?.host !== name;
}

/** Smallest width at which device and address can be distinguished. */
const NEEDED_FOR_DEVICE = 24;

function wideTable(out: Output, job: Job): boolean {
  const sections = listSectionColumns(job, out);
  const needed = sections.reduce(
    (sum, { title, value }) =>
      sum + 2 + Math.max(measureText(title), ...job.results.map((device) => measureText(value(device)))),
    NEEDED_FOR_DEVICE,
  );
  if (out.width !== undefined && needed > out.width) return false;
  const columns: Columns<DeviceResult> = {
    DEVICE: { value: 'name', flexible: true },
    ...(job.results.some(isNamed) && { ADDRESS: { value: 'url', flexible: true } }),
    // Sections may share a title: the name of a column is the section's place.
    ...Object.fromEntries(sections.map((column, at) => [`section ${at}`, column])),
  };
  out.table(job.results, columns);
  return true;
}

interface Line {
  readonly name: string;
  readonly unit?: UnitResult;
  readonly outcome: string;
}

/** One line a unit, where the columns would not fit; one for a device that has none. */
function longTable(out: Output, job: Job): void {
  const rows = job.results.flatMap(({ name, state, units }): readonly Line[] =>
    units.length === 0
      ? [
          {
            name,
            outcome:
              state === 'pending' || state === 'failed'
                ? out.status('outcome', state)
                : out.status('job', state),
          },
        ]
      : units.map((unit, at) => ({
          name: at === 0 ? name : '',
          unit,
          outcome: outcomeWord(unit, out),
        })),
  );
  out.table(rows, {
    DEVICE: { value: 'name', flexible: true },
    [isSettingsJob(job) ? 'SETTING' : 'STEP']: {
      value: ({ unit }) => (unit === undefined ? '—' : nameOf(job, unit, out)),
      flexible: true,
    },
    OUTCOME: { value: 'outcome', paint: ({ unit }) => paintOf(unit) },
  });
}

/** Prints how the job ended, in the sentences of the screen. */
export function printOutcome(out: Output, job: Job, people?: PeopleOutcome): void {
  for (const sentence of describeJobOutcome(job, { people, results: job.results }))
    out.line(out.sentence(sentence));
}

/** `people`: what became of the people of the job. */
export function printJob(out: Output, job: Job, people?: PeopleOutcome): void {
  // Units of other kinds have long names, and may be others on each device.
  if (!isSettingsJob(job) || !wideTable(out, job)) longTable(out, job);
  for (const line of problemLines(job.results, out)) out.note(line);
  for (const line of warningLines(job, out)) out.note(line);
  // Counted by the words of the table, which has one for settings that a device lacks.
  const shown = Map.groupBy(
    job.results.flatMap(({ units }) => units),
    getShownOutcome,
  );
  const counts = ATTENTION.flatMap((outcome) => {
    const count = shown.get(outcome)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${out.status('outcome', outcome)}`];
  });
  const end = out.say(isSettingsJob(job) ? 'cli.job-end' : 'cli.job-end-steps', {
    title: formatJobName(out, job),
    counts: counts.join(', ') || '—',
    id: job.id,
    state: formatJobStatus(job, out),
  });
  out.line(`\n${end}`);
  printOutcome(out, job, people);
}
