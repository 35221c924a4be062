/** Answers out of a file instead of a person: the same questions, by step and field. */
import { isPlain } from '../../protocol/index.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { Problems } from '../template/problems.ts';
import { readYaml } from '../template/read-yaml.ts';
import type { Answer, Asked, FlowField } from '../../shared/flows.ts';

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

/** Reads a file with answers, YAML or JSON. Throws `unreadable-file` with the place. */
export function readAnswers(text: string, file: string): Answers {
  const problems = new Problems();
  const tree = readYaml(text, problems);
  const [problem] = problems.errors;
  if (problem !== undefined) throw new FieldwrightError({ ...problem, code: 'unreadable-file', file });
  const value = tree?.root;
  if (isPlain(value) && Object.values(value).every(isPlain)) return value as Answers;
  throw new FieldwrightError({ code: 'unreadable-file', source: 'user', ...say('flow-answers-form'), file });
}

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
