/** Settings on one device of a job: each read, journalled, written and read back. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Change, SectionResult } from '#shared/model.ts';
import { OUTCOMES } from '#shared/outcomes.ts';
import { redactResult } from '../device/redact-result.ts';
import { runTurn, type TurnTask } from '../jobs/device-turn.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { UnitKey } from '../jobs/types.ts';
import type { DeviceState } from '../planning/pure/desired.ts';
import { warnOfUnshown } from '../planning/pure/unshown-secrets.ts';
import type { ResolvedSection } from '../template/document.ts';
import { createReader, type SectionReader } from '../planning/read-section.ts';
import { maskChanges } from '../planning/plan-sections.ts';
import { holdsSecrets } from '../write/holds-secrets.ts';
import { writeSection, type Verdict, type WriteRequest } from '../write/write-section.ts';

interface WriteOptions {
  /** State that the device shows now. */
  readonly state: DeviceState;
  /** Nothing of ours is on the device yet: what it shows now is what an undo goes back to. */
  readonly untouched: boolean;
}

export interface Turn {
  /** Aborts when the job is stopped: until something is sent there is nothing to finish. */
  readonly reader: SectionReader;
  phase(section: ResolvedSection, phase: 'reading'): void;
  /** Journals, sends, reads back. Never throws. */
  write(request: Omit<WriteRequest, 'device'>, options: WriteOptions): Promise<Verdict>;
  record(section: ResolvedSection, changes: readonly Change[], verdict: Verdict): void;
}

/**
 * Takes the sections in turn. Never throws; returns false if the device is not as asked although it had its
 * turn.
 */
export function takeSections(
  task: TurnTask,
  context: JobContext,
  work: (turn: Turn) => Promise<ErrorShape | undefined>,
): Promise<boolean> {
  return runTurn(task, context, () => work(createTurn(task, context)));
}

function createTurn(task: TurnTask, context: JobContext): Turn {
  const { job, journal, clock } = context;
  const client = context.clients.get(task.deviceId);
  const readerUntil = (signal: AbortSignal): SectionReader =>
    createReader({ client, clock, signal, device: task.url });
  // A write and its read-back are finished whatever anybody asks for; the device's deadlines bound them.
  const { signal } = new AbortController();
  const lookBack = readerUntil(signal);
  const keyOf = (section: ResolvedSection): UnitKey => ({
    jobId: job.id,
    position: task.position,
    index: section.index,
  });

  const resultOf = (
    section: ResolvedSection,
    changes: readonly Change[],
    { outcome, status, error, note, warnings }: Verdict,
  ): SectionResult => ({
    index: section.index,
    set: section.set,
    label: section.resource.get.label,
    params: section.params,
    outcome,
    changes: maskChanges(changes, client.shown),
    ...removeUndefined({ status, error, note, warnings }),
  });

  const write = async (
    request: Omit<WriteRequest, 'device'>,
    { state, untouched }: WriteOptions,
    warnings: Verdict['warnings'],
  ): Promise<Verdict> => {
    const verdict = await writeSection(
      { ...request, device: task.url },
      {
        client,
        reader: lookBack,
        clock,
        signal,
        intent: (sent) =>
          journal.intent(
            keyOf(request.section),
            resultOf(request.section, request.desired.changes, {
              outcome: 'pending',
              warnings,
            }),
            clock.now().toISOString(),
            {
              before: state.document.text,
              renew: untouched,
              sent,
              sensitive: holdsSecrets(request.section.resource),
            },
          ),
        phase: (phase) => job.phase(task.position, request.section.index, phase),
      },
    );
    return OUTCOMES[verdict.outcome].written ? { ...verdict, ...removeUndefined({ warnings }) } : verdict;
  };

  return {
    reader: readerUntil(job.stopped),
    phase: (section, phase) => job.phase(task.position, section.index, phase),
    write(request, options) {
      const { put } = request.section.resource;
      const warning = warnOfUnshown(put.request, request.desired, { operation: put.id, device: task.url });
      return write(request, options, warning && [warning]);
    },
    record(section, changes, verdict) {
      const result = redactResult(resultOf(section, changes, verdict), task.secrets);
      job.unit(task.position, result);
      const shown =
        verdict.shown === undefined
          ? undefined
          : { text: verdict.shown, sensitive: holdsSecrets(section.resource) };
      journal.settled(keyOf(section), result, clock.now().toISOString(), shown);
    },
  };
}
