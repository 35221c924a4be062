/** Holds what a job of a flow shows and asks at this moment, for a screen or a file with answers. */
import { randomUUID } from 'node:crypto';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import { say } from '#shared/details.ts';
import type { Answer, Asked, Values } from '#shared/flows.ts';
import { checkAnswer } from './answer.ts';

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
    this.#waiting = { ...this.#waiting, asked: { ...asked, ...shown, ...removeUndefined({ error }) } };
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
