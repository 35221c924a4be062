/** `jobs follow-up`: waits for the devices that have to restart, and tells what they show then. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { followJob, reportJob, countPeopleOutcome } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import type { DeviceOptions } from '#cli/options.ts';
import { parseWholeNumber } from '#cli/usage.ts';

export interface FollowUpOptions extends DeviceOptions {
  readonly wait?: string;
  readonly progress?: boolean;
}

/** As an apply exits; 4 where a device was not restarted within the time. */
export async function followUpJob(
  invocation: Invocation,
  id: string,
  options: FollowUpOptions,
): Promise<number> {
  const { out } = invocation;
  const waitSeconds =
    options.wait === undefined
      ? undefined
      : parseWholeNumber(options.wait, '--wait', { min: 1, max: 86_400 });
  return runWithEngine(invocation, async (engine) => {
    const waiting = new Set(engine.jobs.rebootPending({ id }).map(({ deviceId }) => deviceId));
    await reachAgain(
      invocation,
      engine,
      engine.jobs.targets({ id }).filter(({ deviceId }) => waiting.has(deviceId)),
      options,
      new Set(options.device),
    );
    const { jobId, devices } = engine.jobs.followUp({
      id,
      ...removeUndefined({ deviceIds: options.device, waitSeconds }),
    });
    out.note(out.say('cli.restart-wait', { devices: out.devices(devices) }));
    const job = await followJob(invocation, engine, jobId, {
      progress: options.progress,
      doing: out.say('cli.doing-restart'),
    });
    reportJob(invocation, options, job, removeUndefined({ people: countPeopleOutcome(engine, job) }));
    const left = engine.jobs.rebootPending({ id: jobId }).length;
    if (left > 0) out.note(out.say('cli.restart-unseen', { devices: out.devices(left) }));
    if (invocation.interrupts.happened) return EXIT.interrupted;
    const code = getJobExitCode(job, false);
    return code === EXIT.done && left > 0 ? EXIT.resumable : code;
  });
}
