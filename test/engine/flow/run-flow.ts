/** Goes through a flow as a file with answers does, and says yes to what is sent. */
import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { replyTo, type Answers } from '#engine/flow/scripted.ts';
import type { Asked, FlowView } from '#shared/flows.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import type { Engine } from '#engine/index.ts';
import { never } from '../site-engine.ts';

type Stop = boolean | 'answered';

export interface Followed {
  readonly last: FlowView;
  /** `step.key` of every question, in order. */
  readonly asked: readonly string[];
}

/**
 * Watches a flow and answers. `at` is called with each question before it is answered; true: it is not, and
 * the watching ends; `answered`: it was already.
 */
export async function follow(
  engine: Engine,
  jobId: string,
  answers: Answers,
  at: (asked: Asked) => Stop | Promise<Stop> = () => false,
): Promise<Followed> {
  const asked: string[] = [];
  const answered = new Set<string>();
  let last: FlowView | undefined;
  for await (const view of engine.flows.watch({ jobId }, never)) {
    last = view;
    const question = view.asked;
    if (question === undefined || answered.has(question.token)) continue;
    answered.add(question.token);
    asked.push(`${question.step}.${question.key}`);
    const stop = await at(question);
    if (stop === 'answered') continue;
    if (stop) break;
    const reply = replyTo(question, answers);
    if (reply === 'wait' || (typeof reply === 'object' && 'endsAfter' in reply)) continue;
    if (reply !== 'confirm' && 'missing' in reply)
      throw new Error(`no answer to ${question.step}.${reply.missing.map(({ name }) => name).join()}`);
    const answer = reply === 'confirm' ? ({ kind: 'values', values: {} } as const) : reply.answer;
    engine.flows.answer({ jobId, token: question.token, answer });
  }
  if (last === undefined) throw new Error('the flow showed nothing');
  return { last, asked };
}

const PASSPHRASE = 'correct horse battery';

/** Returns the secrets of devices in the vault, as a reader of the exported file gets them. */
export async function exportedSecrets(engine: Engine): Promise<readonly { device: string; value: string }[]> {
  const { bytes } = await engine.keys.export({ passphrase: PASSPHRASE });
  const derived = pbkdf2Sync(PASSPHRASE, bytes.subarray(8, 16), 600_000, 48, 'sha256');
  const decipher = createDecipheriv('aes-256-cbc', derived.subarray(0, 32), derived.subarray(32));
  return JSON.parse(
    decipher.update(bytes.subarray(16), undefined, 'utf8') + decipher.final('utf8'),
  ) as readonly { device: string; value: string }[];
}

/** Returns a record's content without its times and its own id. */
export function contentOf({ document }: SealedDocument): unknown {
  const { id: _id, at: _at, sections, ...rest } = document;
  return {
    ...rest,
    sections: JSON.parse(
      JSON.stringify(sections, (name, value: unknown) => (name === 'at' ? undefined : value)),
    ) as unknown,
  };
}
