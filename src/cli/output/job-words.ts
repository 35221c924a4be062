/** How a job stands and what became of its devices, in words. */
import { DEVICE_OUTCOMES, type DeviceOutcome, type JobSummary } from '../../shared/model.ts';
import { jobStanding, type OutcomeTone } from '../../shared/outcomes.ts';
import type { Paint } from './paint.ts';

export const TONES: Readonly<Record<OutcomeTone, keyof Paint>> = {
  good: 'good',
  info: 'good',
  warn: 'warn',
  special: 'warn',
  bad: 'bad',
  quiet: 'dim',
};

/** How many devices …: one, several. */
const WORDS: Readonly<Record<DeviceOutcome, readonly [string, string]>> = {
  done: ['done', 'done'],
  'needs-reboot': ['waits for a restart', 'wait for a restart'],
  attention: ['still needs you', 'still need you'],
  pending: ['not begun', 'not begun'],
  unsupported: ['has no such setting', 'have no such setting'],
};

/** Every device that was chosen is in it. */
export function deviceWords({ deviceCounts }: Pick<JobSummary, 'deviceCounts'>): string {
  return DEVICE_OUTCOMES.flatMap((outcome) => {
    const count = deviceCounts[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${WORDS[outcome][count === 1 ? 0 : 1]}`];
  }).join(', ');
}

export function standingWord(job: Pick<JobSummary, 'state' | 'rebootPending'>): string {
  const standing = jobStanding(job);
  return standing === 'needs-reboot' ? 'waiting for restart' : standing;
}

export function standingPaint(job: Pick<JobSummary, 'state' | 'rebootPending'>): keyof Paint {
  const standing = jobStanding(job);
  return standing === 'done' ? 'good' : standing === 'failed' ? 'bad' : 'warn';
}
