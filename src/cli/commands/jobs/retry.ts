/** `jobs retry`: a new plan for the devices that a job did not get through on, then an apply. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { Plan } from '#shared/model.ts';
import { userError } from '#shared/errors.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import type { DeviceOptions } from '#cli/options.ts';
import { applyOptions, carryOut, type CarryOutOptions } from '../apply/carry-out.ts';

interface RetryOptions extends DeviceOptions, CarryOutOptions {}

export async function retryJob(
  invocation: Invocation,
  jobId: string,
  options: RetryOptions,
): Promise<number> {
  const engineOptions = applyOptions(options, { reviewed: false });
  return runWithEngine(invocation, async (engine) => {
    const deviceIds = options.device;
    const preview = engine.plans.retryPreview({ jobId, deviceIds });
    await reachAgain(invocation, engine, preview.devices, options, new Set(deviceIds));
    const secrets = await readSecrets(invocation, preview.secrets, {});
    const plan = await planAgain(invocation, engine, {
      jobId,
      secrets,
      ...removeUndefined({ deviceIds }),
    });
    return carryOut(invocation, engine, { plan, secrets }, options, engineOptions);
  });
}

async function planAgain(
  invocation: Invocation,
  engine: Engine,
  request: Parameters<Engine['plans']['retry']>[0],
): Promise<Plan> {
  for await (const event of engine.plans.retry(request, invocation.interrupts.signal)) {
    if (event.type === 'plan') {
      invocation.out.endProgress();
      return event.plan;
    }
    invocation.out.progress(invocation.out.say('cli.reading', { done: event.done, total: event.total }));
  }
  throw userError('cancelled', say('cli.cancelled-plan'));
}
