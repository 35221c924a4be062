/** `flow run|resume`: a guided flow without a screen, answered from a file. */
import type { Action } from '#cli/declarations/all.ts';
import { say } from '#shared/details.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { checkSteps, replyTo, type Answers } from '#engine/index.ts';
import type { Engine } from '#engine/api.ts';
import { FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import type { Asked, FlowView } from '#shared/flows.ts';
import type { FlowRunOptions } from '#cli/declarations/flow.ts';
import { EXIT, type ExitCode } from '#cli/exit-codes.ts';
import { recordEndedJob, noteResumable, reportJob, takeOverJob } from '#cli/follow-job.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { FlowAnswers } from '#cli/input/flow-answers.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { askYes, requireConfirmation } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import { getJobExitCode } from '#cli/job-exit.ts';
import { showValue } from '#cli/output/clean.ts';
import { formatFact } from '#cli/output/document-value.ts';
import { translateError } from '#cli/output/errors.ts';
import { findFlow } from './flow.ts';
import {
  readFlowFiles,
  formatOf,
  writeRecords,
  writeTemplates,
  type FlowFiles,
} from '#cli/output/flow-files.ts';

export const runFlow: Action<'flow run'> = async (invocation, name, options) => {
  const answers = await prepare(invocation, options);
  const engine = await invocation.open();
  checkSteps(answers.all, findFlow(engine, name));
  requireConfirmation(invocation, options, say('cli.flow-confirm'));
  const devices = await selectDevices(invocation, engine, options);
  const files = await readFiles(invocation, options, devices.length);
  const { jobId } = engine.flows.begin({ flow: name, deviceIds: devices.map(({ id }) => id) });
  return goThrough(invocation, engine, { jobId, answers, options, files });
};

export const resumeFlow: Action<'flow resume'> = async (invocation, id, options) => {
  const answers = await prepare(invocation, options);
  const engine = await invocation.open();
  const preview = engine.jobs.resumePreview({ id });
  const { results, about } = engine.jobs.show({ id });
  const files = await readFiles(invocation, options, results.length);
  if (about.flow !== undefined) checkSteps(answers.all, findFlow(engine, about.flow.name));
  requireConfirmation(invocation, options, say('cli.flow-confirm'));
  await reachAgain(invocation, engine, preview.devices, options);
  const { jobId } = engine.jobs.resume({ id });
  return goThrough(invocation, engine, { jobId, answers, options, files });
};

/** Checks the names of files and reads the answers before anything happens. */
async function prepare(invocation: Invocation, options: FlowRunOptions): Promise<FlowAnswers> {
  if (options.record !== undefined) formatOf(options.record);
  return FlowAnswers.read(invocation, options.answers);
}

/** A file that cannot be written would be found out after the work on site. */
async function readFiles(
  invocation: Invocation,
  { record, template }: FlowRunOptions,
  devices: number,
): Promise<Files> {
  const filesFor = (file: string | undefined) =>
    file === undefined ? undefined : readFlowFiles(invocation, file, devices);
  return { records: await filesFor(record), templates: await filesFor(template) };
}

interface Files {
  readonly records: FlowFiles | undefined;
  readonly templates: FlowFiles | undefined;
}

interface Running {
  readonly jobId: string;
  readonly answers: FlowAnswers;
  readonly options: FlowRunOptions;
  readonly files: Files;
}

async function goThrough(invocation: Invocation, engine: Engine, running: Running): Promise<ExitCode> {
  const { out, interrupts } = invocation;
  const { jobId, answers, options, files } = running;
  takeOverJob(invocation, engine, jobId, 'cli.flow-stopping');
  const { stopped, unanswered } = await answerAll(invocation, engine, running);
  out.endProgress();
  const job = recordEndedJob(invocation, engine, jobId);
  const records = files.records && (await writeRecords(invocation, engine, { jobId, files: files.records }));
  const templates =
    files.templates && (await writeTemplates(invocation, engine, { jobId, files: files.templates }));
  const unused = answers.neverAsked;
  reportJob(invocation, options, job, {
    ...(stopped !== undefined && { stopped }),
    records,
    templates,
    ...(unused.length > 0 && { unusedAnswers: unused }),
  });
  if (stopped !== undefined)
    out.note(
      out.say('cli.flow-stopped', { step: stopped.path ?? '', reason: translateError(stopped, out).message }),
    );
  // The question says what a person has to do now.
  for (const words of unanswered?.text ?? []) out.note(out.words(words));
  if (unused.length > 0) out.note(out.say('cli.answers-unused', { names: unused.join(', ') }));
  const code = getJobExitCode(job, interrupts.happened);
  noteResumable(invocation, job, code);
  const isUnwritten = [...(records ?? []), ...(templates ?? [])].some(({ error }) => error !== undefined);
  return code === EXIT.done && isUnwritten ? EXIT.failed : code;
}

interface Stopped {
  /** Why it stopped; undefined where it went to its end. */
  readonly stopped?: ErrorShape;
  /** The question that the answers say nothing to. */
  readonly unanswered?: Asked;
}

/** Resolves when the flow has ended, with what it stopped at where an answer was missing. */
async function answerAll(
  invocation: Invocation,
  engine: Engine,
  { jobId, answers, options }: Running,
): Promise<Stopped> {
  const { out } = invocation;
  const tell = teller(invocation, options, answers.all);
  const answered = new Set<string>();
  let stopped: ErrorShape | undefined;
  let unanswered: Asked | undefined;
  for await (const view of engine.flows.watch({ jobId }, new AbortController().signal)) {
    const { asked } = view;
    tell(view);
    if (asked === undefined || answered.has(asked.token)) continue;
    answered.add(asked.token);
    const give = (values: Readonly<Record<string, unknown>>): void => {
      engine.flows.answer({ jobId, token: asked.token, answer: { kind: 'values', values } });
    };
    try {
      const reply = await answers.replyTo(asked);
      if (reply === 'wait') continue;
      if (reply === 'confirm') {
        if (await confirmed(invocation, asked, options)) give({});
        else engine.flows.answer({ jobId, token: asked.token, answer: { kind: 'leave' } });
      } else if ('endsAfter' in reply)
        // The watch may have ended by itself meanwhile.
        void delay(reply.endsAfter * 1000, undefined, { ref: false })
          .then(() => give({}))
          .catch(() => undefined);
      else if ('missing' in reply) {
        const names = reply.missing.map(({ name }) => `${asked.step}.${name}`);
        unanswered ??= asked;
        throw userError('missing-field', say('cli.answers-missing', { names: names.join(', ') }), {
          path: names[0],
        });
      } else engine.flows.answer({ jobId, token: asked.token, answer: reply.answer });
    } catch (thrown) {
      if (!(thrown instanceof FieldwrightError)) throw thrown;
      if (thrown.code === 'changed-meanwhile') continue;
      stopped ??= { ...thrown.shape, path: thrown.shape.path ?? `${asked.step}.${asked.key}` };
      engine.jobs.cancel({ id: jobId });
    }
  }
  out.endProgress();
  return { stopped, unanswered };
}

/** A wait that lasts longer than this says what it waits for. */
const SILENT_S = 2;

/**
 * Returns a function that prints progress: a line on the terminal, or one object for each new question. Of a watch it says
 * what it waits for, and again once a minute, so that a long wait does not look like a standstill.
 */
function teller(
  { out }: Invocation,
  { progress }: FlowRunOptions,
  answers: Answers,
): (view: FlowView) => void {
  const seen = { line: '', wait: '', token: '', seconds: 0 };
  return ({ flow, devices, asked, ended, jobId }) => {
    if (ended || asked === undefined) return;
    const device = devices[asked.position]?.name ?? '';
    const { token, step, key, wants, error, live = [], secondsLeft } = asked;
    const text = [
      ...asked.text.map((words) => out.words(words)),
      ...live.map((fact) => formatFact(out, fact)),
    ];
    if (token !== seen.token) Object.assign(seen, { token, seconds: secondsLeft ?? 0 });
    const elapsed = seen.seconds - (secondsLeft ?? 0);
    const minutes =
      secondsLeft === undefined ? undefined : minutesLeft(asked, { secondsLeft, elapsed }, answers);
    if (progress === true && out.asJson) {
      const line = { jobId, device, step, key, wants, text, ...(error && { error }) };
      const now = JSON.stringify([token, minutes, line]);
      if (now !== seen.line) out.jsonLine({ ...line, secondsLeft });
      seen.line = now;
      return;
    }
    const title = out.words(flow.steps.find(({ id }) => id === step)?.title ?? step);
    if (!out.asJson) out.progress(`${device}: ${title}`);
    const wait = `${token} ${minutes}`;
    if (minutes === undefined || elapsed < SILENT_S || wait === seen.wait) return;
    seen.wait = wait;
    out.endProgress();
    out.note(out.say('cli.flow-waits', { device, step: title, text: text.join(' '), minutes }));
  };
}

/** Returns the minutes that a watch still lasts at most, begun ones counted. */
function minutesLeft(
  asked: Asked,
  { secondsLeft, elapsed }: { readonly secondsLeft: number; readonly elapsed: number },
  answers: Answers,
): number {
  const reply = replyTo(asked, answers);
  const given = typeof reply === 'object' && 'endsAfter' in reply ? reply.endsAfter - elapsed : 0;
  return Math.ceil((given > 0 ? Math.min(secondsLeft, given) : secondsLeft) / 60);
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
  if (asked.noUndo !== undefined)
    out.note(out.say('cli.no-undo', { reason: out.words({ id: asked.noUndo }) }));
  return (await askYes(invocation, out.say('cli.ask-send'))) === true;
}
