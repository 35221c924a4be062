/** `jobs follow-up`: waits for the devices that have to restart, and prints what they show then. */
import type { Action } from '#cli/declarations/all.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { countPeopleOutcome, followJob, reportJob } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { getJobExitCode } from '#cli/job-exit.ts';

/** Waits, and exits like an apply; 4 if a device was not restarted within the time. */
export const followUpJob: Action<'jobs follow-up'> = async (invocation, id, options) => {
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
    deviceIds: options.device,
  });
  out.note(out.say('cli.restart-wait', { devices: out.devices(devices) }));
  const job = await followJob(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'restart',
  });
  reportJob(invocation, options, job, { people: countPeopleOutcome(engine, job) });
  const left = engine.jobs.rebootPending({ id: jobId }).length;
  if (left > 0) out.note(out.say('cli.restart-unseen', { devices: out.devices(left) }));
  if (invocation.interrupts.happened) return EXIT.interrupted;
  const code = getJobExitCode(job, false);
  return code === EXIT.done && left > 0 ? EXIT.resumable : code;
};
