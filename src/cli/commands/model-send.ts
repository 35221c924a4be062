/** `model send` and `model update`: the plan for each device first, then a job. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { resolve } from 'node:path';
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import type { Job } from '#shared/model.ts';
import { toMegabytes, getModelUnits } from '#shared/ai-models/ai-model-progress.ts';
import type { ModelPlan } from '#shared/ai-models/ai-models.ts';
import type { ModelSendOptions } from '../declarations/model.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { awaitPlan, followToEnd } from '../follow-job.ts';
import { selectDevices } from '../input/devices.ts';
import { askToGoOn } from '../input/prompt.ts';
import type { Invocation } from '../invocation.ts';
import type { Outcome } from '../outcome.ts';
import { noteError } from '../output/errors.ts';
import { printFindings } from '../output/model-findings.ts';
import { createUsageError } from '../usage.ts';
import { toWhenBack } from './apply/carry-out.ts';

/** Returns the action of `model send` or `model update`. */
export function createModelSend({ update }: { readonly update: boolean }) {
  return async (invocation: Invocation, options: ModelSendOptions): Promise<Outcome> => {
    const { file, mpid, mode, engine: engines = [], keepPrevious, removePrevious = false } = options;
    if (mpid === '') throw createUsageError(say('model.cli.needs-mpid'), { path: '--mpid' });
    if (keepPrevious === true && removePrevious)
      throw createUsageError(say('model.cli.keep-or-remove'), { path: '--remove-previous' });
    const engine = await invocation.open();
    const devices = await selectDevices(invocation, engine, options);
    const { id: fileId } = await engine.models.choose(resolve(file));
    const plan = await makeModelPlan(invocation, engine, {
      fileId,
      deviceIds: devices.map(({ id }) => id),
      mpid,
      mode,
      update,
      engines: [...engines],
      mpName: options.name,
      address: options.address,
    });
    if (options.dryRun === true)
      return {
        json: plan,
        text: () => printModelPlan(invocation, plan, options),
        code: getPlanExitCode(plan),
      };
    if (options.yes !== true) await confirm(invocation, plan, options);
    const { canary, wave, concurrency, stopAfter } = options;
    const { jobId } = engine.models.send({
      planId: plan.id,
      removePrevious,
      waitSeconds: options.wait,
      options: { ...removeUndefined({ canary, wave, concurrency, stopAfter }), ...toWhenBack(options) },
    });
    const { job, code } = await followToEnd(invocation, engine, jobId, {
      progress: options.progress,
      doing: 'send',
      announce: true,
      // Packages wait a day for devices by themselves.
      waits: options.whenBack === true,
    });
    noteRestarts(invocation, job);
    notePrevious(invocation, job);
    return code;
  };
}

function makeModelPlan(
  invocation: Invocation,
  { models }: Engine,
  request: Parameters<Engine['models']['plan']>[0],
): Promise<ModelPlan> {
  const { out, interrupts } = invocation;
  return awaitPlan(invocation, models.plan(request, interrupts.signal), ({ type, done, total }) =>
    out.progress(
      type === 'hashing'
        ? out.say('model.cli.hashing', { done: toMegabytes(done), total: toMegabytes(total) })
        : out.say('model.cli.checking', { done, total }),
    ),
  );
}

/** Returns the exit code that the job would have as far as it is known before anything is sent. */
function getPlanExitCode({ devices }: ModelPlan): ExitCode {
  if (devices.some(({ state }) => state === 'blocked')) return EXIT.failed;
  return devices.length > 0 && devices.every(({ state }) => state === 'offline')
    ? EXIT.unreachable
    : EXIT.done;
}

async function confirm(invocation: Invocation, plan: ModelPlan, options: ModelSendOptions): Promise<void> {
  const { out } = invocation;
  if (!out.asJson) printModelPlan(invocation, plan, options);
  const count = plan.devices.filter(({ state }) => state !== 'blocked').length;
  const question = `\n${out.say('model.cli.ask', { file: plan.file.name, size: toMegabytes(plan.file.size), count })}`;
  await askToGoOn(invocation, question, say('model.cli.confirm-how'));
}

function printModelPlan(invocation: Invocation, plan: ModelPlan, options: ModelSendOptions): void {
  const { out } = invocation;
  const { file, mpid } = plan;
  out.line(
    out.say('model.cli.package', {
      file: file.name,
      size: toMegabytes(file.size),
      mpid,
      sha256: file.sha256,
    }),
  );
  out.table(plan.devices, {
    DEVICE: { value: 'name', flexible: true },
    STATE: {
      value: ({ state }) => out.say(`model.plan.${state}`),
      paint: ({ state }) => (state === 'ready' ? 'good' : state === 'blocked' ? 'bad' : 'warn'),
    },
    FREE: {
      value: ({ storage }) => (storage === undefined ? undefined : `${storage.free} MB`),
      align: 'right',
    },
    ENGINES: {
      value: ({ engines }) =>
        engines
          .map(({ engine, replaces, alsoReplaces = [], stays = [] }) => {
            const after = [...stays.map(({ MPID }) => MPID), mpid].join(' + ');
            return replaces === undefined
              ? `${engine} (${after})`
              : `${engine} (${[replaces, ...alsoReplaces, ...stays].map(({ MPID }) => MPID).join(' + ')} → ${after})`;
          })
          .join(', ') || '—',
      flexible: true,
    },
  });
  for (const device of plan.devices) {
    for (const error of device.errors) noteError(out, { ...error, device: device.name });
  }
  const sentences = new Set<string>();
  for (const note of plan.devices.flatMap(({ notes }) => notes)) sentences.add(out.sentence(note));
  for (const sentence of sentences) out.note(`  ${sentence}`);
  if (
    options.removePrevious === true &&
    plan.devices.some(({ engines }) => engines.some(({ replaces }) => replaces))
  )
    out.note(`  ${out.say('model.cli.removes-previous')}`);
  printFindings(
    out,
    plan.doctor.filter(({ tone }) => tone !== 'good'),
  );
}

/** Says how many devices have to be restarted, and how the job goes on. */
function noteRestarts({ out }: Invocation, job: Job): void {
  const waiting = job.rebootPending ?? 0;
  if (waiting > 0) out.note(out.say('model.cli.restart', { count: waiting, id: job.id }));
}

/** Offers packages for removal that were replaced and kept. */
function notePrevious({ out }: Invocation, job: Job): void {
  const kept = new Map<string, string[]>();
  for (const device of job.results) {
    const units = getModelUnits(device);
    if (units.some(({ step }) => step === 'previous') || !units.some(({ stage }) => stage === 'proved'))
      continue;
    for (const { MPID } of units.flatMap(({ previous = [] }) => previous))
      kept.set(MPID, [...(kept.get(MPID) ?? []), device.url]);
  }
  for (const [mpid, urls] of kept)
    out.note(out.say('model.cli.previous', { mpid, count: urls.length, device: urls[0] ?? '' }));
}
