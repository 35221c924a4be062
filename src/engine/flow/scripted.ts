/** Answers out of a file instead of a person: the same questions, by step and field. */
import { isPlain, findNearestName } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { readYamlFile } from '../template/read-tree.ts';
import type { Answer, Asked, FlowField, FlowInfo } from '#shared/flows.ts';

/**
 * Answers by step, then by field. `skip` with a reason leaves the step out; `watch` says after how many
 * seconds its watches end, all of them or each by its key, where the device does not end them sooner.
 */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const SKIP = 'skip';
const WATCH = 'watch';

export type Reply =
  | { readonly answer: Answer }
  /** Nothing to say: it ends by itself. */
  | 'wait'
  /** It ends by itself, or is ended after so many seconds. */
  | { readonly endsAfter: number }
  /** A person has to confirm. */
  | 'confirm'
  /** Fields that neither the file nor the question itself has a value for. */
  | { readonly missing: readonly FlowField[] };

/** Reads a file with answers, YAML or JSON. Throws `unreadable-file` with the place. */
export function readAnswers(text: string, file: string): Answers {
  const value = readYamlFile(text, file)?.root;
  // A step whose lines are all comments has no value.
  const steps = isPlain(value) ? Object.entries(value).map(([step, given]) => [step, given ?? {}]) : [];
  if (isPlain(value) && steps.every(([, given]) => isPlain(given)))
    return Object.fromEntries(steps) as Answers;
  throw userError('unreadable-file', say('flow-answers-form'), { file });
}

/** Throws `unknown-field` for a step that the flow does not have, `wrong-type` for what `skip` and `watch` do not take. */
export function checkSteps(answers: Answers, { name: flow, steps }: FlowInfo): void {
  const ids = steps.map(({ id }) => id);
  for (const [step, given] of Object.entries(answers)) {
    if (!ids.includes(step))
      throw userError('unknown-field', say('flow-no-such-step', { step, flow }), {
        path: step,
        nearest: findNearestName(step, ids),
      });
    const wrong = (path: string): FieldwrightError =>
      userError('wrong-type', say('flow-wrong-type', { name: path }), { path: `${step}.${path}` });
    if (Object.hasOwn(given, SKIP) && typeof given[SKIP] !== 'string') throw wrong(SKIP);
    const { [WATCH]: watch } = given;
    const isLimit = (value: unknown): boolean => typeof value === 'number' && value >= 0;
    if (watch !== undefined && !isLimit(watch) && !(isPlain(watch) && Object.values(watch).every(isLimit)))
      throw wrong(WATCH);
  }
}

/** Returns the reply of the file to a question. */
export function replyTo(asked: Asked, answers: Answers): Reply {
  const here = answersOf(asked.step, answers);
  const { [SKIP]: skip } = here;
  if (typeof skip === 'string') return { answer: { kind: 'skip', reason: skip } };
  if (asked.wants === 'watch') {
    const limit = isPlain(here[WATCH]) ? here[WATCH][asked.key] : here[WATCH];
    const seconds = typeof limit === 'number' ? limit : asked.unattendedSeconds;
    return seconds === undefined ? 'wait' : { endsAfter: seconds };
  }
  if (asked.wants === 'trouble') return { answer: { kind: 'leave' } };
  if (asked.wants === 'confirm') return 'confirm';
  const fields = asked.fields ?? [];
  // A line without a value is not an answer.
  const given = fields.filter(({ name }) => Object.hasOwn(here, name) && here[name] !== null);
  const missing = fields.filter(
    (field) => field.required === true && field.value === undefined && !given.includes(field),
  );
  if (missing.length > 0) return { missing };
  return {
    answer: { kind: 'values', values: Object.fromEntries(given.map(({ name }) => [name, here[name]])) },
  };
}

/** Lists the answers of the file that this question takes, as `step.field`. */
export function listTakenAnswers(
  { step, wants, fields = [], key }: Asked,
  answers: Answers,
): readonly string[] {
  const here = answersOf(step, answers);
  if (typeof here[SKIP] === 'string') return namesOf(step, here);
  if (wants === 'watch')
    return namesOf(step, here).filter(
      (name) => name === `${step}.${WATCH}` || name === `${step}.${WATCH}.${key}`,
    );
  return fields.filter(({ name }) => Object.hasOwn(here, name)).map(({ name }) => `${step}.${name}`);
}

/** Lists the answers in the file that were not used in the steps that ran. */
export function listUnusedAnswers(
  answers: Answers,
  taken: ReadonlySet<string>,
  steps: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(answers)
    .filter(([step]) => steps.has(step))
    .flatMap(([step, here]) => namesOf(step, here))
    .filter((name) => !taken.has(name));
}

function answersOf(step: string, answers: Answers): Answers[string] {
  return Object.hasOwn(answers, step) ? (answers[step] ?? {}) : {};
}

function namesOf(step: string, here: Answers[string]): readonly string[] {
  return Object.entries(here).flatMap(([name, value]) =>
    name === WATCH && isPlain(value)
      ? Object.keys(value).map((key) => `${step}.${WATCH}.${key}`)
      : [`${step}.${name}`],
  );
}
