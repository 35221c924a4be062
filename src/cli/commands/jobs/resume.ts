/** `jobs resume`: finishes what a crash, a cancel or an absent device left unfinished. */
import type { ApplyOptions } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { followJob, noteResumable, reportJob, countPeopleOutcome } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import type { DeviceOptions } from '#cli/options.ts';
import { parseWholeNumber } from '#cli/usage.ts';

export interface ContinueOptions extends DeviceOptions {
  readonly yes?: boolean;
  readonly progress?: boolean;
  readonly concurrency?: string;
}

/** What the person agrees to, and devices at once where the person says. Throws `usage`. */
export function readContinueOptions({
  yes,
  concurrency,
  insecurePlainFields,
}: ContinueOptions): Pick<ApplyOptions, 'acceptDrift' | 'concurrency' | 'allowPlainFields'> {
  return {
    acceptDrift: yes === true,
    ...(concurrency === undefined
      ? {}
      : { concurrency: parseWholeNumber(concurrency, '--concurrency', { min: 1, max: 256 }) }),
    ...(insecurePlainFields === true ? { allowPlainFields: true } : {}),
  };
}

export async function resumeJob(
  invocation: Invocation,
  id: string,
  options: ContinueOptions,
): Promise<number> {
  const { out } = invocation;
  const given = readContinueOptions(options);
  return runWithEngine(invocation, async (engine) => {
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
      reportJob(invocation, options, job, removeUndefined({ people: countPeopleOutcome(engine, job) }));
      return getJobExitCode(job, false);
    }
    if (!out.asJson) out.note(out.say('cli.resuming', { id: jobId, devices: out.devices(devices.length) }));
    const job = await followJob(invocation, engine, jobId, {
      progress: options.progress,
      doing: out.say('cli.doing-resume'),
    });
    const code = getJobExitCode(job, invocation.interrupts.happened);
    reportJob(invocation, options, job, removeUndefined({ people: countPeopleOutcome(engine, job) }));
    noteResumable(invocation, job, code);
    return code;
  });
}
