/** `jobs retry`: a new plan for the devices that a job did not get through on, then an apply. */
import type { Action } from '#cli/declarations/all.ts';
import { awaitPlan } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import { createReadingProgress } from '#cli/planning.ts';
import { carryOut, toApplyOptions } from '../apply/carry-out.ts';

export const retryJob: Action<'jobs retry'> = async (invocation, jobId, options) => {
  const { device: deviceIds } = options;
  const engine = await invocation.open();
  const preview = engine.plans.retryPreview({ jobId, deviceIds });
  await reachAgain(invocation, engine, preview.devices, options, new Set(deviceIds));
  const secrets = await readSecrets(invocation, preview.secrets, {});
  const request = { jobId, secrets, deviceIds };
  const plan = await awaitPlan(
    invocation,
    engine.plans.retry(request, invocation.interrupts.signal),
    createReadingProgress(invocation),
  );
  return carryOut(
    invocation,
    engine,
    { plan, secrets },
    options,
    toApplyOptions(options, { reviewed: false }),
  );
};
