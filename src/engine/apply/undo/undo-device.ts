/** An undo on one device: read everything, then section by section put back, journalled like any write. */
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { decode, type Payload } from '#protocol/index.ts';
import type { DeviceState } from '#engine/planning/pure/desired.ts';
import type { SectionRead } from '#engine/planning/pure/plan-section.ts';
import { getSectionKey, type ResolvedSection } from '#engine/template/document.ts';
import { createJobCancelledError, type TurnTask } from '#engine/jobs/device-turn.ts';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { takeSections, type Turn } from '../section-turn.ts';
import { computeUndoneState, type UndoGoal, type Undone } from './undo-state.ts';
import type { EarlierWrite } from '../settle.ts';
import { filterVisibleChanges, type Verdict } from '#engine/write/write-section.ts';

export interface UndoSection extends UndoGoal {
  readonly section: ResolvedSection;
  readonly payload: Payload;
  /**
   * True if the device took the job's write for its next restart: it shows the old document, but must be sent
   * it all the same.
   */
  readonly waitsForRestart: boolean;
  /** A write of an earlier run of this undo whose fate is open. */
  readonly earlier?: EarlierWrite;
}

export interface UndoTask extends TurnTask {
  /** Sections in the order in which they are put back. */
  readonly sections: readonly UndoSection[];
  /** Why another section, which was to be put back as well, cannot be any more. */
  readonly problem?: ErrorShape;
}

/** A section with what the device shows of it. */
interface Step {
  readonly goal: UndoSection;
  readonly read: SectionRead;
}

/**
 * Undoes a job on one device. Never throws; returns false if the device is not as it was although it had its
 * turn.
 */
export function runDeviceUndo(task: UndoTask, context: JobContext): Promise<boolean> {
  return takeSections(task, context, (turn) => runUndoSections(task, context, turn));
}

/**
 * Undoes the sections. Returns the error that ends the device's turn early, if any. Throws what reading
 * throws.
 */
export async function runUndoSections(
  task: UndoTask,
  context: Pick<JobContext, 'options'> & { readonly job: Pick<JobContext['job'], 'cancelled'> },
  turn: Turn,
): Promise<ErrorShape | undefined> {
  for (const { section } of task.sections) turn.phase(section, 'reading');
  const settled = await Promise.allSettled(
    task.sections.map(async (goal): Promise<Step> => ({ goal, read: await turn.reader.read(goal.section) })),
  );
  const steps = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const outdated = context.options.acceptDrift === true ? undefined : findConflict(steps, task, turn);
  return outdated ?? (await putBack(steps, context.job, turn)) ?? task.problem;
}

/**
 * Returns the conflict if another client changed what this job had changed: a person decides before anything
 * is sent.
 */
function findConflict(steps: readonly Step[], { url }: UndoTask, turn: Turn): ErrorShape | undefined {
  let found: ErrorShape | undefined;
  /** States after what is put back before: the steps of a flow may write a section several times. */
  const states = new Map<string, DeviceState>();
  for (const { goal, read } of steps) {
    if (read.kind !== 'state') continue;
    const { section } = goal;
    const key = getSectionKey(section.set, section.params);
    const undone = computeUndoneState(goal.payload, goal, states.get(key) ?? read.state);
    states.set(key, decode(goal.payload, undone.text));
    const { conflicts, changes } = undone;
    const [path] = conflicts;
    if (path === undefined) continue;
    const error: ErrorShape = {
      code: 'plan-outdated',
      source: 'app',
      operation: section.resource.put.id,
      device: url,
      ...(path === '' ? {} : { path }),
      ...say('changed-since-job', {
        label: section.resource.get.label,
        names: conflicts.slice(0, 10).join(', ') || 'the whole list',
      }),
    };
    turn.record(section, changes, { outcome: unsent(goal), error });
    found ??= error;
  }
  return found;
}

/**
 * Returns the outcome of a section to which nothing is sent now: what an earlier run sent may still arrive.
 */
function unsent({ earlier }: UndoSection): 'failed' | 'unknown' {
  return earlier === undefined ? 'failed' : 'unknown';
}

async function putBack(
  steps: readonly Step[],
  job: Pick<JobContext['job'], 'cancelled'>,
  turn: Turn,
): Promise<ErrorShape | undefined> {
  let written = false;
  for (const { goal, read: first } of steps) {
    const { section } = goal;
    if (job.cancelled) return createJobCancelledError();
    if (written) turn.phase(section, 'reading');
    const read = written ? await turn.reader.read(section) : first;
    if (read.kind !== 'state') {
      turn.record(section, [], { outcome: unsent(goal), error: read.error });
      continue;
    }
    const undone = computeUndoneState(goal.payload, goal, read.state);
    const verdict = await putBackOne(goal, undone, read, turn);
    written ||= !undone.nothing || !tells(goal);
    turn.record(
      section,
      undone.nothing && goal.earlier !== undefined ? goal.earlier.changes : undone.changes,
      verdict,
    );
    if (verdict.stop !== undefined) return verdict.stop;
  }
  return undefined;
}

/**
 * Returns true if a device that shows the old document also holds it. Before its restart it shows that
 * document whether or not it was sent again; but if an earlier run saw the change that was to be undone, it
 * has restarted.
 */
function tells({ waitsForRestart, earlier }: UndoSection): boolean {
  return !waitsForRestart || filterVisibleChanges(earlier?.changes ?? []).length > 0;
}

async function putBackOne(
  goal: UndoSection,
  undone: Undone,
  read: Extract<SectionRead, { kind: 'state' }>,
  turn: Turn,
): Promise<Verdict> {
  const { section, earlier } = goal;
  if (undone.nothing && tells(goal))
    return earlier === undefined
      ? { outcome: 'unchanged' }
      : { outcome: 'effective', note: 'settled-by-reading', shown: read.state.document.text };
  if (earlier !== undefined && !section.resource.put.idempotent)
    return { outcome: 'unknown', error: earlier.error };
  const verdict = await turn.write(
    {
      section,
      desired: undone,
      want: (state) => computeUndoneState(goal.payload, goal, state),
      sentBefore: earlier !== undefined,
    },
    { state: read.state, untouched: earlier === undefined || undone.how === 'exactly' },
  );
  const note =
    undone.conflicts.length > 0
      ? ('overwrote-other-change' as const)
      : undone.how === 'exactly'
        ? ('put-back-exactly' as const)
        : ('put-back-merged' as const);
  return verdict.outcome === 'effective' ||
    verdict.outcome === 'accepted' ||
    verdict.outcome === 'needs-reboot'
    ? { ...verdict, note }
    : verdict;
}
