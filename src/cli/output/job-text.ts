/** How a job stands and what became of its devices, in words. */
import { DEVICE_OUTCOMES } from '#shared/model.ts';
import { getCurrentCounts, getShownJobState, type OutcomeTone } from '#shared/outcomes.ts';
import type { Output } from './output.ts';
import type { Paint } from './paint.ts';

export const TONES: Readonly<Record<OutcomeTone, keyof Paint>> = {
  good: 'good',
  info: 'good',
  warn: 'warn',
  special: 'warn',
  bad: 'bad',
  quiet: 'dim',
};

/** Every device that was chosen is in it. */
export function formatDeviceCounts(job: Parameters<typeof getCurrentCounts>[0], out: Output): string {
  const deviceCounts = getCurrentCounts(job);
  const later = job.finishedLater ?? 0;
  const texts = DEVICE_OUTCOMES.flatMap((outcome) => {
    const count = deviceCounts[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${out.say(`cli.job.${outcome}`)}`];
  });
  return [...texts, ...(later === 0 ? [] : [out.say('cli.job.later', { count: later })])].join(', ');
}

type Standing = Parameters<typeof getShownJobState>[0];

export function formatJobStatus(job: Standing, out: Output): string {
  return out.status('job', getShownJobState(job));
}

export function getJobPaint(job: Standing): keyof Paint {
  const standing = getShownJobState(job);
  return standing === 'done' ? 'good' : standing === 'failed' ? 'bad' : 'warn';
}
