/** A plan that was made: shown, confirmed, carried out, reported. Shared by everything that ends in an apply. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { NoOptions, OptionsOf } from '#cli/declarations/declaration.ts';
import { followToEnd, noteRestarts } from '#cli/follow-job.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { addConcurrency, addRolloutOptions, addWhenBack } from '#cli/declarations/options.ts';
import type { Outcome } from '#cli/outcome.ts';
import { createUsageError } from '#cli/usage.ts';
import { printPlan } from '#cli/output/plan-view.ts';
import type { MadePlan } from '#cli/planning.ts';
import { say } from '#shared/details.ts';
import type { ApplyOptions, TimeWindow } from '#shared/model.ts';

type WhenBackOptions = Partial<OptionsOf<typeof addWhenBack<[], NoOptions>>>;

/** Options that decide how a plan is carried out. */
type CarryOutOptions = Partial<
  OptionsOf<typeof addRolloutOptions<[], NoOptions>> & OptionsOf<typeof addConcurrency<[], NoOptions>>
> &
  WhenBackOptions & {
    readonly between?: TimeWindow;
    readonly confirmWithin?: number;
    readonly insecurePlainFields?: boolean;
    readonly yes?: boolean;
    readonly acceptDrift?: boolean;
    readonly progress?: boolean;
  };

/** Returns what is done about devices that cannot be worked on now. @throws `usage` for a time without `--when-back`, or in the past */
export function toWhenBack({ whenBack, until }: WhenBackOptions): Pick<ApplyOptions, 'whenBack'> {
  if (until !== undefined && whenBack !== true)
    throw createUsageError(say('cli.until-alone'), { path: '--until' });
  if (until !== undefined && Date.parse(until) <= Date.now())
    throw createUsageError(say('cli.until-past'), { path: '--until' });
  return whenBack === true ? { whenBack: { until } } : {};
}

/**
 * Returns the engine's options. One rule for all commands: `--yes` agrees to the devices as they are now. Only a
 * reviewed plan was looked at before; a change since then takes `--accept-drift`.
 */
export function toApplyOptions(
  options: CarryOutOptions,
  { reviewed }: { readonly reviewed: boolean },
): ApplyOptions {
  const { canary, wave, concurrency, stopAfter, leaveOutBlocked, wait, between, confirmWithin } = options;
  return {
    ...removeUndefined({
      canary,
      wave,
      concurrency,
      stopAfter,
      leaveOutBlocked,
      wait,
      between,
      confirmWithin,
    }),
    ...toWhenBack(options),
    acceptDrift: !reviewed || options.acceptDrift === true,
    allowPlainFields: options.insecurePlainFields === true,
  };
}

/** Carries a plan out, and returns the exit code of the contract. */
export async function carryOut(
  invocation: Invocation,
  engine: Engine,
  { plan, secrets }: MadePlan,
  options: CarryOutOptions,
  engineOptions: ApplyOptions,
): Promise<Outcome> {
  const { out } = invocation;
  if (options.yes !== true) {
    if (!out.asJson) printPlan(out, plan);
    const question = `\n${out.say('cli.ask-apply', { devices: out.devices(plan.devices.length) })}`;
    await askToGoOn(invocation, question, say('cli.apply-confirm'));
  }
  const { jobId } = engine.jobs.start({ plan, secrets, options: engineOptions });
  const { job, code } = await followToEnd(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'apply',
    announce: true,
    ...removeUndefined({ confirmWithin: options.confirmWithin }),
  });
  noteRestarts(invocation, job);
  return code;
}
