/** `jobs undo`: says what can be put back and what cannot, asks, and puts it back as a job of its own. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { userError } from '#shared/errors.ts';
import type { Job, JobTarget, UndoPreview } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { followJob, noteResumable, reportJob } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import { cleanLine } from '#cli/output/clean.ts';
import type { Output } from '#cli/output/output.ts';
import { printUndo } from '#cli/output/undo-view.ts';
import { readContinueOptions, type ContinueOptions } from './resume.ts';

export async function undoJob(invocation: Invocation, id: string, options: ContinueOptions): Promise<number> {
  const { out } = invocation;
  const given = readContinueOptions(options);
  return runWithEngine(invocation, async (engine) => {
    const all = engine.jobs.undoPreview({ id });
    const jobId = all.job.id;
    const named = options.device?.map((reference) => deviceOf(all, reference).deviceId);
    const targets =
      named === undefined ? all.devices : all.devices.filter(({ deviceId }) => named.includes(deviceId));
    await reachAgain(invocation, engine, targets, options, new Set(named));

    const preview = engine.jobs.undoPreview({ id: jobId, deviceIds: named });
    if (!out.asJson) printUndo(out, preview);
    if (preview.possible > 0 && !(await confirmed(invocation, options, preview))) {
      out.note(out.say('cli.nothing-sent'));
      return EXIT.usage;
    }
    const undo = engine.jobs.undo({
      id: jobId,
      ...removeUndefined({ deviceIds: named }),
      options: given,
    });
    if (!out.asJson) out.note(out.say('cli.job', { id: undo.jobId }));
    const job = await followJob(invocation, engine, undo.jobId, {
      progress: options.progress,
      doing: out.say('cli.doing-undo'),
    });
    const code = getJobExitCode(job, invocation.interrupts.happened);
    reportJob(invocation, options, job);
    if (!out.asJson) for (const line of noteLines(job, out)) out.note(line);
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
  throw userError('unknown-device', say('cli.undo-not-there', { job: job.id, reference }), {
    device: reference,
    path: '--device',
  });
}

/** True when the writes may start. Throws `confirmation-needed` where nobody can be asked. */
async function confirmed(
  invocation: Invocation,
  { yes }: ContinueOptions,
  { devices }: UndoPreview,
): Promise<boolean> {
  if (yes) return true;
  const { out } = invocation;
  const question = `\n${out.say('cli.ask-undo', { devices: out.devices(devices.length) })}`;
  return askToGoOn(invocation, question, say('cli.undo-confirm'));
}

function noteLines(job: Job, out: Output): readonly string[] {
  return job.results.flatMap((device) =>
    device.units.flatMap(({ note, label }) => {
      const where = cleanLine(`${device.name}, ${label}`);
      if (note === 'put-back-merged') return [out.say('cli.undone-merged', { where })];
      return note === 'overwrote-other-change' ? [out.say('cli.undone-over', { where })] : [];
    }),
  );
}
