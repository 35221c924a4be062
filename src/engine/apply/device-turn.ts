/**
 * One device's turn in a job: from its first read to its last verdict, each told to the watchers and
 * written to the journal. What happens here never reaches another device.
 */
import { defined } from '../../shared/defined.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { Change, SectionResult } from '../../shared/model.ts';
import type { Clock } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { DeviceState } from '../plan/desired.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { Journal, SectionKey } from '../jobs/journal.ts';
import { wentWell } from '../jobs/job-state.ts';
import type { LiveJob } from '../jobs/live-job.ts';
import { createReader } from '../plans/read-section.ts';
import type { SectionReader } from '../plans/read-section.ts';
import { shownChanges } from '../plans/plan-sections.ts';
import { redact } from '../device/redact.ts';
import { holdsSecrets } from './secrets.ts';
import { writeSection } from './write-section.ts';
import type { Verdict, WriteRequest } from './write-section.ts';

/** What a job works on. */
export interface TurnTask {
  /** Place in the job's results. */
  readonly position: number;
  readonly deviceId: string;
  readonly url: string;
  /** Secrets in use, never to be seen in what comes back. */
  readonly secrets: readonly string[];
}

export interface JobContext {
  readonly job: LiveJob;
  readonly journal: Journal;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly acceptDrift: boolean;
  /** Told of a device whose restart was waited for and is over. */
  readonly onRestarted: (deviceId: string) => void;
  readonly leaveOutBlocked: boolean;
}

export interface WriteOptions {
  /** What the device shows now. */
  readonly state: DeviceState;
  /** Nothing of ours is on the device yet: what it shows now is what an undo goes back to. */
  readonly untouched: boolean;
}

export interface Turn {
  /** Ends when somebody stops the job: until something is sent there is nothing to finish. */
  readonly reader: SectionReader;
  phase(section: ResolvedSection, phase: 'reading'): void;
  /** Journals, sends, reads back. Never throws. */
  write(request: Omit<WriteRequest, 'device'>, options: WriteOptions): Promise<Verdict>;
  record(section: ResolvedSection, changes: readonly Change[], verdict: Verdict): void;
}

/** Never throws; false where the device is not as asked although it had its turn. */
export async function takeTurn(
  task: TurnTask,
  context: JobContext,
  work: (turn: Turn) => Promise<ErrorShape | undefined>,
): Promise<boolean> {
  const { job, journal } = context;
  const finish = (error?: ErrorShape): boolean => {
    if (error?.code === 'cancelled' && job.cancelled) return leave();
    const sections = job.results[task.position]?.sections ?? [];
    const good = error === undefined && wentWell(sections);
    const shape =
      error === undefined ? undefined : redact({ ...error, device: error.device ?? task.url }, task.secrets);
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
    return finish(await work(createTurn(task, context)));
  } catch (thrown) {
    return finish(toErrorShape(thrown));
  }
}

/** A device that cannot be worked on at all. */
export function refuseTurn(
  position: number,
  error: ErrorShape,
  { job, journal }: JobContext,
): Promise<boolean> {
  job.device(position, 'failed', error);
  journal.device(job.id, position, 'failed', error);
  return Promise.resolve(false);
}

function createTurn(task: TurnTask, context: JobContext): Turn {
  const { job, journal, clock } = context;
  const client = context.clients.get(task.deviceId);
  const readerUntil = (signal: AbortSignal): SectionReader =>
    createReader({ client, clock, signal, device: task.url });
  // A write and its read-back are finished whatever anybody asks for; the device's deadlines bound them.
  const { signal } = new AbortController();
  const lookBack = readerUntil(signal);
  const keyOf = (section: ResolvedSection): SectionKey => ({
    jobId: job.id,
    position: task.position,
    index: section.index,
  });

  return {
    reader: readerUntil(job.stopped),
    phase: (section, phase) => job.phase(task.position, section.index, phase),
    write: (request, { state, untouched }) =>
      writeSection(
        { ...request, device: task.url },
        {
          client,
          reader: lookBack,
          clock,
          signal,
          intent: (sent) =>
            journal.intent({
              key: keyOf(request.section),
              before: state.document.text,
              renew: untouched,
              sent,
              sensitive: holdsSecrets(request.section.resource),
              changes: shownChanges(request.desired.changes, client.shown),
              at: clock.now().toISOString(),
            }),
          phase: (phase) => job.phase(task.position, request.section.index, phase),
        },
      ),
    record(section, changes, verdict) {
      const result: SectionResult = redact(
        {
          index: section.index,
          set: section.set,
          label: section.resource.get.label,
          params: section.params,
          outcome: verdict.outcome,
          changes: shownChanges(changes, client.shown),
          ...defined({ status: verdict.status, error: verdict.error, note: verdict.note }),
        },
        task.secrets,
      );
      job.section(task.position, result);
      const shown =
        verdict.shown === undefined
          ? undefined
          : { text: verdict.shown, sensitive: holdsSecrets(section.resource) };
      journal.settled(keyOf(section), result, clock.now().toISOString(), shown);
    },
  };
}

/** A person stopped the job. */
export function cancelled(): ErrorShape {
  return { code: 'cancelled', source: 'user', message: 'Stopped before all sections had their turn.' };
}
