/** `jobs undo`: says what can be put back and what cannot, asks, and puts it back as a job of its own. */
import { defined } from '../../../shared/defined.ts';
import { FieldwrightError } from '../../../shared/errors.ts';
import type { Job, JobTarget, UndoPreview } from '../../../shared/model.ts';
import { EXIT } from '../../exit-codes.ts';
import { followJob, noteResumable, reportJob } from '../../follow-job.ts';
import { reachAgain } from '../../input/job-devices.ts';
import { askYes } from '../../input/prompt.ts';
import { withEngine, type Invocation } from '../../invocation.ts';
import { jobExitCode } from '../../job-exit.ts';
import { cleanLine } from '../../output/clean.ts';
import { printUndo } from '../../output/undo-view.ts';
import { wholeNumber } from '../../usage.ts';
import type { ContinueOptions } from './resume.ts';

export async function jobsUndo(
  invocation: Invocation,
  id: string,
  options: ContinueOptions,
): Promise<number> {
  const { out } = invocation;
  const concurrency =
    options.concurrency === undefined
      ? {}
      : { concurrency: wholeNumber(options.concurrency, '--concurrency', { min: 1, max: 256 }) };
  return withEngine(invocation, async (engine) => {
    const all = engine.jobs.undoPreview({ id });
    const jobId = all.job.id;
    const named = options.device?.map((reference) => deviceOf(all, reference).deviceId);
    const targets =
      named === undefined ? all.devices : all.devices.filter(({ deviceId }) => named.includes(deviceId));
    await reachAgain(invocation, engine, targets, options, new Set(named));

    const preview = engine.jobs.undoPreview({ id: jobId, deviceIds: named });
    if (!out.asJson) printUndo(out, preview);
    if (preview.possible > 0 && !(await confirmed(invocation, options, preview))) {
      out.note('Nothing was sent.');
      return EXIT.usage;
    }
    const undo = engine.jobs.undo({
      id: jobId,
      ...defined({ deviceIds: named }),
      options: {
        acceptDrift: options.yes === true,
        ...concurrency,
        ...defined({ allowPlainFields: options.insecurePlainFields === true || undefined }),
      },
    });
    if (!out.asJson) out.note(`Job ${undo.jobId}`);
    const job = await followJob(invocation, engine, undo.jobId, {
      progress: options.progress,
      doing: 'Undoing',
    });
    const code = jobExitCode(job, invocation.interrupts.happened);
    reportJob(invocation, options, job);
    if (!out.asJson) for (const line of noteLines(job)) out.note(line);
    noteResumable(invocation, job, code);
    return code;
  });
}

/** By id, name or address, of the devices that the job wrote to. */
function deviceOf({ devices, job }: UndoPreview, reference: string): JobTarget {
  const text = reference.replace(/\/+$/, '');
  const found =
    devices.find(({ deviceId }) => deviceId === text) ??
    devices.find(({ name }) => name === text) ??
    devices.find(({ url }) => url === text.toLowerCase());
  if (found !== undefined) return found;
  throw new FieldwrightError({
    code: 'unknown-device',
    source: 'user',
    device: reference,
    path: '--device',
    message: `The job ${job.id} wrote nothing to a device "${reference}".`,
  });
}

/** True when the writes may start. Throws `confirmation-needed` where nobody can be asked. */
async function confirmed(
  invocation: Invocation,
  { yes }: ContinueOptions,
  { devices }: UndoPreview,
): Promise<boolean> {
  if (yes) return true;
  const answer = invocation.out.asJson
    ? undefined
    : await askYes(
        invocation,
        `\nPut this back on ${devices.length} ${devices.length === 1 ? 'device' : 'devices'}?`,
      );
  if (answer !== undefined) return answer;
  throw new FieldwrightError({
    code: 'confirmation-needed',
    source: 'user',
    message: 'Nothing was sent: undoing needs a confirmation.',
    hint: 'Repeat with --yes. That also overwrites what others have set since on the same fields.',
  });
}

function noteLines(job: Job): readonly string[] {
  return job.results.flatMap((device) =>
    device.units.flatMap(({ note, label }) => {
      const where = cleanLine(`${device.name}, ${label}`);
      if (note === 'put-back-merged')
        return [`${where}: changed by others since; only what the job had changed was taken back.`];
      return note === 'overwrote-other-change'
        ? [`${where}: a later change by someone else was overwritten, as confirmed.`]
        : [];
    }),
  );
}
