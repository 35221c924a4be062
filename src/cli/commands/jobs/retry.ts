/** `jobs retry`: a new plan for the devices that a job did not get through on, then an apply. */
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { JOBS } from '#cli/declarations/jobs.ts';
import { awaitPlan } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { createReadingProgress } from '#cli/planning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { carryOut, toApplyOptions } from '../apply/carry-out.ts';

export async function retryJob(
  invocation: Invocation,
  jobId: string,
  options: OptionsOf<typeof JOBS.jobs.commands.retry>,
): Promise<Outcome> {
  const { device: deviceIds } = options;
  const engine = await invocation.open();
  const preview = engine.plans.retryPreview({ jobId, deviceIds });
  await reachAgain(invocation, engine, preview.devices, options, new Set(deviceIds));
  const secrets = await readSecrets(invocation, preview.secrets, {});
  const request = { jobId, secrets, ...removeUndefined({ deviceIds }) };
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
}
