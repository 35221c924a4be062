/** Reads answers that ask for a sign-in or report a locked account. */
import type { StatusReport } from '#shared/errors.ts';
import { readAnswer } from '../read-answer.ts';
import type { HttpAnswer } from '../transport/transport.ts';
import { parseChallenges, type Challenge } from './challenge.ts';
import { chooseDigest } from './digest.ts';
import type { Mask } from './own-mask.ts';
import type { Lock } from './sign-in-errors.ts';

export interface Refusal {
  readonly challenges: readonly Challenge[];
  /** Returns the status; built on demand, because every device refuses its first request. */
  readonly report: () => StatusReport;
  readonly lock: Lock | undefined;
}

/** Reads an answer for which `isSignInRequired` is true; `hide` masks credentials that the device repeats. */
export function readRefusal(answer: HttpAnswer, hide: Mask): Refusal {
  const { status } = readAnswer(answer);
  return {
    challenges: parseChallenges(answer.headers['www-authenticate']),
    report: () => hide(status.report),
    lock: status.lock,
  };
}

/** Returns true if the answer asks for a sign-in or reports a locked account; false for a device not yet activated. */
export function isSignInRequired(answer: HttpAnswer): boolean {
  if (answer.http < 400) return false;
  const { kind, lock } = readAnswer(answer).status;
  return kind === 'sign-in' && (answer.http === 401 || lock?.locked === true);
}

/** Returns true if the answer proves that the device checked the signature; a busy or failing device may not have. */
export function isSignInProven(answer: HttpAnswer): boolean {
  if (answer.http < 400) return true;
  const { kind } = readAnswer(answer).status;
  return answer.http < 500 && kind !== 'busy' && kind !== 'not-activated';
}

/** Returns true if no challenge offers the scheme of the previous sign-in. */
export function isOtherScheme({ challenges }: Refusal, isDigest: boolean): boolean {
  if (challenges.length === 0) return false;
  return isDigest
    ? chooseDigest(challenges) === undefined
    : !challenges.some(({ scheme }) => scheme === 'basic');
}

export function hasAttemptCount({ lock }: Refusal): boolean {
  return lock?.attemptsLeft !== undefined;
}

/** Attempts that remain until the account is locked, as the device last reported. */
export class AttemptsLeft {
  #left: number | undefined;

  /**
   * Records the number in a refusal, and returns true if it fell by exactly one: the device counted a wrong password. A
   * first number proves nothing, nor does one that fell by more: then attempts of other clients are counted too.
   */
  isCounted({ lock }: Refusal): boolean {
    const before = this.#left;
    const left = lock?.attemptsLeft;
    this.#left = left ?? before;
    return left !== undefined && left + 1 === before;
  }
}
