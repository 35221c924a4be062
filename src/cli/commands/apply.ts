/** `apply`: plan, show, ask, write, read back; journalled, and finished cleanly when interrupted. */
import type { Engine } from '../../engine/api.ts';
import type { ApplyOptions, Plan } from '../../shared/model.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import { followJob, reportJob } from '../follow-job.ts';
import { jobExitCode } from '../job-exit.ts';
import { deviceResolver } from '../input/devices.ts';
import { readText } from '../input/files.ts';
import { askYes } from '../input/prompt.ts';
import { readSecrets } from '../input/secrets.ts';
import { printPlan } from '../output/plan-view.ts';
import { makePlan, type MadePlan, type PlanOptions } from '../planning.ts';
import { usageError, wholeNumber } from '../usage.ts';

export interface ApplyCommandOptions extends PlanOptions {
  readonly plan?: string;
  readonly canary?: string;
  readonly wave?: string;
  readonly stopAfter?: string;
  readonly yes?: boolean;
  readonly progress?: boolean;
}

function applyOptions(options: ApplyCommandOptions): ApplyOptions {
  const number = (text: string | undefined, option: string, min: number, max: number): number | undefined => (text === undefined ? undefined : wholeNumber(text, option, { min, max }));
  const canary = number(options.canary, '--canary', 0, 1000);
  const wave = number(options.wave, '--wave', 0, 10_000);
  const concurrency = number(options.concurrency, '--concurrency', 1, 256);
  const stopAfter = number(options.stopAfter, '--stop-after', 1, 100_000);
  return {
    ...(canary === undefined ? {} : { canary }),
    ...(wave === undefined ? {} : { wave }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(stopAfter === undefined ? {} : { stopAfter }),
    // With a template, "yes" means this template whatever stands on the device; a reviewed plan is only good for the state it was made from.
    acceptDrift: options.plan === undefined,
    allowPlainFields: options.insecurePlainFields === true,
  };
}

/** A reviewed plan names devices that this run may not know yet: by address, with the sign-in given now. */
async function planFromFile(invocation: Invocation, engine: Engine, options: ApplyCommandOptions, file: string): Promise<MadePlan> {
  const plan = engine.plans.parse(await readText(invocation.io, file), { file });
  const resolver = deviceResolver(invocation, engine, options);
  for (const device of plan.devices) await resolver.one({ text: device.url, name: device.name });
  const summary = engine.templates.check(plan.template.text, { file }).summary;
  return { plan, secrets: await readSecrets(invocation, summary?.variables ?? [], {}) };
}

/** True when the writes may start. Throws `confirmation-needed` where nobody can be asked. */
async function confirmed(invocation: Invocation, options: ApplyCommandOptions, plan: Plan): Promise<boolean> {
  if (options.yes) return true;
  if (!invocation.out.asJson) printPlan(invocation.out, plan);
  const answer = invocation.out.asJson ? undefined : await askYes(invocation, `\nApply this to ${plan.devices.length} ${plan.devices.length === 1 ? 'device' : 'devices'}?`);
  if (answer === undefined) {
    throw new FieldwrightError({ code: 'confirmation-needed', source: 'user', message: 'Nothing was sent: applying needs a confirmation.', hint: 'Look at the plan first (fieldwright plan), then repeat with --yes.' });
  }
  return answer;
}

export async function apply(invocation: Invocation, options: ApplyCommandOptions): Promise<number> {
  const { template, plan: planFile } = options;
  const engineOptions = applyOptions(options);
  if ((template === undefined) === (planFile === undefined)) throw usageError('apply needs either --template FILE or --plan PLAN.');
  return withEngine(invocation, async (engine) => {
    const made = template !== undefined ? await makePlan(invocation, engine, { ...options, template }) : await planFromFile(invocation, engine, options, planFile ?? '');
    if (!await confirmed(invocation, options, made.plan)) {
      invocation.out.note('Nothing was sent.');
      return EXIT.usage;
    }
    const { jobId } = engine.jobs.start({ plan: made.plan, secrets: made.secrets, options: engineOptions });
    if (!invocation.out.asJson) invocation.out.note(`Job ${jobId}`);
    const job = await followJob(invocation, engine, jobId, { progress: options.progress, doing: 'Applying' });
    const code = jobExitCode(job, invocation.interrupts.happened);
    reportJob(invocation, options, job);
    if (code === EXIT.resumable || code === EXIT.interrupted) invocation.out.note(`Partly done; the job ${jobId} can be resumed.`);
    return code;
  });
}
