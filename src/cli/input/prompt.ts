/** Questions to the person at the terminal; answers to secret ones are not shown. */
import { say } from '#shared/details.ts';
import { Writable } from 'node:stream';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { isInteractive } from '../io.ts';
import type { Invocation } from '../invocation.ts';
import { Declined } from '../outcome.ts';

async function ask(
  invocation: Pick<Invocation, 'io' | 'interrupts'>,
  question: string,
  { hidden, signal }: { readonly hidden: boolean; readonly signal?: AbortSignal },
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const { io, interrupts } = invocation;
  const silent = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  if (hidden) io.stderr.write(question);
  const reader = createInterface({ input: io.stdin, output: hidden ? silent : io.stderr, terminal: true });
  // Ctrl-C is a key in raw mode, not a signal: it ends the question.
  const stop = new AbortController();
  reader.on('SIGINT', () => stop.abort());
  try {
    return await reader.question(hidden ? '' : question, {
      signal: AbortSignal.any([stop.signal, interrupts.signal, ...(signal === undefined ? [] : [signal])]),
    });
  } catch (cause) {
    throw userError('cancelled', say('cli.cancelled'), { cause });
  } finally {
    reader.close();
    if (hidden) io.stderr.write('\n');
  }
}

/** Asks for a secret without echo; undefined if there is no terminal to ask on. */
export async function askSecret(invocation: Invocation, question: string): Promise<string | undefined> {
  return isInteractive(invocation.io) ? ask(invocation, question, { hidden: true }) : undefined;
}

/** Asks for yes or no, no by default; undefined if there is no terminal to ask on. @throws `cancelled` when the signal ends the question */
export async function askYes(
  invocation: Pick<Invocation, 'io' | 'interrupts'>,
  question: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  if (!isInteractive(invocation.io)) return undefined;
  return /^y(es)?$/i.test(
    (
      await ask(invocation, `${question} [y/N] `, {
        hidden: false,
        signal,
      })
    ).trim(),
  );
}

/**
 * Asks the person at the terminal, never a script, whether to go on; a no ends the command.
 * @throws `confirmation-needed`, in the words of `unasked`, if there is no terminal to ask on
 */
export async function askToGoOn(
  invocation: Pick<Invocation, 'io' | 'interrupts' | 'out'>,
  question: string,
  unasked: ReturnType<typeof say>,
  declined: 'cli.nothing-sent' | 'cli.nothing-removed' = 'cli.nothing-sent',
): Promise<void> {
  const { out } = invocation;
  const answer = out.asJson ? undefined : await askYes(invocation, question);
  if (answer === undefined) throw createUnconfirmedError(unasked);
  if (!answer) throw new Declined(out.say(declined));
}

/** Ends the command before anything is read or sent if it cannot be confirmed. @throws `confirmation-needed`, in the words of `unasked` */
export function requireConfirmation(
  { io, out }: Pick<Invocation, 'io' | 'out'>,
  { yes }: { readonly yes?: boolean },
  unasked: ReturnType<typeof say>,
  canAsk = true,
): void {
  if (yes !== true && (out.asJson || !canAsk || !isInteractive(io))) throw createUnconfirmedError(unasked);
}

function createUnconfirmedError(unasked: ReturnType<typeof say>): FieldwrightError {
  return userError('confirmation-needed', unasked);
}
