/**
 * A template on one device of a job: read everything and compare with the plan, then section by
 * section read again, journal, write and read back. Also finishes what an earlier run began.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { ApplyOptions, PlanSection } from '#shared/model.ts';
import { computeDesiredState } from '../planning/pure/desired.ts';
import { hasDrifted } from '../planning/pure/drift.ts';
import type { ResolvedSection } from '../template/document.ts';
import { createJobCancelledError, type TurnTask } from '../jobs/device-turn.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import { takeSections, type Turn } from './section-turn.ts';
import { planAll, planOne, type PlannedSection } from '../planning/plan-sections.ts';
import { settle, type EarlierWrite } from './settle.ts';
import type { Verdict } from '../write/write-section.ts';

export interface DeviceTask extends TurnTask {
  /** Sections still to be done. */
  readonly sections: readonly ResolvedSection[];
  /** Confirmed sections of the plan, in the order of `sections`. */
  readonly planned: readonly PlanSection[];
  /** Writes of an earlier run whose fate is open, by section index. */
  readonly earlier?: ReadonlyMap<number, EarlierWrite>;
}

interface Step {
  readonly section: ResolvedSection;
  readonly planned: PlanSection;
  readonly earlier: EarlierWrite | undefined;
}

/**
 * Applies the settings to a device. Never throws; returns false if the device is not as asked although it had
 * its turn.
 */
export function applyDevice(task: DeviceTask, context: JobContext): Promise<boolean> {
  return takeSections(task, context, (turn) => applyInTurn(task, context, turn));
}

/**
 * Applies the sections. Returns the error that ends the device's turn early, if any. Throws what reading
 * throws.
 */
export async function applyInTurn(
  task: DeviceTask,
  context: JobContext,
  turn: Turn,
): Promise<ErrorShape | undefined> {
  const steps = settleWithoutReading(task, context, turn);
  for (const { section } of steps) turn.phase(section, 'reading');
  const fresh = await planAll(
    steps.map(({ section }) => section),
    turn.reader,
    task.url,
  );
  const outdated = context.options.acceptDrift === true ? undefined : findDrift(steps, fresh, task, turn);
  return outdated ?? (await applySteps(steps, fresh, task, context, turn));
}

/** Returns the sections to read; blocked and unsupported ones have their result already. */
function settleWithoutReading(task: DeviceTask, context: JobContext, turn: Turn): readonly Step[] {
  return task.sections.flatMap((section, at) => {
    const planned = task.planned[at];
    if (planned === undefined) return [];
    const earlier = task.earlier?.get(section.index);
    const verdict = earlier === undefined ? findBlockedOutcome(planned, context.options) : undefined;
    if (verdict === undefined) return [{ section, planned, earlier }];
    turn.record(section, planned.changes, verdict);
    return [];
  });
}

/** Returns the outcome that the plan already gives for a section to which nothing is sent. */
export function findBlockedOutcome(
  plan: PlanSection,
  { leaveOutBlocked = false }: Pick<ApplyOptions, 'leaveOutBlocked'> = {},
): Verdict | undefined {
  const [error] = plan.problems;
  const reason = error === undefined ? {} : { error };
  if (plan.state === 'blocked') return { outcome: leaveOutBlocked ? 'skipped' : 'blocked', ...reason };
  if (plan.state !== 'unsupported') return undefined;
  return plan.optional ? { outcome: 'skipped', ...reason } : { outcome: 'failed', ...reason };
}

/**
 * Finds the sections that changed since they were planned: nothing is sent to the device until a person has
 * seen the new plan.
 */
function findDrift(
  steps: readonly Step[],
  fresh: readonly PlannedSection[],
  task: DeviceTask,
  turn: Turn,
): ErrorShape | undefined {
  let found: ErrorShape | undefined;
  steps.forEach(({ section, planned, earlier }, at) => {
    const now = fresh[at];
    if (
      now === undefined ||
      !(earlier === undefined ? hasDrifted(planned, now.plan) : settle(earlier, now) === 'other')
    )
      return;
    // A device that does not show the section may still hold what was planned.
    const refusal = now.plan.problems.find(({ source }) => source === 'device');
    const error: ErrorShape = refusal ?? {
      code: 'plan-outdated',
      source: 'app',
      operation: section.resource.put.id,
      device: task.url,
      ...say('drifted-since-plan', { label: section.resource.get.label }),
    };
    // It is unknown whether the earlier write arrived, but it may have been sent.
    turn.record(section, now.plan.changes, { outcome: earlier === undefined ? 'failed' : 'unknown', error });
    found ??= error;
  });
  return found;
}

