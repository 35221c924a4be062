/** `apply`: plan, show, ask, write, read back; journalled, and finished cleanly when interrupted. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { createDeviceResolver } from '#cli/input/devices.ts';
import { readText } from '#cli/input/files.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import { makePlan, type MadePlan, type PlanOptions } from '#cli/planning.ts';
import { createUsageError } from '#cli/usage.ts';
import { applyOptions, carryOut, type CarryOutOptions } from './carry-out.ts';

interface ApplyCommandOptions extends PlanOptions, Omit<CarryOutOptions, 'concurrency'> {
  readonly plan?: string;
}

/** A reviewed plan names devices that this run may not know yet: by address, with the sign-in given now. */
async function planFromFile(
  invocation: Invocation,
  engine: Engine,
  options: ApplyCommandOptions,
  file: string,
): Promise<MadePlan> {
  const text = await readText(invocation.io, file);
  const plan = await engine.plans.importFile(
    { text, file, foreignDevices: true },
    invocation.interrupts.signal,
  );
  const addresses = new Set(engine.devices.list().map(({ url }) => url));
  // What the vault has is not for whoever wrote a plan for devices that nobody here added.
  const isOurs = plan.devices.every(({ url }) => addresses.has(url));
  const resolver = createDeviceResolver(invocation, engine, options);
  for (const device of plan.devices) await resolver.one({ text: device.url, name: device.name });
  const variables = engine.templates.check({ text: plan.template.text, file }).summary?.variables ?? [];
  return {
    plan,
    secrets: await readSecrets(
      invocation,
      isOurs ? variables : variables.map(({ saved: _saved, ...variable }) => variable),
      {},
    ),
  };
}

export async function apply(invocation: Invocation, options: ApplyCommandOptions): Promise<number> {
  const { template, plan: planFile } = options;
  const engineOptions = applyOptions(options, { reviewed: planFile !== undefined });
  if ((template === undefined) === (planFile === undefined)) throw createUsageError(say('cli.apply-what'));
  return runWithEngine(invocation, async (engine) => {
    const made =
      template !== undefined
        ? await makePlan(invocation, engine, { ...options, template })
        : await planFromFile(invocation, engine, options, planFile ?? '');
    return carryOut(invocation, engine, made, options, engineOptions);
  });
}
