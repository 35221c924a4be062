/** A person at the screen of a guided flow, who answers with mouse and keyboard what is asked there. */
import { replyTo, type Answers } from '#engine/flow/scripted.ts';
import type { Asked, FlowField } from '#shared/flows.ts';
import { violations } from '../axe.ts';
import type { App } from '../app.ts';
import { goToHash } from './in-page.ts';
import { byId } from './test-id.ts';

export interface AtTheScreen {
  /** Acts at the device while the question is shown. `on`: the awaited event will not come. */
  readonly meanwhile?: (asked: Asked) => Promise<'on' | undefined>;
  /** Called for each question when it is on the screen. */
  readonly seen?: (asked: Asked) => Promise<void>;
  /** Called when all answers are typed. */
  readonly filled?: (asked: Asked) => Promise<void>;
}

/** Begins a flow for the only device that it fits; gives the id of its job. */
export async function beginFlow(app: App, flow: string): Promise<string> {
  await goToHash(app.page, '#/commission');
  await byId(app.page, `flow-${flow}`).getByRole('button').click();
  await byId(app.page, 'select-row').check();
  await byId(app.page, 'begin-flow').click();
  await byId(app.page, 'flow-run').waitFor();
  const [job] = app.engine.jobs.list();
  if (job === undefined) throw new Error('no flow was begun');
  return job.id;
}

/** Answers a flow to its end. Returns the `step.key` of each screen. */
export async function answerOnScreen(
  app: App,
  jobId: string,
  answers: Answers,
  { meanwhile, seen, filled }: AtTheScreen = {},
): Promise<readonly string[]> {
  const shown: string[] = [];
  const known = new Set<string>();
  for await (const { asked } of app.engine.flows.watch({ jobId }, new AbortController().signal)) {
    if (asked === undefined || known.has(asked.token)) continue;
    known.add(asked.token);
    const question = `${asked.step}.${asked.key}`;
    shown.push(question);
    const here = app.page.locator(`[data-question="${question}"]`);
    // A watch that ends by itself may be over before it was drawn.
    if (asked.wants !== 'watch') await here.waitFor();
    await seen?.(asked);
    // One look for each kind of question: they are all made of the same parts.
    if (shown.length % 6 === 1 && asked.wants !== 'watch') {
      const faults = await violations(app.page, question);
      if (faults.length > 0) throw new Error(`${question}: ${JSON.stringify(faults)}`);
    }
    const didNotCome = await meanwhile?.(asked);
    if (asked.wants === 'watch') {
      if (didNotCome !== 'on') continue;
      await here.waitFor();
      await byId(app.page, 'next').click();
      continue;
    }
    await fill(app, asked, answers);
    await filled?.(asked);
    await byId(app.page, 'next').click();
  }
  await byId(app.page, 'flow-ended').waitFor();
  return shown;
}

async function fill(app: App, asked: Asked, answers: Answers): Promise<void> {
  if (asked.wants !== 'answer') return;
  const reply = replyTo(asked, answers);
  if (reply === 'wait' || reply === 'confirm' || 'endsAfter' in reply) return;
  if ('missing' in reply || reply.answer.kind !== 'values')
    throw new Error(`nobody knows what to answer to ${asked.step}.${asked.key}`);
  for (const [name, value] of Object.entries(reply.answer.values)) {
    const field = asked.fields?.find((each) => each.name === name);
    if (field !== undefined) await put(app, field, value);
  }
}

async function put(app: App, { kind, name, isCheck }: FlowField, value: unknown): Promise<void> {
  if (isCheck === true) return byId(app.page, `field-${name}-${String(value)}`).check();
  const field = byId(app.page, `field-${name}`);
  if (kind === 'flag') await (value === true ? field.check() : field.uncheck());
  else if (kind === 'choice') await field.selectOption(String(value));
  else await field.fill(Array.isArray(value) ? value.join('\n') : String(value));
}
