/** `flow list|show|run|resume|records`: guided flows without a screen, answered from a file. */
import type { Answers } from '../../engine/index.ts';
import type { Engine } from '../../engine/api.ts';
import { readAnswers, replyTo, textOf } from '../../engine/index.ts';
import type { Asked, FlowView } from '../../shared/flows.ts';
import { detailText } from '../../shared/details.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { isInteractive } from '../io.ts';
import { reachAgain } from '../input/job-devices.ts';
import { selectDevices } from '../input/devices.ts';
import { readBytes, readText, refuseExisting, writeNew } from '../input/files.ts';
import { askYes } from '../input/prompt.ts';
import { secretName, secretOf } from '../input/secrets.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import { jobExitCode } from '../job-exit.ts';
import { noteResumable, reportJob } from '../follow-job.ts';
import type { DeviceOptions } from '../options.ts';
import { showValue } from '../output/clean.ts';
import { dateFormat } from '../output/date-format.ts';
import { usageError } from '../usage.ts';

export interface FlowRunOptions extends DeviceOptions {
  readonly answers?: string;
  readonly record?: string;
  readonly yes?: boolean;
  readonly progress?: boolean;
}

export async function flowList(invocation: Invocation): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const flows = engine.flows.list();
    if (out.asJson)
      out.json(
        flows.map(({ name, title, about, kinds }) => ({
          name,
          title: textOf(title),
          about: textOf(about),
          kinds,
        })),
      );
    else
      out.table(
        [
          { title: 'FLOW', cell: ({ name }) => name },
          { title: 'FOR', cell: ({ kinds }) => kinds?.join(', ') ?? 'any device' },
          { title: 'DOES', cell: ({ about }) => out.words(about), flexible: true },
        ],
        flows,
      );
    return Promise.resolve(EXIT.done);
  });
}

export async function flowShow(invocation: Invocation, name: string): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const flow = engine.flows.list().find((each) => each.name === name);
    if (flow === undefined)
      throw new FieldwrightError({
        code: 'not-found',
        source: 'user',
        message: `There is no flow "${name}".`,
        hint: 'fieldwright flow list shows all.',
      });
    if (out.asJson)
      out.json({
        ...flow,
        title: textOf(flow.title),
        about: textOf(flow.about),
        steps: flow.steps.map(({ id, title }) => ({ id, title: textOf(title) })),
      });
    else {
      out.line(`${out.words(flow.title)}: ${out.words(flow.about)}`);
      out.table(
        [
          { title: 'STEP', cell: ({ id }) => id },
          { title: 'TITLE', cell: ({ title }) => out.words(title), flexible: true },
        ],
        flow.steps,
      );
    }
    return Promise.resolve(EXIT.done);
  });
}

export async function flowRun(
  invocation: Invocation,
  name: string,
  options: FlowRunOptions,
): Promise<number> {
  const { io, out } = invocation;
  if (options.record !== undefined) {
    formatOf(options.record);
    refuseExisting(options.record, {});
  }
  if (options.yes !== true && (out.asJson || !isInteractive(io)))
    throw new FieldwrightError({
      code: 'confirmation-needed',
      source: 'user',
      message: 'A flow writes to the device; nothing was sent.',
      hint: 'Add --yes, or run it at a terminal, where it asks before each write.',
    });
  const answers = await answersOf(invocation, options);
  return withEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const { jobId } = engine.flows.begin({ flow: name, deviceIds: devices.map(({ id }) => id) });
    return goThrough(invocation, engine, { jobId, answers, options });
  });
}

export async function flowResume(
  invocation: Invocation,
  id: string,
  options: FlowRunOptions,
): Promise<number> {
  const answers = await answersOf(invocation, options);
  return withEngine(invocation, async (engine) => {
    const preview = engine.jobs.resumePreview({ id });
    await reachAgain(invocation, engine, preview.devices, options);
    const { jobId } = engine.jobs.resume({ id });
    return goThrough(invocation, engine, { jobId, answers, options });
  });
}

async function answersOf(invocation: Invocation, { answers }: FlowRunOptions): Promise<Answers> {
  return answers === undefined ? {} : readAnswers(await readText(invocation.io, answers), answers);
}

interface Running {
  readonly jobId: string;
  readonly answers: Answers;
  readonly options: FlowRunOptions;
}

async function goThrough(
  invocation: Invocation,
  engine: Engine,
  { jobId, answers, options }: Running,
): Promise<ExitCode> {
  const { out, interrupts } = invocation;
  interrupts.takeOver(() => {
    out.note('Stopping here; the flow can be resumed. Ctrl-C again ends at once.');
    engine.jobs.cancel({ id: jobId });
  });
  const stopped = await answerAll(invocation, engine, { jobId, answers, options });
  out.endProgress();
  const job = engine.jobs.show({ id: jobId });
  if (options.record !== undefined) await writeRecords(invocation, engine, jobId, options.record);
  reportJob(invocation, options, job);
  if (stopped !== undefined) out.note(stopped);
  const code = jobExitCode(job, interrupts.happened);
  noteResumable(invocation, job, code);
  return code;
}

