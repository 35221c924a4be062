/** Claims of a device beside what it really answered. */
import { determineClaim, findOperation, type Claim, type Claimed } from '#protocol/index.ts';
import type { Answered, DeviceReading } from '../reading.ts';

export interface Truth {
  readonly answer: Answered;
  readonly claim: Claim;
  /** It claims what it does not do, or does what it denies. */
  readonly verdict?: 'not-kept' | 'denied' | 'unproved';
}

/** One line for each answer, in their order. */
export function listTruths({ flags, answers }: DeviceReading): readonly Truth[] {
  const states = new Map(flags.map(({ operation, path, state }) => [`${operation} ${path}`, state]));
  const answered = new Set(answers.filter(({ mark }) => mark === 'works').map(({ operation }) => operation));
  const claimed: Claimed = {
    flag: (operation, path) => states.get(`${operation} ${path}`),
    answered: (operation) => answered.has(operation),
  };
  return answers.map((answer) => {
    const operation = findOperation(answer.operation);
    const claim: Claim =
      operation === undefined ? { state: 'not-reported' } : determineClaim(operation, claimed);
    const verdict = verdictOf(claim, answer);
    return { answer, claim, verdict };
  });
}

function verdictOf({ state }: Claim, { mark }: Answered): Truth['verdict'] {
  if (state === 'false') return mark === 'works' ? 'denied' : undefined;
  if (state !== 'true' || mark === 'works') return undefined;
  return mark === 'no-permission' || mark === 'no-answer' ? 'unproved' : 'not-kept';
}
