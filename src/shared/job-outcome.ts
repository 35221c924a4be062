/** Outcome of a job in sentences that count what people count, success first: every face says the same. */
import { createDetail, type BareDetailId, type Detail } from './details.ts';
import type { DeviceResult, JobSummary, UnitOutcome } from './model.ts';
import { getCurrentCounts, getShownJobState, isAtWork, OUTCOMES, type JobStanding } from './outcomes.ts';
import { isGoodPrint, type PrintStatus } from './people/fingerprints.ts';
import { describeBadRows, describePeopleOutcome, type PeopleOutcome } from './people/people-outcome.ts';
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

interface CountedRows {
  /** Outcome of the people of the job, who are counted instead of devices. */
  readonly people?: PeopleOutcome | undefined;
  /** Results of the devices of the job: those of fingerprints say what became of each. */
  readonly results?: readonly DeviceResult[] | undefined;
}

/** Returns the sentences; what people count comes before devices. */
export function describeJobOutcome(
  job: Counted,
  { people, results = [] }: CountedRows = {},
): readonly Detail[] {
  const shown = getShownJobState(job);
  const state = STATES[shown];
  // No device failed: some were away, and the job goes on with them when they are seen.
  const isAway = job.state === 'partial' && (job.deviceCounts.attention ?? 0) === 0;
  return [
    ...(people === undefined ? describePeopleRows(job) : describePeopleOutcome(people)),
    ...(job.about.prints === undefined ? [] : describePrints(results)),
    // Wrong rows have nothing to do with devices: these are counted where they can be finished.
    ...(job.about.people === undefined || people === undefined || job.resumable
      ? describeDevices(job, isAway)
      : []),
    ...(state === undefined || (shown === 'partial' && (isAway || job.about.people !== undefined))
      ? []
      : [createDetail(state)]),
  ];
}

/** Returns what is known of the people of a job without reading them: all that can be done is, or rows that were wrong. */
function describePeopleRows({ about: { people }, ...job }: Counted): readonly Detail[] {
  if (people === undefined) return [];
  const { bad, rows, work } = people;
  const isDone = job.deviceCounts.done === job.devices && (job.counts.accepted ?? 0) === 0;
  if (!isDone) return describeBadRows(people);
  const rest = { unseen: 0, restart: 0, some: 0, open: 0, unsent: [] };
  const done = { everywhere: rows - bad, nowhere: bad };
  return describePeopleOutcome({ ...rest, ...done, work, people: rows, devices: job.devices });
}

/** Returns how many fingerprints are as asked; nothing if none was sent. */
function describePrints(results: readonly DeviceResult[]): readonly Detail[] {
  const counts = results.flatMap(({ units }) =>
    units.flatMap((unit) => ('counts' in unit ? [unit.counts] : [])),
  );
  const all = counts.flatMap((each) => Object.entries(each as Readonly<Record<PrintStatus, number>>));
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const done = all.reduce(
    (sum, [status, count]) => sum + (isGoodPrint(status as PrintStatus) ? count : 0),
    0,
  );
  return [
    createDetail('job-outcome-prints', { done, total }),
    ...(done === total ? [] : [createDetail('job-outcome-prints-bad', { count: total - done })]),
  ];
}

/** Returns the outcome of a sign-in that was tried on these devices; `untried`: number of devices that a stop left out. */
export function describeSignIns(tests: readonly { readonly ok: boolean }[], untried = 0): readonly Detail[] {
  const done = tests.filter(({ ok }) => ok).length;
  const failed = tests.length - done;
  return [
    createDetail('sign-in-outcome', { done, devices: tests.length + untried }),
    ...(failed === 0 ? [] : [createDetail('sign-in-outcome-failed', { count: failed })]),
    ...(untried === 0 ? [] : [createDetail('sign-in-outcome-untried', { count: untried })]),
  ];
}

function describeDevices(job: Counted, isAway: boolean): readonly Detail[] {
  const counts = getCurrentCounts(job);
  const { done = 0, attention = 0, pending = 0, unsupported = 0 } = counts;
  const writes = isSettingsJob(job) && job.about.call === undefined;
  const isProved = writes && done > 0 && (job.counts.accepted ?? 0) === 0;
  const rest = [
    ['restart', counts['needs-reboot'] ?? 0],
    ['attention', attention],
    // A flow that was left is begun; how far it is, its steps say.
    [isAway ? 'away' : 'pending', isAtWork(job.state) || job.kind === 'flow' ? 0 : pending],
    ['unsupported', unsupported],
    ['later', job.finishedLater ?? 0],
  ] as const;
  const units = Object.entries(job.counts) as readonly [UnitOutcome, number][];
  const sum = (some: typeof units): number => some.reduce((all, [, count]) => all + count, 0);
  const steps = sum(units);
  return [
    job.kind === 'flow' && steps > 0
      ? createDetail('job-outcome-steps', {
          done: sum(units.filter(([outcome]) => OUTCOMES[outcome].good || outcome === 'skipped')),
          steps,
          devices: job.devices,
        })
      : createDetail('job-outcome', {
          done,
          devices: job.devices,
          work: !writes ? 'any' : job.kind === 'undo' ? 'undo' : 'apply',
          proof: isProved ? 'seen' : 'none',
        }),
    ...rest.flatMap(([name, count]) => (count === 0 ? [] : [createDetail(`job-outcome-${name}`, { count })])),
  ];
}
