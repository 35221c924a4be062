/** `jobs resume`: finishes what a crash, a cancel or an absent device left unfinished. */
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { ContinueOptions, JOBS } from '#cli/declarations/jobs.ts';
import { countPeopleOutcome, followToEnd, reportJob } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import type { Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import type { Outcome } from '#cli/outcome.ts';
import { createUsageError } from '#cli/usage.ts';
import { say } from '#shared/details.ts';
import type { ApplyOptions } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

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

export async function resumeJob(
  invocation: Invocation,
  id: string,
  options: OptionsOf<typeof JOBS.jobs.commands.resume>,
): Promise<Outcome> {
  const { out } = invocation;
  const engine = await invocation.open();
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
    reportJob(invocation, options, job, removeUndefined({ people: countPeopleOutcome(engine, job) }));
    return getJobExitCode(job, false);
  }
  if (!out.asJson) out.note(out.say('cli.resuming', { id: jobId, devices: out.devices(devices.length) }));
  const { code } = await followToEnd(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'resume',
  });
  return code;
}
