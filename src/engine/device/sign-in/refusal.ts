/** What an answer says that turns a request away. */
import type { StatusReport } from '../../../shared/errors.ts';
import { readAnswer } from '../read-answer.ts';
import type { HttpAnswer } from '../transport/transport.ts';
import { parseChallenges, type Challenge } from './challenge.ts';
import { chooseDigest } from './digest.ts';
import type { Mask } from './own-mask.ts';
import type { Lock } from './sign-in-errors.ts';

export interface Refusal {
  readonly challenges: readonly Challenge[];
  /** Made when it is asked for, as every device turns its first request away. */
  readonly report: () => StatusReport;
  readonly lock: Lock | undefined;
}

/** Reads an answer for which `asksForSignIn` is true; `hide` masks what the device repeats of the sign-in. */
export function readRefusal(answer: HttpAnswer, hide: Mask): Refusal {
  const { status } = readAnswer(answer);
  return {
    challenges: parseChallenges(answer.headers['www-authenticate']),
    report: () => hide(status.report),
    lock: status.lock,
  };
}

/** Returns true if the answer wants a sign-in, or says that the account is locked. A device that was never activated asks for none. */
export function asksForSignIn(answer: HttpAnswer): boolean {
  if (answer.http < 400) return false;
  const { kind, lock } = readAnswer(answer).status;
  return kind === 'sign-in' && (answer.http === 401 || lock?.locked === true);
}

/** Returns true if only a device that looked at the signature answers so; one that is busy or fails may not have come to it. */
export function showsSignedIn(answer: HttpAnswer): boolean {
  if (answer.http < 400) return true;
  const { kind } = readAnswer(answer).status;
  return answer.http < 500 && kind !== 'busy' && kind !== 'not-activated';
}

/** Returns true if no challenge is of the kind that was signed in with before. */
export function asksInAnotherWay({ challenges }: Refusal, isDigest: boolean): boolean {
  if (challenges.length === 0) return false;
  return isDigest
    ? chooseDigest(challenges) === undefined
    : !challenges.some(({ scheme }) => scheme === 'basic');
}

export function tellsAttempts({ lock }: Refusal): boolean {
  return lock?.attemptsLeft !== undefined;
}

/** Attempts that are left until the account is locked, as the device said last. */
export class AttemptsLeft {
  #left: number | undefined;

  /**
   * Notes the number that a refusal tells, and returns true if it is one less than before: the device counted a wrong
   * password. A number that was not known before shows nothing, nor does one that fell by more: then somebody else is
   * counted too.
   */
  isCounted({ lock }: Refusal): boolean {
    const before = this.#left;
    const left = lock?.attemptsLeft;
    this.#left = left ?? before;
    return left !== undefined && left + 1 === before;
  }
}
