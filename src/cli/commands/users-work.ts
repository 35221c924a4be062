/** `users import|copy|remove`: planned, shown, confirmed, carried out, proven; what went wrong comes back as a file. */
import type { Engine, PlanSource } from '#engine/index.ts';
import { defined } from '#shared/defined.ts';
import { say, someOf } from '#shared/details.ts';
import { FieldwrightError, toErrorShape } from '#shared/errors.ts';
import type { Device, Job } from '#shared/model.ts';
import type { PeopleOutcome } from '#shared/people-outcome.ts';
import type { PeoplePlan, RemovedPeople } from '#shared/people.ts';
import { EXIT, exitCodeOfAll, type ExitCode } from '../exit-codes.ts';
import { followJob, noteResumable, peopleOutcomeOf } from '../follow-job.ts';
import { selectDevices, selectOne } from '../input/devices.ts';
import { askToGoOn } from '../input/prompt.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import { outputFile, type OutputFile } from '../output/output-file.ts';
import { jobExitCode } from '../job-exit.ts';
import type { DeviceOptions } from '../options.ts';
import { cleanLine } from '../output/clean.ts';
import { errorLines, errorText } from '../output/errors.ts';
import { jobForScripts } from '../output/for-scripts.ts';
import { printJob } from '../output/job-view.ts';
import { usageError, wholeNumber } from '../usage.ts';
import { failedParts } from './users-files.ts';
import { forScript, printPlan, printPlanJson, printRows } from './users-plan.ts';
import { mapOf } from '../input/column-map.ts';
import { fileSource } from './users-source.ts';

interface UsersWorkOptions extends DeviceOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly progress?: boolean;
  readonly failed?: string;
  readonly concurrency?: string;
  readonly acceptDrift?: boolean;
  readonly despiteCapability?: boolean;
}
interface UsersImportOptions extends UsersWorkOptions {
  readonly map?: readonly string[];
  readonly format?: string;
  readonly dates?: string;
}
interface UsersCopyOptions extends UsersWorkOptions {
  readonly from?: string;
  readonly to?: readonly string[];
  readonly fingerprints?: boolean;
  readonly replaceOthers?: boolean;
}
interface UsersRemoveOptions extends UsersWorkOptions {
  readonly everywhere?: boolean;
}

export async function usersImport(
  invocation: Invocation,
  file: string,
  options: UsersImportOptions,
): Promise<number> {
  const { dates } = options;
  if (dates !== undefined && dates !== 'dmy' && dates !== 'mdy')
    throw usageError(say('cli.one-of', { option: '--dates', allowed: 'dmy, mdy', text: dates }), {
      path: '--dates',
    });
  const source: PlanSource = {
    kind: 'file',
    ...(await fileSource(invocation, file, options.format)),
    map: mapOf(options.map ?? []),
    codePage: languageIs(invocation, 'zh') ? 'gb18030' : 'windows-1252',
    ...defined({ dates }),
  };
  return withEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    return carryOut(invocation, engine, { source, devices, options, doing: 'Importing' });
  });
}

export async function usersCopy(invocation: Invocation, options: UsersCopyOptions): Promise<number> {
  const { from, to = [] } = options;
  if (from === undefined)
    throw usageError(say('cli.needs-option', { command: 'users copy', option: '--from DEVICE' }), {
      path: '--from',
    });
  if (
    to.length === 0 &&
    options.device === undefined &&
    options.devices === undefined &&
    options.tag === undefined &&
    options.site === undefined
  )
    throw usageError(say('cli.needs-option', { command: 'users copy', option: '--to DEVICE' }), {
      path: '--to',
    });
  return withEngine(invocation, async (engine) => {
    const { device: _targets, devices: _file, tag: _tag, site: _site, ...connection } = options;
    const origin = await selectOne(invocation, engine, { ...connection, device: [from] });
    const devices = (await selectDevices(invocation, engine, options, to)).filter(
      ({ id }) => id !== origin.id,
    );
    if (devices.length === 0) throw usageError(say('cli.copy-onto-itself'), { path: '--to' });
    return carryOut(invocation, engine, {
      source: {
        kind: 'copy',
        from: origin.id,
        ...defined({ prints: options.fingerprints, replaceOthers: options.replaceOthers }),
      },
      devices,
      options,
      doing: 'Copying',
    });
  });
}

export async function usersRemove(
  invocation: Invocation,
  employeeNos: readonly string[],
  options: UsersRemoveOptions,
): Promise<number> {
  return withEngine(invocation, async (engine) => {
    const isNamed = [options.device, options.devices, options.tag, options.site].some(
      (given) => given !== undefined,
    );
    const everywhere =
      options.everywhere === true && !isNamed
        ? engine.devices
            .list()
            .filter(({ kinds }) => kinds.length === 0 || kinds.includes('gate'))
            .map(({ id }) => id)
        : [];
    const devices = await selectDevices(invocation, engine, options, everywhere);
    return carryOut(invocation, engine, {
      source: { kind: 'remove', employeeNos },
      devices,
      options,
      doing: 'Removing',
    });
  });
}

interface Work {
  readonly source: PlanSource;
  readonly devices: readonly Device[];
  readonly options: UsersWorkOptions;
  readonly doing: string;
}

