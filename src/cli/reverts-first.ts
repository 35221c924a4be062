/**
 * Changes that were not kept in time go back before a command writes: its plan would take the values that may have cut a
 * device off for what was there before.
 */
import type { Engine, EngineOptions } from '#engine/api.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { DeviceOptions } from './declarations/options.ts';
import { reachTransient } from './input/job-devices.ts';
import type { Invocation } from './invocation.ts';
import { describeWorkEvent } from './output/open-work.ts';

interface WriteOptions extends DeviceOptions {
  readonly dryRun?: boolean;
}

/** Returns the invocation with an engine that has put back what it could before the command gets it. */
export function putBackFirst(invocation: Invocation, options: WriteOptions): Invocation {
  if (options.dryRun === true) return invocation;
  let ready: Promise<Engine> | undefined;
  const open = async (how?: Pick<EngineOptions, 'certificates'>): Promise<Engine> => {
    const engine = await invocation.open(how);
    await putBack(invocation, engine, options);
    return engine;
  };
  return { ...invocation, open: (how) => (ready ??= open(how)) };
}

async function putBack(invocation: Invocation, engine: Engine, options: WriteOptions): Promise<void> {
  const { out, interrupts } = invocation;
  const pending = engine.openWork.list().filter(({ reverts }) => reverts === true);
  if (pending.length === 0) return;
  out.note(out.say('cli.putting-back-first', { devices: out.devices(pending.length) }));
  // The sign-in of this command goes to the devices that it names, and to no others.
  const named = pending.filter(({ url }) => options.device?.includes(url) === true);
  await reachTransient(invocation, engine, named, { ...options, certificate: undefined });
  for await (const event of engine.openWork.run({ reverts: true }, interrupts.signal))
    if (event.type === 'work') out.note(describeWorkEvent(event, out));
  if (interrupts.happened) throw userError('cancelled', say('cli.interrupted'));
}