/** Applies the steps in template order. Returns the error that ends the device's turn early, if any. */
async function applySteps(
  steps: readonly Step[],
  first: readonly PlannedSection[],
  task: DeviceTask,
  context: JobContext,
  turn: Turn,
): Promise<ErrorShape | undefined> {
  let written = false;
  for (const [at, step] of steps.entries()) {
    const { section } = step;
    if (context.job.cancelled) return createJobCancelledError();
    // The read just made shows what the device holds until this job has written something.
    if (written) turn.phase(section, 'reading');
    const known: PlannedSection | undefined = first[at];
    const now: PlannedSection =
      written || known === undefined ? await planOne(section, turn.reader, task.url, known) : known;
    const { changes, verdict } = await applyStep(step, now, task, context, turn);
    written ||= now.plan.changes.length > 0;
    turn.record(section, changes, verdict);
    if (verdict.stop !== undefined) return verdict.stop;
  }
  return undefined;
}

async function applyStep(
  { earlier }: Step,
  now: PlannedSection,
  task: DeviceTask,
  context: JobContext,
  turn: Turn,
): Promise<{ readonly changes: PlanSection['changes']; readonly verdict: Verdict }> {
  const { changes } = now.plan;
  if (earlier === undefined)
    return {
      changes,
      verdict:
        findBlockedOutcome(now.plan) ??
        (isDone(now) ? { outcome: 'unchanged' } : await write(now, undefined, task, turn)),
    };

  const found = settle(earlier, now);
  const shown = now.read.kind === 'state' ? { shown: now.read.state.document.text } : {};
  const lost = removeUndefined({ warnings: earlier.warnings });
  if (found === 'arrived')
    return {
      changes: earlier.changes,
      verdict: { outcome: 'effective', note: 'settled-by-reading', ...shown, ...lost },
    };
  if (found === 'arrived-unseen')
    return {
      changes: earlier.changes,
      verdict: { outcome: 'accepted', note: 'settled-by-reading', ...shown, ...lost },
    };
  const again =
    (found === 'not-arrived' || context.options.acceptDrift === true) &&
    now.section.resource.put.idempotent &&
    !isDone(now);
  return again
    ? { changes, verdict: await write(now, earlier, task, turn) }
    : { changes: earlier.changes, verdict: { outcome: 'unknown', error: stillOpen(now, task.url) } };
}

/** Returns true if there is nothing more to send, or the rest cannot be sent. */
function isDone({ desired, plan }: PlannedSection): boolean {
  return desired === undefined || plan.changes.length === 0;
}

function write(
  { section, patch, desired, read }: PlannedSection,
  earlier: EarlierWrite | undefined,
  task: DeviceTask,
  turn: Turn,
): Promise<Verdict> {
  if (desired === undefined || read.kind !== 'state') return Promise.resolve({ outcome: 'unchanged' });
  if (section.open.size > 0)
    return Promise.resolve({
      outcome: earlier === undefined ? 'failed' : 'unknown',
      error: secretMissing(section, task.url),
    });
  const left = new Set(desired.changes.map(({ path }) => path));
  return turn.write(
    {
      section,
      desired,
      want: (state) => computeDesiredState(section.resource.put.request, patch, state),
      sentBefore: earlier !== undefined,
    },
    {
      state: read.state,
      // An undo keeps going back to what the earlier run read first, where part of its write shows.
      untouched: earlier === undefined || earlier.changes.every(({ path }) => left.has(path)),
    },
  );
}

function stillOpen({ section, read, plan }: PlannedSection, device: string): ErrorShape {
  const operation = section.resource.put.id;
  if (read.kind !== 'state') return { ...read.error, operation, device };
  const [problem] = plan.problems;
  if (problem !== undefined) return problem;
  return {
    code: 'confirmation-needed',
    source: 'user',
    operation,
    device,
    ...say(section.resource.put.idempotent ? 'arrival-unseen' : 'arrival-unseen-once'),
  };
}

function secretMissing(section: ResolvedSection, device: string): ErrorShape {
  return {
    code: 'undefined-variable',
    source: 'user',
    operation: section.resource.put.id,
    device,
    ...say('secret-not-given'),
  };
}
