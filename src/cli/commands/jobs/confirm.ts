/** `jobs confirm`: keeps what a job changed that would be put back otherwise. */
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { JOBS } from '#cli/declarations/jobs.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { formatError } from '#cli/output/errors.ts';

/** Exit code 1 where a device does not answer a fresh sign-in: what was changed there is still put back. */
export async function confirmJob(
  invocation: Invocation,
  prefix: string,
  options: OptionsOf<typeof JOBS.jobs.commands.confirm>,
): Promise<Outcome> {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const { id } = engine.jobs.show({ id: prefix });
  await reachAgain(invocation, engine, engine.jobs.targets({ id }), options);
  const { kept, failed } = await engine.jobs.confirm({ id }, interrupts.signal);
  for (const { url, error } of failed)
    for (const line of formatError({ device: url, ...error }, out)) out.note(line);
  return {
    json: { job: id, kept, failed: failed.map(({ url: device, name, error }) => ({ device, name, error })) },
    note: out.say('cli.kept', { devices: out.devices(kept) }),
    code: failed.length > 0 ? EXIT.failed : EXIT.done,
  };
}
