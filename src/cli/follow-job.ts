/** A job while it runs, on the terminal or as a stream of JSON, and its end. */
import type { Engine } from '../engine/api.ts';
import type { Job, JobEvent } from '../shared/model.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Invocation } from './invocation.ts';
import { forScripts, printJob } from './output/job-view.ts';

export interface FollowOptions {
  /** Tell what happens as it happens. */
  readonly progress: boolean | undefined;
  /** First word of the progress line: `Applying`. */
  readonly doing: string;
}

function showProgress({ out }: Invocation, { progress, doing }: FollowOptions, event: JobEvent): void {
  if (progress && out.asJson) {
    // The job that ends it all is printed once, as the last line.
    if (event.type === 'job') out.jsonLine({ ...event, job: forScripts(event.job) });
    else if (event.type !== 'end') out.jsonLine(event);
    return;
  }
  if (event.type === 'job' && event.job.waitsFor !== undefined)
    out.note(`Waiting for job ${event.job.waitsFor}, which works on one of the devices.`);
  if (event.type !== 'device') return;
  if (progress)
    out.note(
      `${event.done}/${event.total} ${event.device.name}: ${event.device.error?.message ?? event.device.sections.map(({ outcome }) => outcome).join(', ')}`,
    );
  else out.progress(`${doing}: ${event.done} of ${event.total} devices done`);
}

/** Resolves with the job when it has ended; the first Ctrl-C ends it cleanly. */
export async function followJob(
  invocation: Invocation,
  engine: Engine,
  jobId: string,
  options: FollowOptions,
): Promise<Job> {
  invocation.interrupts.takeOver(() => {
    invocation.out.note('Stopping: what is under way is finished and read back. Ctrl-C again ends at once.');
    engine.jobs.cancel({ id: jobId });
  });
  // The engine ends the stream with the job, also after a cancel.
  for await (const event of engine.jobs.watch({ id: jobId }, new AbortController().signal))
    showProgress(invocation, options, event);
  invocation.out.endProgress();
  return engine.jobs.show({ id: jobId });
}

export function reportJob(
  { out }: Invocation,
  { progress }: { readonly progress?: boolean | undefined },
  job: Job,
): void {
  if (!out.asJson) printJob(out, job);
  else if (progress) out.jsonLine({ jobId: job.id, ...forScripts(job) });
  else out.json({ jobId: job.id, ...forScripts(job) });
}

/** Says so where a resume could finish what is left. */
export function noteResumable({ out }: Invocation, job: Job, code: ExitCode): void {
  if (job.resumable)
    out.note(
      `${code === EXIT.resumable || code === EXIT.interrupted ? 'Partly done; the' : 'The'} job ${job.id} can be resumed: fieldwright jobs resume ${job.id}`,
    );
}
