/** Plans and jobs as the contract has them. */
import type { jobsRoutes, plansRoutes } from '../shared/contract/work.ts';
import type { RouteFunctions } from '../shared/contract/route.ts';
import { defined } from '../shared/defined.ts';
import { say } from '../shared/details.ts';
import { FieldwrightError } from '../shared/errors.ts';
import type { Plan, PlanEvent } from '../shared/model.ts';
import type { Engine } from '../engine/api.ts';

type Work = Pick<Engine, 'plans' | 'jobs'>;

export function plansOf({ plans }: Work): RouteFunctions<typeof plansRoutes> {
  return {
    create: (input, signal) => plans.create(input, signal),
    show: ({ planId }) => kept(keptPlan(plans, planId)),
    readValues: ({ base64, fileName, ...request }) =>
      plans.readValues({
        ...request,
        bytes: Buffer.from(base64, 'base64'),
        ...defined({ file: fileName }),
      }),
    retry: (input, signal) => plans.retry(input, signal),
    retryPreview: ({ jobId, deviceIds }) => plans.retryPreview(jobId, deviceIds),
    exportFile: ({ planId }) => plans.file(planId),
    importFile: ({ text }) => plans.parse(text),
  };
}

export function jobsOf({ plans, jobs }: Work): RouteFunctions<typeof jobsRoutes> {
  return {
    show: ({ id }) => jobs.show(id),
    start: ({ planId, ...request }) => jobs.start({ plan: keptPlan(plans, planId), ...request }),
    watch: ({ id }, signal) => jobs.watch(id, signal),
    watchAll: (signal) => jobs.watchAll(signal),
    cancel: ({ id }) => ({ cancelled: jobs.cancel(id) }),
    resumePreview: ({ id }) => jobs.resumePreview(id),
    resume: (input) => jobs.resume(input),
    undoPreview: ({ id, deviceIds }) => jobs.undoPreview(id, deviceIds),
    undo: (input) => jobs.undo(input),
    pause: ({ id }) => ({ paused: jobs.pause(id) }),
    unpause: ({ id }) => ({ paused: !jobs.unpause(id) }),
    search: (input) => jobs.search(input),
    export: (input) => jobs.export(input),
    rebootPending: ({ id }) => jobs.rebootPending(id),
    followUp: (input) => jobs.followUp(input),
  };
}

async function* kept(plan: Plan): AsyncGenerator<PlanEvent> {
  yield { type: 'plan', plan };
}

export function keptPlan(plans: Work['plans'], id: string): Plan {
  const plan = plans.get(id);
  if (plan === undefined) {
    throw new FieldwrightError({
      code: 'plan-outdated',
      source: 'user',
      path: 'planId',
      ...say('plan-gone-look'),
    });
  }
  return plan;
}
