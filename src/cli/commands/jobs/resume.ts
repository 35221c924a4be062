/** `jobs resume`: finishes what a crash, a cancel or an absent device left unfinished. */
import type { ApplyOptions } from '#shared/model.ts';
import { defined } from '#shared/defined.ts';
import { followJob, noteResumable, reportJob, peopleOutcomeOf } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import { withEngine, type Invocation } from '#cli/invocation.ts';
import { jobExitCode } from '#cli/job-exit.ts';
import type { DeviceOptions } from '#cli/options.ts';
import { wholeNumber } from '#cli/usage.ts';

export interface ContinueOptions extends DeviceOptions {
  readonly yes?: boolean;
  readonly progress?: boolean;
  readonly concurrency?: string;
}

/** What the person agrees to, and devices at once where the person says. Throws `usage`. */
export function continuedWith({
  yes,
  concurrency,
  insecurePlainFields,
}: ContinueOptions): Pick<ApplyOptions, 'acceptDrift' | 'concurrency' | 'allowPlainFields'> {
  return {
    acceptDrift: yes === true,
    ...(concurrency === undefined
      ? {}
      : { concurrency: wholeNumber(concurrency, '--concurrency', { min: 1, max: 256 }) }),
    ...(insecurePlainFields === true ? { allowPlainFields: true } : {}),
  };
}

export async function jobsResume(
  invocation: Invocation,
  id: string,
  options: ContinueOptions,
): Promise<number> {
  const { out } = invocation;
  const given = continuedWith(options);
  return withEngine(invocation, async (engine) => {
    const {
      job: { id: jobId },
      devices,
      source,
      secrets,
    } = engine.jobs.resumePreview({ id });
    await reachAgain(invocation, engine, [...devices, ...(source === undefined ? [] : [source])], options);
    const { resumed } = engine.jobs.resume({
      id: jobId,
      secrets: await readSecrets(invocation, secrets, {}),
      options: given,
    });
    if (!resumed) {
      const job = engine.jobs.show({ id: jobId });
      out.note(out.say('cli.nothing-left', { id: jobId }));
      reportJob(invocation, options, job, defined({ people: peopleOutcomeOf(engine, job) }));
      return jobExitCode(job, false);
    }
    if (!out.asJson) out.note(out.say('cli.resuming', { id: jobId, devices: out.devices(devices.length) }));
    const job = await followJob(invocation, engine, jobId, {
      progress: options.progress,
      doing: out.say('cli.doing-resume'),
    });
    const code = jobExitCode(job, invocation.interrupts.happened);
    reportJob(invocation, options, job, defined({ people: peopleOutcomeOf(engine, job) }));
    noteResumable(invocation, job, code);
    return code;
  });
}
