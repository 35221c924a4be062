/** A device that could not be read when the job was made: planned in its turn, written where that was confirmed. */
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { PlanDevice, PlanSection } from '#shared/model.ts';
import { applyInTurn } from './apply-device.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import { createPendingUnit } from './settings-documents.ts';
import { takeSections } from './section-turn.ts';
import type { UnplannedTask } from './resume-plan.ts';

type PlanNow = (task: UnplannedTask, signal: AbortSignal) => Promise<Omit<PlanDevice, 'group'>>;

/** Never throws; false where the device is not as asked although it had its turn. */
export function applyUnplanned(
  task: UnplannedTask,
  context: JobContext,
  planNow: PlanNow,
  /** Returns whether the device is known to be another one since the job was made. */
  isChangedSince: (sections: readonly PlanSection[]) => boolean,
): Promise<boolean> {
  return takeSections(task, context, async (turn) => {
    const { state, error, sections } = await planNow(task, context.job.stopped);
    if (state === 'failed' && error !== undefined) return error;
    const writes = sections.some((section) => section.state === 'changes' || section.state === 'adjusted');
    const { acceptDrift, whenBack } = context.options;
    // Waiting for devices that are away is a yes to settings that were never read, but not to undoing what was decided later.
    const isAgreed = acceptDrift === true || (whenBack !== undefined && !isChangedSince(sections));
    if (writes && !isAgreed) return neverConfirmed(task.url);

    const units = sections.map(createPendingUnit);
    context.job.setUnits(
      task.position,
      units.map(({ result }) => result),
    );
    context.journal.addUnits(context.job.id, context.job.kind, task.position, units);
    return applyInTurn({ ...task, sections: task.resolved.sections, planned: sections }, context, turn);
  });
}

function neverConfirmed(device: string): ErrorShape {
  return {
    code: 'plan-outdated',
    source: 'app',
    device,
    ...say('not-read-at-plan'),
  };
}
