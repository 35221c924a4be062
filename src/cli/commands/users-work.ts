/** `users import|copy|remove`: planned, shown, confirmed, carried out, proven; what went wrong comes back as a file. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Action } from '../declarations/all.ts';
import type { Engine, PlanSource } from '#engine/index.ts';
import { say, formatSomeNames } from '#shared/details.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import type { PeoplePlan, RemovedPeople } from '#shared/people/people.ts';
import type { PeopleWorkOptions } from '../declarations/users.ts';
import { EXIT, exitCodeOfAll, type ExitCode } from '../exit-codes.ts';
import {
  awaitPlan,
  countPeopleOutcome,
  followJob,
  noteRestarts,
  noteResumable,
  reportJob,
} from '../follow-job.ts';
import { selectDevices, selectNamed } from '../input/devices.ts';
import { getCodePageOf } from '../input/files.ts';
import { askToGoOn } from '../input/prompt.ts';
import type { Invocation } from '../invocation.ts';
import { getJobExitCode } from '../job-exit.ts';
import { isDeviceNamed } from '../declarations/options.ts';
import { openOutputFile, type OutputFile } from '../output/output-file.ts';
import { cleanLine } from '../output/clean.ts';
import { noteError, translateError } from '../output/errors.ts';
import { createUsageError } from '../usage.ts';
import { toWhenBack } from './apply/carry-out.ts';
import { formatFailedRows } from './users-files.ts';
import { toScriptPlan, printPlan, printPlanJson, printRows } from './users-plan.ts';
import { openFileSource } from './users-source.ts';

export const importPeople: Action<'users import'> = async (invocation, file, options) => {
  const source: PlanSource = {
    kind: 'file',
    ...(await openFileSource(invocation, file, options.format)),
    map: options.map ?? {},
    codePage: getCodePageOf(invocation.globals.lang),
    dates: options.dates,
  };
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  return carryOut(invocation, engine, { source, devices, options, doing: 'import' });
};

export const copyPeople: Action<'users copy'> = async (invocation, options) => {
  const { from, to = [], fingerprints: prints, replaceOthers } = options;
  if (to.length === 0 && !isDeviceNamed(options))
    throw createUsageError(say('cli.needs-option', { command: 'users copy', option: '--to DEVICE' }), {
      path: '--to',
    });
  const engine = await invocation.open();
  const origin = await selectNamed(invocation, engine, options, from);
  const devices = (await selectDevices(invocation, engine, options, to)).filter(({ id }) => id !== origin.id);
  if (devices.length === 0) throw createUsageError(say('cli.copy-onto-itself'), { path: '--to' });
  const source: PlanSource = {
    kind: 'copy',
    from: origin.id,
    prints,
    replaceOthers,
  };
  return carryOut(invocation, engine, { source, devices, options, doing: 'copy' });
};

export const removePeople: Action<'users remove'> = async (invocation, employeeNos, options) => {
  const engine = await invocation.open();
  const everywhere =
    options.everywhere === true && !isDeviceNamed(options)
      ? engine.devices
          .list()
          .filter(({ kinds }) => kinds.length === 0 || kinds.includes('gate'))
          .map(({ id }) => id)
      : [];
  const devices = await selectDevices(invocation, engine, options, everywhere);
  const source: PlanSource = { kind: 'remove', employeeNos };
  return carryOut(invocation, engine, { source, devices, options, doing: 'remove' });
};

interface Work {
  readonly source: PlanSource;
  readonly devices: readonly Device[];
  readonly options: PeopleWorkOptions;
  readonly doing: 'import' | 'copy' | 'remove';
}

async function carryOut(invocation: Invocation, engine: Engine, work: Work): Promise<ExitCode> {
  const { out, interrupts } = invocation;
  const { options, doing } = work;
  const target = await openOutputFile(invocation, options.failed, { force: true });
  const plan = await makePlan(invocation, engine, work);
  const errors = plan.devices.map(({ error }) => error);
  let begun = false;
  try {
    if (!out.asJson) printPlan(invocation, plan);
    if (options.dryRun === true) {
      if (out.asJson) await printPlanJson(invocation, engine, plan);
      else printRows(invocation, engine, plan);
      await writeFailed(invocation, engine, plan.id, options.failed, target);
      return planExitCode(plan);
    }
    if (!out.asJson) printRows(invocation, engine, plan, { wrongOnly: true });
    if (options.whenBack !== true && errors.every((error) => error !== undefined)) {
      if (out.asJson) out.json({ plan: toScriptPlan(plan) });
      return exitCodeOfAll(errors);
    }
    if (options.yes !== true) await confirm(invocation, engine, plan, work.source);
    begun = true;
  } finally {
    if (!begun) engine.people.discard({ id: plan.id });
  }
  const { jobId } = engine.people.begin({
    id: plan.id,
    options: {
      ...toWhenBack(options),
      ...removeUndefined({ concurrency: options.concurrency }),
      acceptDrift: options.acceptDrift === true || options.yes === true,
    },
  });
  const { progress } = options;
  const job = await followJob(invocation, engine, jobId, { progress, doing, announce: true });
  // A file that cannot be written must not hide what became of the people.
  const failed = await writeFailed(invocation, engine, jobId, options.failed, target).catch(
    (thrown: unknown) => {
      const error = toErrorShape(thrown);
      noteError(out, error);
      return { file: options.failed, error };
    },
  );
  const removed = plan.work === 'remove' ? engine.people.removed({ id: jobId }) : undefined;
  const people = countPeopleOutcome(engine, job);
  reportJob(invocation, options, job, {
    plan: toScriptPlan(plan),
    failed,
    removed,
    people,
  });
  if (!out.asJson && removed !== undefined) printRemoved(invocation, removed, jobId);
  const code = getJobExitCode(job, interrupts.happened);
  noteResumable(invocation, job, code);
  noteRestarts(invocation, job);
  return code === EXIT.done && (plan.bad > 0 || (failed !== undefined && 'error' in failed))
    ? EXIT.failed
    : code;
}

function makePlan(
  invocation: Invocation,
  engine: Engine,
  { source, devices, options }: Work,
): Promise<PeoplePlan> {
  const { out, interrupts } = invocation;
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const events = engine.people.planFrom(
    {
      source,
      deviceIds: devices.map(({ id }) => id),
    },
    interrupts.signal,
  );
  return awaitPlan(invocation, events, ({ deviceId, done, total }) => {
    if (options.progress === true && out.asJson) out.jsonLine({ type: 'planning', deviceId, total, done });
    else
      out.progress(
        `${deviceId === undefined ? '' : `${names.get(deviceId) ?? ''}: `}${done}${total === undefined ? '' : `/${total}`}`,
      );
  });
}

/** Asks for a yes to the plan. @throws `confirmation-needed` if there is no terminal to ask on */
async function confirm(
  invocation: Invocation,
  engine: Engine,
  plan: PeoplePlan,
  source: PlanSource,
): Promise<void> {
  const { out } = invocation;
  if (!out.asJson) printRows(invocation, engine, plan);
  const question =
    source.kind === 'remove'
      ? out.say('people-ask-remove', {
          people: formatSomeNames(source.employeeNos),
          devices: formatSomeNames(plan.devices.map(({ name, url }) => name || url)),
        })
      : out.say('people-ask', { count: plan.devices.length });
  await askToGoOn(invocation, `\n${cleanLine(question)}`, say('cli.people-unconfirmed'));
}

