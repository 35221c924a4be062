/** `plan`: what would change, on which devices; nothing is written to any of them. */
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { TEMPLATE } from '#cli/declarations/template.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { printPlan } from '#cli/output/plan-view.ts';
import { makePlan, planExitCode } from '#cli/planning.ts';

export async function plan(
  invocation: Invocation,
  options: OptionsOf<typeof TEMPLATE.plan>,
): Promise<Outcome> {
  const { out } = invocation;
  const { out: file, force } = options;
  const target =
    file === undefined ? undefined : await openOutputFile(invocation, file, { force: force === true });
  const made = await makePlan(invocation, await invocation.open(), options);
  if (file !== undefined && target !== undefined) {
    await target.write(`${JSON.stringify(made.plan, null, 2)}\n`);
    out.note(out.say('cli.plan-written', { file }));
  }
  return { json: made.plan, text: () => printPlan(out, made.plan), code: planExitCode(made.plan) };
}
