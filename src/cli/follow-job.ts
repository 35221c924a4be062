/** A job while it runs, on the terminal or as a stream of JSON, and its end. */
import { say } from '#shared/details.ts';
import { toErrorShape, userError } from '#shared/errors.ts';
import type { PeopleOutcome } from '#shared/people/people-outcome.ts';
import type { Engine } from '#engine/api.ts';
import { getShownOutcome } from '#shared/outcomes.ts';
import type { Job, JobEvent } from '#shared/model.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Invocation } from './invocation.ts';
import { getJobExitCode } from './job-exit.ts';
import { createDateFormat } from './output/date-format.ts';
import { noteError, translateError } from './output/errors.ts';
import { toScriptEvent, toScriptJob } from './output/for-scripts.ts';
import { printJob } from './output/job-view.ts';
import { ModelLines } from './output/model-lines.ts';

interface FollowOptions {
  /** True prints what happens as it happens. */
  readonly progress: boolean | undefined;
  /** Kind of work, for the first word of the progress line. */
  readonly doing: 'apply' | 'copy' | 'import' | 'remove' | 'restart' | 'resume' | 'send' | 'undo';
  /** True prints the id of the job first, for people. */
  readonly announce?: true;
  /** False for a job that waits for devices without being asked to. */
  readonly waits?: boolean;
  /** Seconds in which the job is to be confirmed: as JSON it is a stream then. */
  readonly confirmWithin?: number;
}

/** Shows the progress of events, and returns the plan that ends them. @throws `cancelled` if none does */
export async function awaitPlan<Plan, Step extends { readonly type: string }>(
  { out }: Pick<Invocation, 'out'>,
  events: AsyncIterable<{ readonly type: 'plan'; readonly plan: Plan } | Step>,
  show: (step: Exclude<Step, { readonly type: 'plan' }>) => void,
): Promise<Plan> {
  try {
    for await (const event of events)
      if (event.type === 'plan') return (event as { readonly plan: Plan }).plan;
      else show(event as Exclude<Step, { readonly type: 'plan' }>);
  } finally {
    out.endProgress();
  }
  throw userError('cancelled', say('cli.cancelled-plan'));
}

function showProgress(
  { out }: Invocation,
  { progress, doing, confirmWithin }: FollowOptions,
  event: JobEvent,
): void {
  if (event.type === 'confirm') {
    const { jobId: job, until } = event;
    const isStream = progress === true || confirmWithin !== undefined;
    if (out.asJson && isStream) out.jsonLine({ type: 'confirm', job, until });
    else out.note(out.say('cli.confirm-until', { time: createDateFormat(out.language)(until), id: job }));
    return;
  }
  if (progress && out.asJson) {
    const line = toScriptEvent(event);
    if (line !== undefined) out.jsonLine(line);
    return;
  }
  if (event.type === 'job' && event.job.beginsAt !== undefined)
    out.note(out.say('cli.waiting-window', { time: createDateFormat(out.language)(event.job.beginsAt) }));
  if (event.type === 'job' && event.job.waitsFor !== undefined)
    out.note(out.say('cli.waiting', { id: event.job.waitsFor }));
  if (event.type !== 'device') return;
  if (progress)
    out.note(
      `${event.done}/${event.total} ${event.device.name}: ${event.device.error === undefined ? event.device.units.map((unit) => out.status('outcome', getShownOutcome(unit))).join(', ') : translateError(event.device.error, out).message}`,
    );
  else
    out.progress(
      `${out.say(`cli.doing-${doing}`)}: ${out.say('cli.progress', { done: event.done, total: event.total })}`,
    );
}

/** Records that this command has started the job, and lets the first Ctrl-C cancel it. */
export function takeOverJob(
  { out, interrupts, started }: Invocation,
  engine: Engine,
  jobId: string,
  stopping: 'cli.stopping' | 'cli.flow-stopping' = 'cli.stopping',
): void {
  started.id = jobId;
  interrupts.takeOver(() => {
    out.note(out.say(stopping));
    engine.jobs.cancel({ id: jobId });
  });
}

