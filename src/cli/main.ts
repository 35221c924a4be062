/** The command line: words in, exit code out. */
import { CommanderError, type Command } from 'commander';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { findLanguage, getLanguageName } from '#shared/details/languages.ts';
import { explainError } from '#engine/files/open-files.ts';
import { getLockedLanguage } from '#engine/files/policy.ts';
import { isJsonRequested, hoistGlobals, isGlobal, readLanguageOption, refusePasswords } from './arguments.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { Interrupts } from './interrupts.ts';
import type { Io } from './io.ts';
import { addCommandHint, noteError } from './output/errors.ts';
import { Output } from './output/output.ts';
import { createParsingError } from './parsing-error.ts';
import { runCommand, type Invocation, type StartedJob, type Surroundings } from './invocation.ts';
import { exitCodeAfterStart } from './job-exit.ts';
import type { GlobalOptions } from './data-dir.ts';
import { buildProgram } from './program.ts';
import { createUsageError } from './usage.ts';
import { readProductVersion } from './version.ts';

/** Parsing errors are thrown instead of ending the process, and printed by us alone. */
function tame(command: Command, out: Output): void {
  command.exitOverride().configureOutput({ writeOut: (text) => out.raw(text), writeErr: () => {} });
  for (const child of command.commands) tame(child, out);
}

function checkLanguage(lang: string | undefined): void {
  if (lang === undefined) return;
  try {
    Intl.getCanonicalLocales(lang);
  } catch (cause) {
    throw new FieldwrightError(
      {
        ...createUsageError(say('cli.language-tag', { lang }), { path: '--lang' }).shape,
      },
      { cause },
    );
  }
}

/** Returns the group that was named without one of its commands; undefined if a command was named, or something unknown. */
function groupOf(program: Command, words: readonly string[]): Command | undefined {
  let group = program;
  for (const word of words) {
    if (isGlobal(word)) break;
    const named = group.commands.find((command) => command.name() === word);
    if (named === undefined) return undefined;
    group = named;
  }
  return group.commands.length > 0 ? group : undefined;
}

/** Returns what makes the engine ready for a command. */
async function loadPreparation(
  command: Command,
): Promise<(invocation: Invocation, options: object) => Invocation> {
  if (!mayWrite(command)) return (invocation) => invocation;
  return (await import('./reverts-first.ts')).putBackFirst;
}

/** Returns whether a command writes to devices: it connects to them, and takes a yes. */
function mayWrite({ options }: Command): boolean {
  return ['--yes', '--user'].every((name) => options.some(({ long }) => long === name));
}

/** Returns the error of a wrong command line, or what else was thrown. */
function asError(thrown: unknown, group: Command | undefined, out: Output): unknown {
  if (!(thrown instanceof CommanderError)) return thrown;
  if (group !== undefined) {
    if (!out.asJson) out.note(group.helpInformation().trimEnd());
    const name = [group.parent?.name(), group.name()].filter(Boolean).join(' ');
    return userError('usage', say('cli.command-missing', { name }));
  }
  return createParsingError(thrown);
}

/**
 * Runs one command. Never throws: an error is printed as its JSON form on stdout with `--json`,
 * in words on stderr otherwise, and becomes the exit code.
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  const out = new Output(io, isJsonRequested(argv));
  const wanted = readLanguageOption(argv);
  const locked = getLockedLanguage();
  const asked = locked ?? wanted ?? io.env['FIELDWRIGHT_LANG'];
  const interrupts = new Interrupts(io);
  const started: StartedJob = {};
  let code: number = EXIT.done;
  const words = hoistGlobals(argv);
  let program: Command | undefined;
  try {
    await out.speak(asked);
    if (locked !== undefined && wanted !== undefined && findLanguage(wanted) !== locked)
      out.note(out.say('policy-language', { language: getLanguageName(locked) }));
    program = buildProgram(
      readProductVersion(),
      (load) =>
        async (...given) => {
          // The command itself comes last, and before it the options.
          const forwarded = given.slice(0, -1);
          const options = forwarded.at(-1) as GlobalOptions;
          const globals = { ...options, ...removeUndefined({ lang: asked }) };
          checkLanguage(asked);
          const action = await load();
          const prepare = await loadPreparation(given.at(-1) as Command);
          code = await runCommand({ io, out, interrupts, started, globals }, (invocation) =>
            action(prepare(invocation, options), ...forwarded),
          );
        },
      words[0],
    );
    tame(program, out);
    refusePasswords(argv);
    await program.parseAsync([...words], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError && thrown.exitCode === 0)) {
      const group = program === undefined ? undefined : groupOf(program, words);
      code = reportError(asError(thrown, group, out), { io, out, interrupts, started });
    }
  } finally {
    interrupts.dispose();
  }
  await out.flush();
  if (out.lost === undefined) return code;
  out.note(out.say('cli.result-lost', { reason: out.lost }));
  await out.flush();
  return code === EXIT.done ? EXIT.failed : code;
}

function reportError(
  thrown: unknown,
  { io, out, interrupts, started }: Omit<Surroundings, 'globals'>,
): number {
  const error = explainError(
    interrupts.signal.aborted ? userError('cancelled', say('cli.interrupted')) : thrown,
  );
  out.endProgress();
  if (out.asJson && !out.hasResult) out.jsonLine({ ...addCommandHint(error), jobId: started.id });
  else noteError(out, error);
  if (error.code === 'internal' && io.env['FIELDWRIGHT_DEBUG'] && thrown instanceof Error)
    out.note(thrown.stack ?? thrown.message);
  const code = exitCodeOf(error);
  if (started.id === undefined || code === EXIT.interrupted) return code;
  const { id, ended } = started;
  if (ended?.resumable !== false) out.note(out.say('cli.partly', { id }));
  return exitCodeAfterStart(ended);
}
