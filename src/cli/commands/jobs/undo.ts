/** `jobs undo`: says what can be put back and what cannot, asks, and puts it back as a job of its own. */
import type { Action } from '#cli/declarations/all.ts';
import { followToEnd } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { cleanLine } from '#cli/output/clean.ts';
import type { Output } from '#cli/output/output.ts';
import { printUndo } from '#cli/output/undo-view.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Job, JobTarget, UndoPreview } from '#shared/model.ts';
import { toWhenBack } from '../apply/carry-out.ts';
import { toContinueOptions } from './resume.ts';

export const undoJob: Action<'jobs undo'> = async (invocation, id, options) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const all = engine.jobs.undoPreview({ id });
  const named = options.device?.map((reference) => findTarget(all, reference).deviceId);
  const targets =
    named === undefined ? all.devices : all.devices.filter(({ deviceId }) => named.includes(deviceId));
  await reachAgain(invocation, engine, targets, options, new Set(named));

  const preview = engine.jobs.undoPreview({ id: all.job.id, deviceIds: named });
  if (!out.asJson) printUndo(out, preview);
  if (preview.possible > 0 && options.yes !== true) {
    const question = `\n${out.say('cli.ask-undo', { devices: out.devices(preview.devices.length) })}`;
    await askToGoOn(invocation, question, say('cli.undo-confirm'));
  }
  const { jobId } = engine.jobs.undo({
    id: all.job.id,
    deviceIds: named,
    options: { ...toContinueOptions(options), ...toWhenBack(options) },
  });
  const { job, code } = await followToEnd(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'undo',
    announce: true,
  });
  if (!out.asJson) for (const line of listNotes(job, out)) out.note(line);
  return code;
};

/** Finds one of the devices that the job wrote to, by id, name or address. */
function findTarget({ devices, job }: UndoPreview, reference: string): JobTarget {
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

function listNotes(job: Job, out: Output): readonly string[] {
  return job.results.flatMap((device) =>
    device.units.flatMap(({ note, label }) => {
      const where = cleanLine(`${device.name}, ${label}`);
      if (note === 'put-back-merged') return [out.say('cli.undone-merged', { where })];
      return note === 'overwrote-other-change' ? [out.say('cli.undone-over', { where })] : [];
    }),
  );
}
