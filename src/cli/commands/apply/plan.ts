/** `plan`: what would change, on which devices; nothing is written to any of them. */
import { say } from '#shared/details.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { printPlan } from '#cli/output/plan-view.ts';
import { makePlan, planExitCode, type PlanOptions } from '#cli/planning.ts';
import { createUsageError, parseWholeNumber } from '#cli/usage.ts';

interface PlanCommandOptions extends PlanOptions {
  readonly out?: string;
  readonly force?: boolean;
}

export async function plan(invocation: Invocation, options: PlanCommandOptions): Promise<number> {
  const { template } = options;
  if (template === undefined) throw createUsageError(say('cli.plan-template'), { path: '--template' });
  if (options.concurrency !== undefined)
    parseWholeNumber(options.concurrency, '--concurrency', { min: 1, max: 256 });
  const { out: file, force = false } = options;
  const target = file === undefined ? undefined : await openOutputFile(invocation, file, { force });
  return runWithEngine(invocation, async (engine) => {
    const made = await makePlan(invocation, engine, { ...options, template });
    if (file !== undefined && target !== undefined) {
      await target.write(`${JSON.stringify(made.plan, null, 2)}\n`);
      invocation.out.note(invocation.out.say('cli.plan-written', { file }));
    }
    if (invocation.out.asJson) invocation.out.json(made.plan);
    else printPlan(invocation.out, made.plan);
    return planExitCode(made.plan);
  });
}
