/**
 * Questions to the person that the page must not answer, because a script in the page could say yes to
 * anything. They go to the host, which asks where no page reaches: the desktop in a dialog of the system,
 * `serve` in its terminal (a vault has a passphrase only if its owner chose one, and typing it would not show
 * what is agreed to).
 */
import { createDetail, formatDetail, say } from '#shared/details.ts';
import type { Sentence } from '#shared/details/languages.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';

export interface HostQuestion {
  /** The consequence, as a question in one sentence. */
  readonly message: string;
  /** The recipients or objects, a line each; bounded, without invisible characters. */
  readonly details: readonly string[];
}
/** The question in the words of a language. */
export type Question = (sentence: Sentence) => HostQuestion;
/** `nobody`: the host has no person to ask. */
export type HostAnswer = 'yes' | 'no' | 'nobody';
/** The signal ends a question that counts no longer. */
export type HostConfirmation = (question: HostQuestion, signal: AbortSignal) => Promise<HostAnswer>;

export interface Confirmer {
  /** Resolves with a yes. Throws `confirmation-needed`, `cancelled` if the caller disconnected. */
  agree(question: Question, signal: AbortSignal): Promise<void>;
  /** Yields the current state and every change: true while a question is open. */
  watch(signal: AbortSignal): AsyncIterable<{ readonly open: boolean }>;
}

const ASK_NOBODY: HostConfirmation = () => Promise.resolve('nobody');
/** An answer is accepted for this long; a dialog must not stay open for the next person at the computer. */
const LONGEST_MS = 180_000;
/** Questions are asked one after the other; a page that sends more only tries to wear the person down. */
const MOST_WAITING = 4;
const LONGEST_LINE = 300;
const MOST_LINES = 30;

/** Asks one question at a time in the host's language. Without a host every question is refused. */
export function createConfirmer(
  ask: HostConfirmation = ASK_NOBODY,
  language: () => Promise<Sentence> = () => Promise.resolve(formatDetail),
): Confirmer {
  const listeners = new Set<() => void>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function changed(by: 1 | -1): void {
    waiting += by;
    for (const listener of listeners) listener();
  }

  async function put(question: Question, signal: AbortSignal): Promise<void> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    if (signal.aborted) throw goneAway();
    const sentence = await language();
    const answer = await ask(shown(question(sentence), sentence), within).catch((): HostAnswer => 'no');
    if (signal.aborted) throw goneAway();
    if (answer !== 'yes') throw notAgreed(answer === 'no' ? 'outside-no' : 'outside-nobody');
  }

  return {
    async agree(question, signal) {
      if (waiting >= MOST_WAITING) throw notAgreed('outside-busy');
      changed(1);
      const mine = last.then(() => put(question, signal));
      last = mine.catch(() => undefined);
      try {
        await mine;
      } finally {
        changed(-1);
      }
    },
    async *watch(signal) {
      let reported: boolean | undefined;
      while (!signal.aborted) {
        const next = new Promise<void>((resolve) => {
          const done = (): void => {
            listeners.delete(done);
            signal.removeEventListener('abort', done);
            resolve();
          };
          listeners.add(done);
          signal.addEventListener('abort', done, { once: true });
        });
        const open = waiting > 0;
        if (open !== reported) yield { open };
        reported = open;
        await next;
      }
    },
  };
}

/**
 * Cleans a question for display. Names come from devices, files and the page: they must not pose as something
 * else, nor push the rest out of sight.
 */
function shown({ message, details }: HostQuestion, sentence: Sentence): HostQuestion {
  const line = (text: string): string => replaceUnseen(text, () => '\u00b7').slice(0, LONGEST_LINE);
  const more = details.length - MOST_LINES;
  return {
    message: line(message),
    details: [
      ...details.slice(0, MOST_LINES).map(line),
      ...(more > 0 ? [sentence(createDetail('ask.more', { count: more }))] : []),
    ],
  };
}

function notAgreed(reason: 'outside-busy' | 'outside-no' | 'outside-nobody'): FieldwrightError {
  return userError('confirmation-needed', say(reason), { reason });
}

function goneAway(): FieldwrightError {
  return userError('cancelled', say('cancelled'));
}
