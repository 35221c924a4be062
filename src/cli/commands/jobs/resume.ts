/** `jobs resume`: finishes what a crash, a cancel or an absent device left unfinished. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Action } from '#cli/declarations/all.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { ContinueOptions, JOBS } from '#cli/declarations/jobs.ts';
import { countPeopleOutcome, followToEnd, reportJob } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import type { Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import { createUsageError } from '#cli/usage.ts';
import type { Engine } from '#engine/api.ts';
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';
import type { ApplyOptions } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';

/** Returns what the person agrees to, and how many devices are worked on at a time. */
export function toContinueOptions({
  yes,
  concurrency,
  insecurePlainFields,
}: ContinueOptions): Pick<ApplyOptions, 'acceptDrift' | 'concurrency' | 'allowPlainFields'> {
  return {
    acceptDrift: yes === true,
    ...removeUndefined({ concurrency, allowPlainFields: insecurePlainFields }),
  };
}

/**
 * Ends a job that another program seems to be at work on, if the person wants that.
 * @throws `not-available` without `--take-over`, `confirmation-needed` if there is no terminal to ask on
 */
async function takeOverIfAsked(
  invocation: Invocation,
  engine: Engine,
  prefix: string,
  { takeOver, yes }: OptionsOf<typeof JOBS.jobs.commands.resume>,
): Promise<void> {
  const { id, state } = engine.jobs.show({ id: prefix });
  if (!isAtWork(state)) return;
  if (takeOver !== true) throw appError('not-available', say('cli.job-at-work', { id }));
  const { out } = invocation;
  if (yes !== true)
    await askToGoOn(invocation, out.say('cli.take-over', { id }), say('cli.take-over-confirm', { id }));
  engine.jobs.takeOver({ id });
}

export const resumeJob: Action<'jobs resume'> = async (invocation, id, options) => {
  const { out } = invocation;
  const engine = await invocation.open();
  await takeOverIfAsked(invocation, engine, id, options);
  const { job: found, devices, source, secrets } = engine.jobs.resumePreview({ id });
  const jobId = found.id;
  if (found.kind === 'flow') {
    const { resumeFlow } = await import('../flows/run.ts');
    return resumeFlow(invocation, jobId, options);
  }
  if (options.answers !== undefined)
    throw createUsageError(say('cli.answers-no-flow'), { path: '--answers' });
  await reachAgain(invocation, engine, [...devices, ...(source === undefined ? [] : [source])], options);
  const { resumed } = engine.jobs.resume({
    id: jobId,
    secrets: await readSecrets(invocation, secrets, {}),
    options: toContinueOptions(options),
  });
  if (!resumed) {
    const job = engine.jobs.show({ id: jobId });
    out.note(out.say('cli.nothing-left', { id: jobId }));
    reportJob(invocation, options, job, { people: countPeopleOutcome(engine, job) });
    return getJobExitCode(job, false);
  }
  if (!out.asJson) out.note(out.say('cli.resuming', { id: jobId, devices: out.devices(devices.length) }));
  const { code } = await followToEnd(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'resume',
  });
  return code;
};
