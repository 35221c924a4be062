/** `jobs follow-up`: waits for the devices that have to restart, and prints what they show then. */
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { JOBS } from '#cli/declarations/jobs.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { countPeopleOutcome, followJob, reportJob } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import type { Outcome } from '#cli/outcome.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

/** Waits, and exits like an apply; 4 if a device was not restarted within the time. */
export async function followUpJob(
  invocation: Invocation,
  id: string,
  options: OptionsOf<(typeof JOBS.jobs.commands)['follow-up']>,
): Promise<Outcome> {
  const { out } = invocation;
  const engine = await invocation.open();
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
    waitSeconds: options.wait,
    ...removeUndefined({ deviceIds: options.device }),
  });
  out.note(out.say('cli.restart-wait', { devices: out.devices(devices) }));
  const job = await followJob(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'restart',
  });
  reportJob(invocation, options, job, removeUndefined({ people: countPeopleOutcome(engine, job) }));
  const left = engine.jobs.rebootPending({ id: jobId }).length;
  if (left > 0) out.note(out.say('cli.restart-unseen', { devices: out.devices(left) }));
  if (invocation.interrupts.happened) return EXIT.interrupted;
  const code = getJobExitCode(job, false);
  return code === EXIT.done && left > 0 ? EXIT.resumable : code;
}