/** Resolves when the flow has ended, with what it stopped at where an answer was missing. */
async function answerAll(
  invocation: Invocation,
  engine: Engine,
  { jobId, answers, options }: Running,
): Promise<string | undefined> {
  const { out } = invocation;
  const answered = new Set<string>();
  let stopped: string | undefined;
  for await (const view of engine.flows.watch({ jobId }, new AbortController().signal)) {
    const { asked } = view;
    tell(invocation, view, options);
    if (asked === undefined || answered.has(asked.token)) continue;
    answered.add(asked.token);
    try {
      const reply = replyTo(asked, { ...answers, ...(await secretsFor(invocation, asked, answers)) });
      if (reply === 'wait') continue;
      const yes = reply !== 'confirm' || (await confirmed(invocation, asked, options));
      if (reply !== 'confirm' && 'missing' in reply)
        throw new FieldwrightError({
          code: 'missing-field',
          source: 'user',
          message: `The answers have no value for ${reply.missing.map(({ name }) => `${asked.step}.${name}`).join(', ')}.`,
        });
      engine.flows.answer({
        jobId,
        token: asked.token,
        answer: !yes
          ? { kind: 'leave' }
          : reply === 'confirm'
            ? { kind: 'values', values: {} }
            : reply.answer,
      });
    } catch (thrown) {
      if (!(thrown instanceof FieldwrightError)) throw thrown;
      if (thrown.code === 'changed-meanwhile') continue;
      stopped ??= `Stopped at ${thrown.shape.path ?? `${asked.step}.${asked.key}`}: ${thrown.message}`;
      engine.jobs.cancel({ id: jobId });
    }
  }
  out.endProgress();
  return stopped;
}

function tell(
  { out }: Invocation,
  { flow, devices, asked, ended, jobId }: FlowView,
  { progress }: FlowRunOptions,
): void {
  if (ended || asked === undefined) return;
  const step = flow.steps.find(({ id }) => id === asked.step);
  const device = devices[asked.position]?.name ?? '';
  if (progress === true && out.asJson)
    out.jsonLine({
      jobId,
      device,
      step: asked.step,
      wants: asked.wants,
      ...(asked.error && { error: asked.error }),
    });
  else if (!out.asJson) out.progress(`${device}: ${step === undefined ? asked.step : out.words(step.title)}`);
}

/** A yes to what is shown. */
async function confirmed(invocation: Invocation, asked: Asked, { yes }: FlowRunOptions): Promise<boolean> {
  if (yes === true) return true;
  const { out } = invocation;
  out.endProgress();
  for (const words of asked.text) out.note(out.words(words));
  for (const { label, from, to, unit = '' } of asked.sends ?? [])
    out.note(
      `  ${label}: ${from === undefined ? '' : `${showValue(from)} ${unit} → `}${showValue(to)} ${unit}`.trimEnd(),
    );
  return (await askYes(invocation, 'Send it?')) === true;
}

/** Secrets are never in a file with answers: from the environment, or asked. */
async function secretsFor(
  invocation: Invocation,
  { step, fields = [] }: Asked,
  answers: Answers,
): Promise<Answers> {
  const secret = fields.filter(({ kind }) => kind === 'secret');
  if (secret.length === 0) return {};
  const here = answers[step] ?? {};
  const found: Record<string, unknown> = {};
  for (const { name, label } of secret) {
    if (Object.hasOwn(here, name))
      throw new FieldwrightError({
        code: 'not-allowed',
        source: 'user',
        path: `${step}.${name}`,
        message: 'A secret is not taken from a file with answers.',
        hint: `Set ${secretName(`${step}_${name}`)}, or answer the prompt.`,
      });
    const value = await secretOf(invocation, `${step}_${name}`, `${invocation.out.words(label)}: `);
    if (value !== undefined) found[name] = value;
  }
  return { [step]: { ...here, ...found } };
}

const FORMATS = ['json', 'html', 'pdf'] as const;

/** By the ending of the name. */
function formatOf(file: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((each) => file.toLowerCase().endsWith(`.${each}`));
  if (format !== undefined) return format;
  throw usageError('A record is written as .json, .html or .pdf.', { path: '--record' });
}

/** One file; of several devices one each, numbered before the ending. */
async function writeRecords(
  { globals }: Invocation,
  engine: Engine,
  jobId: string,
  file: string,
): Promise<void> {
  const records = engine.flows.recordsOf({ jobId });
  const format = formatOf(file);
  const language = globals.lang?.startsWith('zh') === true ? 'zh-CN' : 'en';
  for (const [nth, sealed] of records.entries()) {
    const name = records.length === 1 ? file : file.replace(/(\.\w+)$/, `-${nth + 1}$1`);
    await writeNew(name, await engine.flows.render(sealed, format, language), {});
  }
}

/** Needs no device; exit 1 where the file is not what was exported. */
export async function flowVerify(invocation: Invocation, file: string): Promise<number> {
  const { io, out } = invocation;
  const bytes = await readBytes(io, file);
  return withEngine(invocation, async (engine) => {
    const { state, form, sealed, said: findings } = await engine.flows.verify(bytes);
    if (out.asJson)
      out.json({
        state,
        form,
        id: sealed?.document.id,
        sha256: sealed?.sha256,
        previous: sealed?.previous,
        said: findings.map(detailText),
      });
    else {
      out.line(`${file}: ${state}`);
      for (const finding of findings) out.line(out.sentence(finding));
    }
    return state === 'intact' ? EXIT.done : EXIT.failed;
  });
}

export async function flowRecords(invocation: Invocation): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const records = engine.flows.records();
    if (out.asJson) out.json(records);
    else if (records.length === 0) out.note('There is no record yet.');
    else {
      const when = dateFormat(invocation.globals.lang);
      out.table(
        [
          { title: 'RECORD', cell: ({ id }) => id.slice(0, 8) },
          { title: 'MADE', cell: ({ at }) => when(at) },
          { title: 'FLOW', cell: ({ flow }) => flow },
          { title: 'DEVICE', cell: ({ deviceId }) => deviceId, flexible: true },
          { title: 'SHA-256', cell: ({ sha256 }) => sha256.slice(0, 16) },
        ],
        records,
      );
    }
    return Promise.resolve(EXIT.done);
  });
}
