/** Outcome of a job in sentences that count what people count, success first: every face says the same. */
import { createDetail, type BareDetailId, type Detail } from './details.ts';
import type { JobSummary } from './model.ts';
import { getCurrentCounts, getShownJobState, isAtWork, type JobStanding } from './outcomes.ts';
import { describePeopleOutcome, type PeopleOutcome } from './people/people-outcome.ts';
import { isSettingsJob } from './units.ts';

type Counted = Pick<
  JobSummary,
  'kind' | 'state' | 'resumable' | 'deviceCounts' | 'counts' | 'devices' | 'about' | 'finishedLater'
>;

const STATES: Readonly<Partial<Record<JobStanding, BareDetailId>>> = {
  running: 'job-ended-running',
  waiting: 'job-ended-waiting',
  partial: 'job-ended-partial',
  cancelled: 'job-ended-cancelled',
  interrupted: 'job-ended-interrupted',
  stopped: 'job-ended-stopped',
};

/** Returns the sentences; `people`: outcome of the people of the job, who are counted instead of devices. */
export function describeJobOutcome(job: Counted, people?: PeopleOutcome): readonly Detail[] {
  const state = STATES[getShownJobState(job)];
  // No device failed: some were away, and the job goes on with them when they are seen.
  const isAway = job.state === 'partial' && (job.deviceCounts.attention ?? 0) === 0;
  return [
    ...(people === undefined ? describePeopleRows(job) : describePeopleOutcome(people)),
    // Wrong rows have nothing to do with devices: these are counted where they can be finished.
    ...(job.about.people === undefined || people === undefined || job.resumable
      ? describeDevices(job, isAway)
      : []),
    ...(state === undefined || (job.state === 'partial' && (isAway || job.about.people !== undefined))
      ? []
      : [createDetail(state)]),
  ];
}

/** Returns what is known of the people of a job without reading them: all are done, or rows that were wrong. */
function describePeopleRows({ about: { people }, ...job }: Counted): readonly Detail[] {
  if (people === undefined) return [];
  const { bad, rows, work } = people;
  if (bad > 0) return [createDetail('people-bad-rows', { bad, rows })];
  const isDone = job.deviceCounts.done === job.devices && (job.counts.accepted ?? 0) === 0;
  if (!isDone) return [];
  const rest = { unseen: 0, restart: 0, some: 0, nowhere: 0, open: 0, unsent: [] };
  return describePeopleOutcome({ ...rest, work, people: rows, devices: job.devices, everywhere: rows });
}

function describeDevices(job: Counted, isAway: boolean): readonly Detail[] {
  const counts = getCurrentCounts(job);
  const { done = 0, attention = 0, pending = 0, unsupported = 0 } = counts;
  const writes = isSettingsJob(job) && job.about.call === undefined;
  const isProved = writes && done > 0 && (job.counts.accepted ?? 0) === 0;
  const rest = [
    ['restart', counts['needs-reboot'] ?? 0],
    ['attention', attention],
    [isAway ? 'away' : 'pending', isAtWork(job.state) ? 0 : pending],
    ['unsupported', unsupported],
    ['later', job.finishedLater ?? 0],
  ] as const;
  return [
    createDetail('job-outcome', {
      done,
      devices: job.devices,
      work: !writes ? 'any' : job.kind === 'undo' ? 'undo' : 'apply',
      proof: isProved ? 'seen' : 'none',
    }),
    ...rest.flatMap(([name, count]) => (count === 0 ? [] : [createDetail(`job-outcome-${name}`, { count })])),
  ];
}
