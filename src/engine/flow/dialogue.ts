/** Holds what a job of a flow shows and asks at this moment, for a screen or a file with answers. */
import { randomUUID } from 'node:crypto';
import { userError, type ErrorShape, FieldwrightError, type ErrorCode } from '#shared/errors.ts';
import { say } from '#shared/details.ts';
import type { Answer, Asked, Values, FlowField } from '#shared/flows.ts';

interface Waiting {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly accept: ((values: Values) => void) | undefined;
}

const LONGEST_REASON = 500;

export class Dialogue {
  #waiting: Waiting | undefined;
  readonly #watchers = new Set<() => void>();

  get asked(): Asked | undefined {
    return this.#waiting?.asked;
  }

  /** Waits for an answer that `accept` does not throw at. Throws the signal's reason. */
  async ask(
    question: Omit<Asked, 'token'>,
    signal: AbortSignal,
    accept?: (values: Values) => void,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting = { asked: { ...question, token: randomUUID() }, resolve, accept };
    this.changed();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) this.#waiting = undefined;
      this.changed();
    }
  }

  /** Changes what the waiting question shows, how long it still waits, and its error. */
  update(
    shown: Partial<Pick<Asked, 'text' | 'shows' | 'live' | 'tone' | 'secondsLeft'>>,
    error?: ErrorShape,
  ): void {
    if (this.#waiting === undefined) return;
    const { error: _before, ...asked } = this.#waiting.asked;
    this.#waiting = { ...this.#waiting, asked: { ...asked, ...shown, error } };
    this.changed();
  }

  /** Throws `changed-meanwhile` where the question is another by now, `usage` and its like for values that do not fit. */
  answer(token: string, answer: Answer): void {
    const waiting = this.#waiting;
    if (waiting?.asked.token !== token) throw userError('changed-meanwhile', say('flow-other-question'));
    const fitting = checked(waiting.asked, answer);
    if (fitting.kind === 'values') waiting.accept?.(fitting.values);
    // An answered question is no longer shown.
    this.#waiting = undefined;
    waiting.resolve(fitting);
  }

  onChange(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  changed(): void {
    for (const listener of this.#watchers) listener();
  }
}

function checked(asked: Asked, answer: Answer): Answer {
  const refuse = (words: ReturnType<typeof say>): never => {
    throw userError('not-allowed', words, { path: asked.step });
  };
  if (answer.kind === 'leave') return answer;
  if (answer.kind === 'back') return asked.canGoBack ? answer : refuse(say('flow-no-way-back'));
  if (answer.kind === 'values')
    return { kind: 'values', values: checkAnswer(asked.fields ?? [], answer.values, asked.step) };
  if (!asked.canSkip) return refuse(say('flow-step-required'));
  const reason = answer.reason.trim().slice(0, LONGEST_REASON);
  return reason === '' ? refuse(say('flow-reason-needed')) : { kind: 'skip', reason };
}

/** Most characters of a text, unless the field has a limit of its own. */
const LONGEST = 1000;
const MOST_NUMBERS = 1000;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns the values of all fields; one that was not answered has the value that the question proposes. Throws one error
 * per field, with the path `step.field`.
 * @throws `missing-field`, `wrong-type`, `out-of-range`, `too-long`, `not-allowed`, `unknown-field`
 */
function checkAnswer(fields: readonly FlowField[], given: Values, step: string): Values {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  const results = fields.map(
    (field) => [field, checkField(field, given[field.name] ?? field.value)] as const,
  );
  const problems: ErrorShape[] = [
    ...unknown.map((name) => problem('unknown-field', step, name, say('flow-no-such-field', { name }))),
    ...results.flatMap(([{ name }, result]) =>
      'code' in result ? [problem(result.code, step, name, result.words)] : [],
    ),
  ];
  const [first, ...others] = problems;
  if (first !== undefined) throw new FieldwrightError(others.length === 0 ? first : { ...first, others });
  return Object.fromEntries(
    results.flatMap(([{ name }, result]) =>
      'code' in result || result.value === undefined ? [] : [[name, result.value]],
    ),
  );
}

type Checked =
  { readonly value: unknown } | { readonly code: ErrorCode; readonly words: ReturnType<typeof say> };

function problem(code: ErrorCode, step: string, name: string, words: ReturnType<typeof say>): ErrorShape {
  return { code, source: 'user', path: `${step}.${name}`, ...words };
}

function checkField(field: FlowField, value: unknown): Checked {
  const { name, kind, required } = field;
  if (value === undefined || value === null || value === '')
    return required === true
      ? { code: 'missing-field', words: say('flow-missing', { name }) }
      : { value: undefined };
  const wrong: Checked = { code: 'wrong-type', words: say('flow-wrong-type', { name }) };
  switch (kind) {
    case 'flag':
      if (typeof value !== 'boolean') return wrong;
      // An attestation is a yes or nothing.
      return required === true && !value
        ? { code: 'missing-field', words: say('flow-missing', { name }) }
        : { value };
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? inRange(field, value) : wrong;
    case 'numbers':
      return Array.isArray(value) && value.every((each) => typeof each === 'number' && Number.isFinite(each))
        ? asList(field, value as readonly number[])
        : wrong;
    case 'choice':
      return field.options?.some((option) => option.value === value) === true
        ? { value }
        : { code: 'not-allowed', words: say('flow-no-option', { name }) };
    case 'date':
      return typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
        ? { value }
        : wrong;
    default:
      return typeof value === 'string' ? asText(field, value) : wrong;
  }
}

function inRange({ name, min = -Infinity, max = Infinity }: FlowField, value: number): Checked {
  return value >= min && value <= max
    ? { value }
    : {
        code: 'out-of-range',
        words: say('flow-out-of-range', { name, min: String(min), max: String(max) }),
      };
}

function asList(field: FlowField, value: readonly number[]): Checked {
  const { name, minLength = 0, maxLength = MOST_NUMBERS } = field;
  if (value.length < minLength || value.length > maxLength)
    return { code: 'out-of-range', words: say('flow-count', { name, min: minLength, max: maxLength }) };
  return value.map((each) => inRange(field, each)).find((result) => 'code' in result) ?? { value };
}

function asText({ name, minLength = 0, maxLength = LONGEST }: FlowField, value: string): Checked {
  const length = [...value].length;
  return length >= minLength && length <= maxLength
    ? { value }
    : { code: 'too-long', words: say('flow-length', { name, min: minLength, max: maxLength }) };
}
