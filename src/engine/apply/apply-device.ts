/**
 * One device of a job: read everything and compare with the plan, then section by section read
 * again, journal, write and read back. What happens here never reaches another device.
 */
import { FieldwrightError, toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { PlanSection, SectionResult } from '../../shared/model.ts';
import type { Clock } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { hasDrifted } from '../plan/drift.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { Journal } from './journal.ts';
import { wentWell } from './job-state.ts';
import type { LiveJob } from './live-job.ts';
import { planAll, planOne } from './plan-sections.ts';
import type { PlannedSection } from './plan-sections.ts';
import { createReader } from './read-section.ts';
import type { SectionReader } from './read-section.ts';
import { redact } from './redact.ts';
import { holdsSecrets } from './secrets.ts';
import { writeSection } from './write-section.ts';
import type { Verdict } from './write-section.ts';

/** What a job does on one device. */
export interface DeviceTask {
  /** Place in the job's results. */
  readonly position: number;
  readonly deviceId: string;
  readonly url: string;
  readonly sections: readonly ResolvedSection[];
  /** What was confirmed, in the order of `sections`. */
  readonly planned: readonly PlanSection[];
  /** Secrets in use, never to be seen in what comes back. */
  readonly secrets: readonly string[];
}

export interface ApplyContext {
  readonly job: LiveJob;
  readonly journal: Journal;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly acceptDrift: boolean;
  /** Aborts waits that nothing depends on; never a write or its read-back. */
  readonly signal: AbortSignal;
}

/** A section with its plan and the one that was confirmed. */
interface Step {
  readonly section: ResolvedSection;
  readonly planned: PlanSection;
}

/** Never throws; false where the device is not as asked although it had its turn. */
export async function applyDevice(task: DeviceTask, context: ApplyContext): Promise<boolean> {
  const { job, journal } = context;
  const finish = (error?: ErrorShape): boolean => {
    if (error?.code === 'cancelled' && job.cancelled) return leave();
    const sections = job.results[task.position]?.sections ?? [];
    const good = error === undefined && wentWell(sections);
    const shape = error === undefined ? undefined : redact({ ...error, device: error.device ?? task.url }, task.secrets);
    job.device(task.position, good ? 'done' : 'failed', shape);
    journal.device(job.id, task.position, good ? 'done' : 'failed', shape);
    return good;
  };

  /** Stopped between two sections: what is left keeps its place for a later run. */
  const leave = (): boolean => {
    job.device(task.position, 'pending');
    journal.device(job.id, task.position, 'pending', undefined);
    return true;
  };

  job.device(task.position, 'running');
  journal.device(job.id, task.position, 'running', undefined);
  try {
    const steps = settleWithoutReading(task, context);
    const reader = createReader({ client: context.clients.get(task.deviceId), clock: context.clock, signal: context.signal, device: task.url });
    for (const { section } of steps) job.phase(task.position, section.index, 'reading');
    const fresh = await planAll(steps.map(({ section }) => section), reader, task.url);
    const outdated = context.acceptDrift ? undefined : findDrift(steps, fresh, task, context);
    return finish(outdated ?? await applySteps(steps, fresh, reader, task, context));
  } catch (thrown) {
    return finish(toErrorShape(thrown));
  }
}

/** Blocked and unsupported sections have their result already; the others are returned. */
function settleWithoutReading(task: DeviceTask, context: ApplyContext): readonly Step[] {
  return task.sections.flatMap((section, at) => {
    const planned = task.planned[at];
    if (planned === undefined) return [];
    const verdict = unwritable(planned);
    if (verdict === undefined) return [{ section, planned }];
    record(section, planned, verdict, task, context);
    return [];
  });
}

function unwritable(plan: PlanSection): Verdict | undefined {
  const [error] = plan.problems;
  const reason = error === undefined ? {} : { error };
  if (plan.state === 'blocked') return { outcome: 'blocked', ...reason };
  if (plan.state !== 'unsupported') return undefined;
  return plan.optional ? { outcome: 'skipped', ...reason } : { outcome: 'failed', ...reason };
}

/** A device that changed since it was planned gets nothing until a person has seen the new plan. */
function findDrift(steps: readonly Step[], fresh: readonly PlannedSection[], task: DeviceTask, context: ApplyContext): ErrorShape | undefined {
  let found: ErrorShape | undefined;
  steps.forEach(({ section, planned }, at) => {
    const now = fresh[at];
    if (now === undefined || !hasDrifted(planned, now.plan)) return;
    const error: ErrorShape = {
      code: 'plan-outdated', source: 'device', operation: section.resource.put.id, device: task.url,
      message: `${section.resource.get.label} on the device is no longer as it was when the plan was made; nothing was sent.`,
      hint: 'Make a new plan for this device and confirm it.',
    };
    record(section, now.plan, { outcome: 'failed', error }, task, context);
    found ??= error;
  });
  return found;
}

/** In template order. The error that ends the device's turn early, if any. */
async function applySteps(steps: readonly Step[], first: readonly PlannedSection[], reader: SectionReader, task: DeviceTask, context: ApplyContext): Promise<ErrorShape | undefined> {
  let written = false;
  for (const [at, { section }] of steps.entries()) {
    if (context.job.cancelled) return cancelled();
    // Until this job has written something, what was just read is what the device holds.
    if (written) context.job.phase(task.position, section.index, 'reading');
    const known: PlannedSection | undefined = first[at];
    const now: PlannedSection = written || known === undefined ? await planOne(section, reader, task.url, known) : known;
    const verdict = unwritable(now.plan) ?? (now.desired === undefined || now.read.kind !== 'state' || now.plan.changes.length === 0
      ? { outcome: 'unchanged' as const }
      : await write(now, reader, task, context));
    written ||= now.plan.changes.length > 0;
    record(section, now.plan, verdict, task, context);
    if (verdict.stop !== undefined) return verdict.stop;
  }
  return undefined;
}

function write({ section, patch, desired, read }: PlannedSection, reader: SectionReader, task: DeviceTask, context: ApplyContext): Promise<Verdict> {
  const { job, journal, clock } = context;
  if (desired === undefined || read.kind !== 'state') throw new FieldwrightError({ code: 'internal', source: 'app', message: 'Nothing to write.' });
  if (section.open.size > 0) return Promise.resolve({ outcome: 'failed', error: secretMissing(section, task.url) });
  const key = { jobId: job.id, position: task.position, index: section.index };
  return writeSection({ section, patch, desired, device: task.url }, {
    client: context.clients.get(task.deviceId), reader, clock, signal: context.signal,
    intent: (attempt, sent) => journal.intent({
      key, attempt, before: read.state.document.text, sent, sensitive: holdsSecrets(section.resource),
      changes: desired.changes, at: clock.now().toISOString(),
    }),
    phase: (phase) => job.phase(task.position, section.index, phase),
  });
}

function record(section: ResolvedSection, plan: PlanSection, verdict: Verdict, task: DeviceTask, context: ApplyContext): void {
  const { job, journal, clock } = context;
  const result: SectionResult = redact({
    index: section.index, set: section.set, label: section.resource.get.label, params: section.params, outcome: verdict.outcome, changes: plan.changes,
    ...(verdict.status === undefined ? {} : { status: verdict.status }), ...(verdict.error === undefined ? {} : { error: verdict.error }),
  }, task.secrets);
  job.section(task.position, result);
  journal.settled({ jobId: job.id, position: task.position, index: section.index }, result, clock.now().toISOString());
}

function secretMissing(section: ResolvedSection, device: string): ErrorShape {
  return { code: 'undefined-variable', source: 'user', operation: section.resource.put.id, device, message: 'A secret of this section was not given; nothing was sent.' };
}

function cancelled(): ErrorShape {
  return { code: 'cancelled', source: 'user', message: 'Stopped before all sections had their turn.' };
}