async function carryOut(invocation: Invocation, engine: Engine, work: Work): Promise<ExitCode> {
  const { out, interrupts } = invocation;
  const { options, doing } = work;
  const concurrency =
    options.concurrency === undefined
      ? undefined
      : wholeNumber(options.concurrency, '--concurrency', { min: 1, max: 256 });
  const target =
    options.failed === undefined ? undefined : await outputFile(invocation, options.failed, { force: true });
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
    if (errors.every((error) => error !== undefined)) {
      if (out.asJson) out.json({ plan: forScript(plan) });
      return exitCodeOfAll(errors);
    }
    if (options.yes !== true && !(await confirmed(invocation, engine, plan, work.source))) {
      out.note(out.say('cli.nothing-sent'));
      return EXIT.usage;
    }
    begun = true;
  } finally {
    if (!begun) engine.people.discard({ id: plan.id });
  }
  const { jobId } = engine.people.begin({
    id: plan.id,
    options: defined({
      concurrency,
      acceptDrift: options.acceptDrift === true || options.yes === true || undefined,
    }),
  });
  if (!out.asJson) out.note(out.say('cli.job', { id: jobId }));
  const job = await followJob(invocation, engine, jobId, { progress: options.progress, doing });
  // Whatever becomes of that file: what became of the people is told.
  const failed = await writeFailed(invocation, engine, jobId, options.failed, target).catch(
    (thrown: unknown) => {
      const error = toErrorShape(thrown);
      for (const line of errorLines(error, out)) out.note(line);
      return { file: options.failed, error };
    },
  );
  const removed = plan.work === 'remove' ? engine.people.removed({ id: jobId }) : undefined;
  const people = peopleOutcomeOf(engine, job);
  report(invocation, { job, plan, failed, removed, people }, options);
  const code = jobExitCode(job, interrupts.happened);
  noteResumable(invocation, job, code);
  if (job.rebootPending !== undefined)
    out.note(out.say('cli.reboot-pending', { devices: out.devices(job.rebootPending), id: jobId }));
  return code === EXIT.done && (plan.bad > 0 || (failed !== undefined && 'error' in failed))
    ? EXIT.failed
    : code;
}

async function makePlan(
  { out, interrupts }: Invocation,
  engine: Engine,
  { source, devices, options }: Work,
): Promise<PeoplePlan> {
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  for await (const event of engine.people.planFrom(
    {
      source: { ...source, ...defined({ despiteCapability: options.despiteCapability }) },
      deviceIds: devices.map(({ id }) => id),
    },
    interrupts.signal,
  )) {
    if (event.type === 'plan') {
      out.endProgress();
      return event.plan;
    }
    const { deviceId, done, total } = event;
    if (options.progress === true && out.asJson)
      out.jsonLine({ type: 'planning', ...defined({ deviceId, total }), done });
    else
      out.progress(
        `${deviceId === undefined ? '' : `${names.get(deviceId) ?? ''}: `}${done}${total === undefined ? '' : `/${total}`}`,
      );
  }
  throw new FieldwrightError({ code: 'cancelled', source: 'user', message: 'Cancelled.' });
}

/** True when the writes may start. Throws `confirmation-needed` where nobody can be asked. */
async function confirmed(
  invocation: Invocation,
  engine: Engine,
  plan: PeoplePlan,
  source: PlanSource,
): Promise<boolean> {
  const { out } = invocation;
  if (!out.asJson) printRows(invocation, engine, plan);
  const question =
    source.kind === 'remove'
      ? out.say('people-ask-remove', {
          people: someOf(source.employeeNos),
          devices: someOf(plan.devices.map(({ name, url }) => name || url)),
        })
      : out.say('people-ask', { count: plan.devices.length });
  return askToGoOn(invocation, `\n${cleanLine(question)}`, say('cli.people-unconfirmed'));
}

function planExitCode(plan: PeoplePlan): ExitCode {
  const errors = plan.devices.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) return exitCodeOfAll(plan.devices.map(({ error }) => error));
  return plan.bad > 0 || plan.devices.some(({ counts }) => (counts.refused ?? 0) > 0)
    ? EXIT.failed
    : EXIT.done;
}

/** Rows in the file; undefined where none was asked for. */
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
  if (rows > 0) await target.writeParts(failedParts(invocation, engine, id));
  if (!invocation.out.asJson && rows > 0)
    invocation.out.note(invocation.out.say('people-failed-written', { count: rows, file }));
  return { file, rows };
}

function report(
  { out }: Invocation,
  {
    job,
    plan,
    failed,
    removed,
    people,
  }: {
    readonly job: Job;
    readonly plan: PeoplePlan;
    readonly failed: object | undefined;
    readonly removed: RemovedPeople | undefined;
    readonly people: PeopleOutcome | undefined;
  },
  { progress }: UsersWorkOptions,
): void {
  if (!out.asJson) {
    printJob(out, job, people);
    for (const { name, lines } of removed?.devices ?? [])
      for (const { says, reason } of lines)
        out.note(
          `${name}: ${out.sentence(says)}${reason === undefined ? '' : ` ${errorText(reason, out).message}`}`,
        );
    if (removed !== undefined) out.note(out.say('people-receipt-hint', { id: job.id }));
    return;
  }
  const document = {
    jobId: job.id,
    ...jobForScripts(job),
    plan: forScript(plan),
    ...defined({ failed, removed, people }),
  };
  out.result(document, { asLine: progress });
}

function languageIs({ globals }: Invocation, language: string): boolean {
  return (
    new Intl.Locale(globals.lang ?? Intl.DateTimeFormat().resolvedOptions().locale).language === language
  );
}
