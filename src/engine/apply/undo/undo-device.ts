/** An undo on one device: read everything, then section by section put back, journalled like any write. */
import { say } from '../../../shared/details.ts';
import { defined } from '../../../shared/defined.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { Payload } from '../../../protocol/index.ts';
import type { SectionRead } from '../../plan/plan-section.ts';
import type { ResolvedSection } from '../../template/document.ts';
import { cancelled } from '../../jobs/device-turn.ts';
import type { TurnTask } from '../../jobs/device-turn.ts';
import type { JobContext } from '../../jobs/job-kind.ts';
import { takeSections } from '../section-turn.ts';
import type { Turn } from '../section-turn.ts';
import { undoneState } from './undo-state.ts';
import type { UndoGoal, Undone } from './undo-state.ts';
import type { EarlierWrite } from '../settle.ts';
import type { Verdict } from '../../write/write-section.ts';

export interface UndoSection extends UndoGoal {
  readonly section: ResolvedSection;
  readonly payload: Payload;
  /** The device took the job's write for its next restart: it shows the old document, and must be told all the same. */
  readonly waitsForRestart: boolean;
  /** A write of an earlier run of this undo whose fate is open. */
  readonly earlier?: EarlierWrite;
}

export interface UndoTask extends TurnTask {
  /** In the order in which they are put back. */
  readonly sections: readonly UndoSection[];
}

/** Never throws; false where the device is not as it was although it had its turn. */
export function undoDevice(task: UndoTask, context: JobContext): Promise<boolean> {
  return takeSections(task, context, async (turn) => {
    for (const { section } of task.sections) turn.phase(section, 'reading');
    const settled = await Promise.allSettled(task.sections.map(({ section }) => turn.reader.read(section)));
    const reads = settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    const outdated = context.options.acceptDrift === true ? undefined : findConflict(task, reads, turn);
    return outdated ?? (await putBack(task, reads, context, turn));
  });
}

/** Where somebody else changed what we had changed, a person decides before anything is sent to the device. */
function findConflict(task: UndoTask, reads: readonly SectionRead[], turn: Turn): ErrorShape | undefined {
  let found: ErrorShape | undefined;
  task.sections.forEach((goal, at) => {
    const read = reads[at];
    if (read?.kind !== 'state') return;
    const { conflicts, changes } = undoneState(goal.payload, goal, read.state);
    const [path] = conflicts;
    if (path === undefined) return;
    const { section } = goal;
    const error: ErrorShape = {
      code: 'plan-outdated',
      source: 'device',
      operation: section.resource.put.id,
      device: task.url,
      ...(path === '' ? {} : { path }),
      ...say('changed-since-job', {
        label: section.resource.get.label,
        names: conflicts.slice(0, 10).join(', ') || 'the whole list',
      }),
    };
    turn.record(section, changes, { outcome: goal.earlier === undefined ? 'failed' : 'unknown', error });
    found ??= error;
  });
  return found;
}

async function putBack(
  task: UndoTask,
  first: readonly SectionRead[],
  context: JobContext,
  turn: Turn,
): Promise<ErrorShape | undefined> {
  let written = false;
  for (const [at, goal] of task.sections.entries()) {
    const { section } = goal;
    if (context.job.cancelled) return cancelled();
    if (written) turn.phase(section, 'reading');
    const known = first[at];
    const read = written || known === undefined ? await turn.reader.read(section) : known;
    if (read.kind !== 'state') {
      turn.record(section, [], {
        outcome: goal.earlier === undefined ? 'failed' : 'unknown',
        error: read.error,
      });
      continue;
    }
    const undone = undoneState(goal.payload, goal, read.state);
    const verdict = await putBackOne(goal, undone, read, turn);
    written ||= !undone.nothing || goal.waitsForRestart;
    turn.record(
      section,
      undone.nothing && goal.earlier !== undefined ? goal.earlier.changes : undone.changes,
      verdict,
    );
    if (verdict.stop !== undefined) return verdict.stop;
  }
  return undefined;
}

async function putBackOne(
  goal: UndoSection,
  undone: Undone,
  read: Extract<SectionRead, { kind: 'state' }>,
  turn: Turn,
): Promise<Verdict> {
  const { section, earlier } = goal;
  if (undone.nothing && earlier !== undefined)
    return { outcome: 'effective', note: 'settled-by-reading', shown: read.state.document.text };
  if (undone.nothing && !goal.waitsForRestart) return { outcome: 'unchanged' };
  if (earlier !== undefined && !section.resource.put.idempotent)
    return { outcome: 'unknown', ...defined({ error: earlier.error }) };
  const verdict = await turn.write(
    {
      section,
      desired: undone,
      want: (state) => undoneState(goal.payload, goal, state),
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
