/** Answers out of a file instead of a person: the same questions, by step and field. */
import type { Answer, Asked } from './dialogue.ts';
import type { FlowField } from './flow.ts';

/** By step, then by field; `skip` with a reason leaves the step out. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type Reply =
  | { readonly answer: Answer }
  /** Nothing to say: it ends by itself. */
  | 'wait'
  /** A yes from somebody is needed. */
  | 'confirm'
  /** Fields that neither the file nor the question itself has a value for. */
  | { readonly missing: readonly FlowField[] };

/** What the file says to a question. */
export function replyTo(asked: Asked, answers: Answers): Reply {
  const here = Object.hasOwn(answers, asked.step) ? (answers[asked.step] ?? {}) : {};
  const { skip } = here;
  if (typeof skip === 'string') return { answer: { kind: 'skip', reason: skip } };
  if (asked.wants === 'watch') return 'wait';
  if (asked.wants === 'trouble') return { answer: { kind: 'leave' } };
  if (asked.wants === 'confirm') return 'confirm';
  const fields = asked.fields ?? [];
  const given = fields.filter(({ name }) => Object.hasOwn(here, name));
  const missing = fields.filter(
    (field) => field.required === true && field.value === undefined && !given.includes(field),
  );
  if (missing.length > 0) return { missing };
  return {
    answer: { kind: 'values', values: Object.fromEntries(given.map(({ name }) => [name, here[name]])) },
  };
}