function planExitCode(plan: PeoplePlan): ExitCode {
  const errors = plan.devices.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) return exitCodeOfAll(plan.devices.map(({ error }) => error));
  return plan.bad > 0 || plan.devices.some(({ counts }) => (counts.refused ?? 0) > 0)
    ? EXIT.failed
    : EXIT.done;
}

/** Writes the file of failed rows; undefined if none was asked for. */
async function writeFailed(
  invocation: Invocation,
  engine: Engine,
  id: string,
  file: string | undefined,
  target: OutputFile | undefined,
): Promise<{ readonly file: string; readonly rows: number } | undefined> {
  if (file === undefined || target === undefined) return undefined;
  let rows = 0;
  let last = -1;
  for (const { row } of engine.people.listed({ id, only: 'failed' })) {
    if (row !== last) rows += 1;
    last = row;
  }
  if (rows > 0) await target.writeParts(formatFailedRows(invocation, engine, id));
  if (!invocation.out.asJson && rows > 0)
    invocation.out.note(invocation.out.say('people-failed-written', { count: rows, file }));
  return { file, rows };
}

function printRemoved({ out }: Invocation, { devices }: RemovedPeople, id: string): void {
  for (const { name, lines } of devices)
    for (const { says, reason } of lines)
      out.note(
        `${name}: ${out.sentence(says)}${reason === undefined ? '' : ` ${translateError(reason, out).message}`}`,
      );
  out.note(out.say('people-receipt-hint', { id }));
}
