/** `plan`: what would change, on which devices; nothing is written to any of them. */
import { say } from '../../../shared/details.ts';
import { withEngine, type Invocation } from '../../invocation.ts';
import { writeText } from '../../input/files.ts';
import { printPlan } from '../../output/plan-view.ts';
import { makePlan, planExitCode, type PlanOptions } from '../../planning.ts';
import { usageError, wholeNumber } from '../../usage.ts';

interface PlanCommandOptions extends PlanOptions {
  readonly out?: string;
}

export async function plan(invocation: Invocation, options: PlanCommandOptions): Promise<number> {
  const { template } = options;
  if (template === undefined) throw usageError(say('cli.plan-template'), { path: '--template' });
  if (options.concurrency !== undefined)
    wholeNumber(options.concurrency, '--concurrency', { min: 1, max: 256 });
  return withEngine(invocation, async (engine) => {
    const made = await makePlan(invocation, engine, { ...options, template });
    if (options.out !== undefined) {
      await writeText(options.out, `${JSON.stringify(made.plan, null, 2)}\n`);
      invocation.out.note(invocation.out.say('cli.plan-written', { file: options.out }));
    }
    if (invocation.out.asJson) invocation.out.json(made.plan);
    else printPlan(invocation.out, made.plan);
    return planExitCode(made.plan);
  });
}