/** Returns the job that this command has followed to its end, and records its state for the exit code. */
export function recordEndedJob({ started }: Invocation, engine: Engine, jobId: string): Job {
  return (started.ended = engine.jobs.show({ id: jobId }));
}

/** Resolves with the job when it has ended; the first Ctrl-C ends it cleanly. */
export async function followJob(
  invocation: Invocation,
  engine: Engine,
  jobId: string,
  options: FollowOptions,
): Promise<Job> {
  const { out } = invocation;
  if (options.announce === true && !out.asJson) out.note(out.say('cli.job', { id: jobId }));
  takeOverJob(invocation, engine, jobId);
  const packages = new ModelLines();
  // The engine ends the stream with the job, also after a cancel.
  for await (const event of engine.jobs.watch({ id: jobId }, new AbortController().signal)) {
    if (event.type === 'paused' && event.reason !== undefined) {
      // A command has no person to remove the cause and continue; the job can be resumed afterwards.
      noteError(out, event.reason);
      out.note(out.say('model.cli.paused'));
      engine.jobs.cancel({ id: jobId });
    }
    if (packages.take(event)) packages.show(out, event, options.progress === true);
    else showProgress(invocation, options, event);
  }
  out.endProgress();
  const job = recordEndedJob(invocation, engine, jobId);
  if (job.revertedBy === undefined) return job;
  if (!out.asJson) out.note(out.say('cli.putting-back', { id: job.revertedBy }));
  await followJob(invocation, engine, job.revertedBy, { progress: false, doing: 'undo' });
  return recordEndedJob(invocation, engine, jobId);
}

export function reportJob(
  { out }: Invocation,
  { progress }: { readonly progress?: boolean | undefined },
  job: Job,
  /** Further members of its JSON. `people`: what became of the people of the job, also in words. */
  more: { readonly people?: PeopleOutcome | undefined; readonly [name: string]: unknown } = {},
): void {
  if (!out.asJson) printJob(out, job, more.people);
  else out.result({ jobId: job.id, ...toScriptJob(job), ...more }, { asLine: progress });
}

/** Follows a job to its end and prints it. */
export async function followToEnd(
  invocation: Invocation,
  engine: Engine,
  jobId: string,
  options: FollowOptions,
): Promise<{ readonly job: Job; readonly code: ExitCode }> {
  const job = await followJob(invocation, engine, jobId, options);
  const reverting = job.revertedBy === undefined ? undefined : engine.jobs.show({ id: job.revertedBy });
  const code = getJobExitCode(job, invocation.interrupts.happened, { reverting, waits: options.waits });
  const { confirmWithin } = options;
  reportJob(invocation, { progress: options.progress === true || confirmWithin !== undefined }, job, {
    people: countPeopleOutcome(engine, job),
  });
  noteResumable(invocation, job, code);
  if (reverting !== undefined) noteResumable(invocation, reverting, code);
  return { job, code };
}

/** Says how many devices have to restart before the job is finished. */
export function noteRestarts({ out }: Invocation, { id, rebootPending }: Job): void {
  if (rebootPending !== undefined)
    out.note(out.say('cli.reboot-pending', { devices: out.devices(rebootPending), id }));
}

/** Says that a resume could finish what is left. */
export function noteResumable({ out }: Invocation, job: Job, code: ExitCode): void {
  if (job.open !== undefined) out.note(out.say('cli.open-work', { devices: out.devices(job.open) }));
  // Open work goes on by itself, and the rest does not.
  if (job.resumable && (job.open === undefined || (job.deviceCounts.attention ?? 0) > 0))
    out.note(
      out.say(code === EXIT.resumable || code === EXIT.interrupted ? 'cli.partly' : 'cli.resumable', {
        id: job.id,
      }),
    );
}

/** Counts the people of a job on people; undefined for other jobs, and where the rows are no longer stored. */
export function countPeopleOutcome(engine: Engine, { id, kind }: Job): PeopleOutcome | undefined {
  if (kind !== 'people') return undefined;
  try {
    return engine.people.outcome({ id });
  } catch (thrown) {
    if (toErrorShape(thrown).code === 'not-found') return undefined;
    throw thrown;
  }
}
