/** A plan that was made: shown, confirmed, carried out, reported. Shared by everything that ends in an apply. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { ApplyOptions, Plan } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import { followJob, noteResumable, reportJob } from '#cli/follow-job.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { printPlan } from '#cli/output/plan-view.ts';
import type { MadePlan } from '#cli/planning.ts';
import { parseWholeNumber } from '#cli/usage.ts';

/** How a plan is carried out, in the words of the command line. */
export interface CarryOutOptions {
  readonly canary?: string;
  readonly wave?: string;
  readonly concurrency?: string;
  readonly stopAfter?: string;
  readonly leaveOutBlocked?: boolean;
  readonly wait?: boolean;
  readonly insecurePlainFields?: boolean;
  readonly yes?: boolean;
  readonly acceptDrift?: boolean;
  readonly progress?: boolean;
}

/**
 * One rule for all commands: `--yes` is the yes of somebody who means the devices as they are now. Only a
 * reviewed plan was looked at before; what changed since takes `--accept-drift`.
 */
export function applyOptions(
  options: CarryOutOptions,
  { reviewed }: { readonly reviewed: boolean },
): ApplyOptions {
  const number = (text: string | undefined, option: string, min: number, max: number): number | undefined =>
    text === undefined ? undefined : parseWholeNumber(text, option, { min, max });
  const canary = number(options.canary, '--canary', 0, 1000);
  const wave = number(options.wave, '--wave', 0, 10_000);
  const concurrency = number(options.concurrency, '--concurrency', 1, 256);
  const stopAfter = number(options.stopAfter, '--stop-after', 1, 100_000);
  return {
    ...removeUndefined({ canary, wave, concurrency, stopAfter }),
    acceptDrift: !reviewed || options.acceptDrift === true,
    allowPlainFields: options.insecurePlainFields === true,
    ...removeUndefined({
      leaveOutBlocked: options.leaveOutBlocked === true || undefined,
      wait: options.wait === true || undefined,
    }),
  };
}

/** True when the writes may start. Throws `confirmation-needed` where nobody can be asked. */
async function confirmed(invocation: Invocation, { yes }: CarryOutOptions, plan: Plan): Promise<boolean> {
  if (yes) return true;
  const { out } = invocation;
  if (!out.asJson) printPlan(out, plan);
  const question = `\n${out.say('cli.ask-apply', { devices: out.devices(plan.devices.length) })}`;
  return askToGoOn(invocation, question, say('cli.apply-confirm'));
}

/** Gives the exit code of the contract. */
export async function carryOut(
  invocation: Invocation,
  engine: Engine,
  made: MadePlan,
  options: CarryOutOptions,
  engineOptions: ApplyOptions,
): Promise<number> {
  if (!(await confirmed(invocation, options, made.plan))) {
    invocation.out.note(invocation.out.say('cli.nothing-sent'));
    return EXIT.usage;
  }
  const { jobId } = engine.jobs.start({ plan: made.plan, secrets: made.secrets, options: engineOptions });
  if (!invocation.out.asJson) invocation.out.note(invocation.out.say('cli.job', { id: jobId }));
  const job = await followJob(invocation, engine, jobId, {
    progress: options.progress,
    doing: invocation.out.say('cli.doing-apply'),
  });
  const code = getJobExitCode(job, invocation.interrupts.happened);
  reportJob(invocation, options, job);
  noteResumable(invocation, job, code);
  if (job.rebootPending !== undefined)
    invocation.out.note(
      invocation.out.say('cli.reboot-pending', {
        devices: invocation.out.devices(job.rebootPending),
        id: jobId,
      }),
    );
  return code;
}
