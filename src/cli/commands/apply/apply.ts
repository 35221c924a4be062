/** `apply`: plan, show, ask, write, read back; journalled, and finished cleanly when interrupted. */
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { TEMPLATE } from '#cli/declarations/template.ts';
import { createDeviceResolver } from '#cli/input/devices.ts';
import { readText } from '#cli/input/files.ts';
import { readSecrets } from '#cli/input/secrets.ts';
import type { Invocation } from '#cli/invocation.ts';
import { makePlan, type MadePlan } from '#cli/planning.ts';
import { createUsageError } from '#cli/usage.ts';
import { say } from '#shared/details.ts';
import { carryOut, toApplyOptions } from './carry-out.ts';

type ApplyOptions = OptionsOf<typeof TEMPLATE.apply>;

/** Reads a reviewed plan. Its devices may be unknown to this run: they are taken by address, with the sign-in given now. */
async function readPlanFile(
  invocation: Invocation,
  engine: Engine,
  options: ApplyOptions,
  file: string,
): Promise<MadePlan> {
  const text = await readText(invocation.io, file);
  const plan = await engine.plans.importFile(
    { text, file, foreignDevices: true },
    invocation.interrupts.signal,
  );
  const addresses = new Set(engine.devices.list().map(({ url }) => url));
  // Secrets of the vault are kept from a plan for devices that were never added here.
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

export const apply: Action<'apply'> = async (invocation, options) => {
  const { template, plan: planFile } = options;
  if ((template === undefined) === (planFile === undefined)) throw createUsageError(say('cli.apply-what'));
  const engine = await invocation.open();
  const made =
    template !== undefined
      ? await makePlan(invocation, engine, { ...options, template })
      : await readPlanFile(invocation, engine, options, planFile ?? '');
  const engineOptions = toApplyOptions(options, { reviewed: planFile !== undefined });
  return carryOut(invocation, engine, made, options, engineOptions);
};
