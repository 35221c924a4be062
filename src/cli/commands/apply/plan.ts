/** `plan`: what would change, on which devices; nothing is written to any of them. */
import type { Action } from '#cli/declarations/all.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { printPlan } from '#cli/output/plan-view.ts';
import { makePlan, planExitCode } from '#cli/planning.ts';

export const plan: Action<'plan'> = async (invocation, options) => {
  const { out } = invocation;
  const { out: file, force } = options;
  const target = await openOutputFile(invocation, file, { force: force === true });
  const made = await makePlan(invocation, await invocation.open(), options);
  if (file !== undefined) {
    await target?.write(`${JSON.stringify(made.plan, null, 2)}\n`);
    out.note(out.say('cli.plan-written', { file }));
  }
  return { json: made.plan, text: () => printPlan(out, made.plan), code: planExitCode(made.plan) };
};
