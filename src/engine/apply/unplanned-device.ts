/** A device that could not be read when the job was made: planned in its turn, written where that was confirmed. */
import type { ErrorShape } from '../../shared/errors.ts';
import type { PlanDevice } from '../../shared/model.ts';
import { applyInTurn } from './apply-device.ts';
import { takeTurn } from './device-turn.ts';
import type { JobContext } from './device-turn.ts';
import type { UnplannedTask } from './resume-plan.ts';

export type PlanNow = (task: UnplannedTask, signal: AbortSignal) => Promise<Omit<PlanDevice, 'group'>>;

/** Never throws; false where the device is not as asked although it had its turn. */
export function applyUnplanned(task: UnplannedTask, context: JobContext, planNow: PlanNow): Promise<boolean> {
  return takeTurn(task, context, async (turn) => {
    const { state, error, sections } = await planNow(task, context.job.stopped);
    if (state === 'failed' && error !== undefined) return error;
    const writes = sections.some((section) => section.state === 'changes' || section.state === 'adjusted');
    if (writes && !context.acceptDrift) return neverConfirmed(task.url);

    const results = sections.map(({ index, set, label, params, changes }) => ({
      index,
      set,
      label,
      params,
      outcome: 'pending' as const,
      changes,
    }));
    context.job.setSections(task.position, results);
    context.journal.addSections(context.job.id, task.position, results, sections);
    return applyInTurn({ ...task, sections: task.resolved.sections, planned: sections }, context, turn);
  });
}

function neverConfirmed(device: string): ErrorShape {
  return {
    code: 'plan-outdated',
    source: 'device',
    device,
    message:
      'This device could not be read when the plan was made, so nobody has confirmed what would change on it; nothing was sent.',
    hint: 'Confirm it, or make a new plan for this device.',
  };
}
