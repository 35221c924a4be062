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
  const widest = results.reduce<DeviceResult | undefined>((best, each) => (best && best.sections.length >= each.sections.length ? best : each), undefined);
  return (widest?.sections ?? []).map(({ index, set }) => ({
    title: set.split('.').at(-1) ?? set,
    cell: (device) => device.sections.find((section) => section.index === index)?.outcome ?? '—',
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

export function printJob(out: Output, job: Job): void {
  out.table<DeviceResult>([
    { title: 'DEVICE', cell: ({ name }) => name, flexible: true },
    { title: 'ADDRESS', cell: ({ url }) => url, flexible: true },
    ...sectionColumns(job.results),
  ], job.results);
  for (const line of problemLines(job.results)) out.note(line);
  const counts = Object.entries(job.counts).filter(([, count]) => (count ?? 0) > 0).map(([outcome, count]) => `${count} ${outcome}`);
  out.line(`\n${cleanLine(job.template.name)}: ${job.devices} ${job.devices === 1 ? 'device' : 'devices'}, ${counts.join(', ') || 'nothing to do'}. Job ${job.id}: ${job.state}.`);
}
