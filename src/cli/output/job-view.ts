/** A job for people: one row a device, one column a section, the outcome in each cell. */
import type { DeviceResult, Job, SectionOutcome } from '../../shared/model.ts';
import { cleanLine } from './clean.ts';
import { errorLines } from './errors.ts';
import type { Output } from './output.ts';
import type { Paint } from './paint.ts';
import type { Column } from './table.ts';

const COLORS: Readonly<Record<SectionOutcome, keyof Paint>> = {
  effective: 'good', accepted: 'good', unchanged: 'dim', skipped: 'dim', pending: 'dim', 'needs-reboot': 'warn',
  unknown: 'warn', ignored: 'bad', refused: 'bad', blocked: 'bad', failed: 'bad',
};

function sectionColumns(results: readonly DeviceResult[]): readonly Column<DeviceResult>[] {
  // An undo or a retry has other sections for each device.
  const sections = [...new Map(results.flatMap((device) => device.sections).map((section) => [section.index, section])).values()].sort((a, b) => a.index - b.index);
  return sections.map(({ index, set }) => ({
    title: set.split('.').at(-1) ?? set,
    cell: (device) => device.sections.find((section) => section.index === index)?.outcome ?? (device.state === 'failed' ? 'failed' : '—'),
    paint: (device) => {
      const outcome = device.sections.find((section) => section.index === index)?.outcome;
      return outcome && COLORS[outcome];
    },
  }));
}

/** Every error of the job in words, each naming its device. */
function problemLines(results: readonly DeviceResult[]): readonly string[] {
  return results.flatMap((device) => {
    const errors = [device.error, ...device.sections.map(({ error, outcome }) => (outcome === 'skipped' ? undefined : error))].filter((error) => error !== undefined);
    const distinct = errors.filter((error, at) => errors.findIndex((other) => other.code === error.code && other.message === error.message && other.operation === error.operation) === at);
    return distinct.flatMap((error) => errorLines({ ...error, device: device.name }));
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
  const sections = sectionColumns(job.results);
  const needed = sections.reduce((sum, { title, cell }) => sum + 2 + Math.max(title.length, ...job.results.map((device) => cell(device).length)), NEEDED_FOR_DEVICE);
  if (out.width !== undefined && needed > out.width) return false;
  out.table<DeviceResult>([...DEVICE_COLUMNS.slice(0, job.results.some(isNamed) ? 2 : 1), ...sections], job.results);
  return true;
}

/** One line a setting, where the columns would not fit. */
function longTable(out: Output, job: Job): void {
  const rows = job.results.flatMap((device) => device.sections.map((section, at) => ({ name: at === 0 ? device.name : '', section })));
  out.table<(typeof rows)[number]>([
    { title: 'DEVICE', cell: ({ name }) => name, flexible: true },
    { title: 'SETTING', cell: ({ section }) => section.label, flexible: true },
    { title: 'OUTCOME', cell: ({ section }) => section.outcome, paint: ({ section }) => COLORS[section.outcome] },
  ], rows);
}

export function printJob(out: Output, job: Job): void {
  if (!wideTable(out, job)) longTable(out, job);
  for (const line of problemLines(job.results)) out.note(line);
  const counts = Object.entries(job.counts).filter(([, count]) => (count ?? 0) > 0).map(([outcome, count]) => `${count} ${outcome}`);
  out.line(`\n${cleanLine(job.template.name)}: ${job.devices} ${job.devices === 1 ? 'device' : 'devices'}, ${counts.join(', ') || 'nothing was sent'}. Job ${job.id}: ${job.state}.`);
}
