/** `model send` and `model update`: the plan for each device first, then a job. */
import { resolve } from 'node:path';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Engine } from '#engine/api.ts';
import type { Job } from '#shared/model.ts';
import { toMegabytes, getModelUnits } from '#shared/ai-models/ai-model-progress.ts';
import type { ModelPlan, ModelPlanDevice } from '#shared/ai-models/ai-models.ts';
import { EXIT } from '../exit-codes.ts';
import { followJob, noteResumable, reportJob } from '../follow-job.ts';
import { selectDevices } from '../input/devices.ts';
import { askToGoOn } from '../input/prompt.ts';
import { runWithEngine, type Invocation } from '../invocation.ts';
import { getJobExitCode } from '../job-exit.ts';
import type { DeviceOptions } from '../options.ts';
import { formatError } from '../output/errors.ts';
import { printFindings } from '../output/model-findings.ts';
import { createUsageError, parseWholeNumber } from '../usage.ts';

interface ModelSendOptions extends DeviceOptions {
  readonly file?: string;
  readonly mpid?: string;
  readonly name?: string;
  readonly engine?: readonly string[];
  readonly mode?: string;
  readonly address?: string;
  readonly canary?: string;
  readonly wave?: string;
  readonly concurrency?: string;
  readonly stopAfter?: string;
  readonly wait?: string;
  readonly keepPrevious?: boolean;
  readonly removePrevious?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly progress?: boolean;
}

export async function sendModel(
  update: boolean,
  invocation: Invocation,
  options: ModelSendOptions,
): Promise<number> {
  const { out } = invocation;
  const { file, mpid } = options;
  if (file === undefined) throw createUsageError(say('model.cli.needs-file'), { path: '--file' });
  if (mpid === undefined || mpid === '')
    throw createUsageError(say('model.cli.needs-mpid'), { path: '--mpid' });
  const { mode = 'url' } = options;
  if (mode !== 'url' && mode !== 'push')
    throw createUsageError(say('model.cli.wrong-mode', { mode }), { path: '--mode' });
  const engines = (options.engine ?? []).map((text) =>
    parseWholeNumber(text, '--engine', { min: 0, max: 9999 }),
  );
  if (options.keepPrevious === true && options.removePrevious === true)
    throw createUsageError(say('model.cli.keep-or-remove'), { path: '--remove-previous' });
  const run = runOptions(options);
  const waitSeconds = parseWholeNumber(options.wait ?? '0', '--wait', { min: 0, max: 86_400 });

  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const { id: fileId } = await engine.models.choose(resolve(file));
    const plan = await planned(invocation, engine, {
      fileId,
      deviceIds: devices.map(({ id }) => id),
      mpid,
      mode,
      update,
      engines,
      ...removeUndefined({ mpName: options.name, address: options.address }),
    });
    if (options.dryRun === true) {
      if (out.asJson) out.json(plan);
      else printModelPlan(invocation, plan, options);
      return planExit(plan);
    }
    if (!(await confirmed(invocation, plan, options))) {
      out.note(out.say('model.cli.nothing-sent'));
      return EXIT.usage;
    }
    const { jobId } = engine.models.send({
      planId: plan.id,
      removePrevious: options.removePrevious === true,
      waitSeconds,
      options: run,
    });
    if (!out.asJson) out.note(out.say('model.cli.job', { id: jobId }));
    const job = await followJob(invocation, engine, jobId, {
      progress: options.progress,
      doing: out.say('model.cli.sending'),
    });
    const code = getJobExitCode(job, invocation.interrupts.happened);
    reportJob(invocation, options, job);
    noteResumable(invocation, job, code);
    noteRestarts(invocation, job);
    notePrevious(invocation, job);
    return code;
  });
}

function runOptions(options: ModelSendOptions) {
  const number = (text: string | undefined, option: string, min: number, max: number): number | undefined =>
    text === undefined ? undefined : parseWholeNumber(text, option, { min, max });
  return removeUndefined({
    canary: number(options.canary, '--canary', 0, 1000),
    wave: number(options.wave, '--wave', 0, 10_000),
    concurrency: number(options.concurrency, '--concurrency', 1, 256),
    stopAfter: number(options.stopAfter, '--stop-after', 1, 100_000),
  });
}

async function planned(
  invocation: Invocation,
  engine: Engine,
  request: Parameters<Engine['models']['plan']>[0],
): Promise<ModelPlan> {
  const { out, interrupts } = invocation;
  let plan: ModelPlan | undefined;
  try {
    for await (const event of engine.models.plan(request, interrupts.signal)) {
      if (event.type === 'plan') plan = event.plan;
      else if (out.asJson) continue;
      else if (event.type === 'hashing')
        out.progress(
          out.say('model.cli.hashing', { done: toMegabytes(event.done), total: toMegabytes(event.total) }),
        );
      else out.progress(out.say('model.cli.checking', { done: event.done, total: event.total }));
    }
  } finally {
    out.endProgress();
  }
  if (plan === undefined) throw userError('cancelled', say('cancelled'));
  return plan;
}

/** As the job would end before anything was sent. */
function planExit({ devices }: ModelPlan): number {
  if (devices.some(({ state }) => state === 'blocked')) return EXIT.failed;
  return devices.length > 0 && devices.every(({ state }) => state === 'offline')
    ? EXIT.unreachable
    : EXIT.done;
}

async function confirmed(
  invocation: Invocation,
  plan: ModelPlan,
  options: ModelSendOptions,
): Promise<boolean> {
  if (options.yes === true) return true;
  const { out } = invocation;
  if (!out.asJson) printModelPlan(invocation, plan, options);
  const count = plan.devices.filter(({ state }) => state !== 'blocked').length;
  const question = `\n${out.say('model.cli.ask', { file: plan.file.name, size: toMegabytes(plan.file.size), count })}`;
  return askToGoOn(invocation, question, say('model.cli.confirm-how'));
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
  out.table<ModelPlanDevice>(
    [
      { title: 'DEVICE', cell: ({ name }) => name, flexible: true },
      {
        title: 'STATE',
        cell: ({ state }) => out.say(`model.plan.${state}`),
        paint: ({ state }) => (state === 'ready' ? 'good' : state === 'blocked' ? 'bad' : 'warn'),
      },
      {
        title: 'FREE',
        align: 'right',
        cell: ({ storage }) => (storage === undefined ? '—' : `${storage.free} MB`),
      },
      {
        title: 'ENGINES',
        cell: ({ engines }) =>
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
    ],
    plan.devices,
  );
  for (const device of plan.devices) {
    for (const error of device.errors)
      for (const line of formatError({ ...error, device: device.name }, out)) out.note(line);
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

/** Where the restart has to be done, and how it goes on. */
function noteRestarts({ out }: Invocation, job: Job): void {
  const waiting = job.rebootPending ?? 0;
  if (waiting > 0) out.note(out.say('model.cli.restart', { count: waiting, id: job.id }));
}

/** What was replaced and kept is offered for removal. */
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
