/** The program: every declared command, with the function that carries it out. */
import { Command } from 'commander';
import { ACTIONS } from './actions.ts';
import { isGroup, type Declaration, type Declarations } from './declarations/declaration.ts';
import { DECLARATIONS } from './declarations/all.ts';
import type { Invocation } from './invocation.ts';
import { GLOBAL_OPTIONS } from './declarations/options.ts';
import type { Outcome } from './outcome.ts';
import { RefusedValue } from './declarations/parsers.ts';

type Action = (invocation: Invocation, ...given: readonly unknown[]) => Promise<Outcome> | Outcome;
type Load = () => Promise<Action>;
interface Loaders {
  readonly [name: string]: Load | Loaders;
}

/** Carries a command out: `given` are its arguments in order, its options, and the command itself. */
type Runner = (load: Load) => (...given: unknown[]) => Promise<void>;

/**
 * Builds the program. If `word`, the first of the line, names a command or a group, that one alone is built:
 * building all of them takes a fifth of a start.
 */
export function buildProgram(version: string, runner: Runner, word?: string): Command {
  const program = new Command('fieldwright')
    .description('Configure networked devices on site: plan, apply, read back.')
    .version(version)
    .addHelpText(
      'after',
      `
Every command takes:
${GLOBAL_OPTIONS.map(([flags, about]) => `  ${flags.padEnd(34)} ${about}`).join('\n')}`,
    )
    // `--version` behind a command is that command's own.
    .enablePositionalOptions();
  const all: Declarations = DECLARATIONS;
  const declared = word !== undefined && Object.hasOwn(all, word) ? { [word]: all[word] } : all;
  addCommands(program, declared as Declarations, ACTIONS as unknown as Loaders, runner);
  return program;
}

function addCommands(
  parent: Command,
  declared: Declarations,
  loaders: Loaders,
  runner: Runner,
  usual?: string,
): void {
  for (const [name, entry] of Object.entries(declared)) {
    const load = loaders[name];
    if (load === undefined) continue;
    if (isGroup(entry))
      addCommands(
        parent.command(name).description(entry.about),
        entry.commands,
        load as Loaders,
        runner,
        entry.usual,
      );
    else addCommand(parent, name, entry, name === usual).action(runner(load as Load));
  }
}

/** Adds a declared command with its options and those that every command takes. */
function addCommand(
  parent: Command,
  name: string,
  { about, example, declare }: Declaration,
  isDefault: boolean,
): Command {
  const command = parent.command(name, { isDefault }).description(about);
  declare(command as never);
  for (const [flags, means] of GLOBAL_OPTIONS) command.option(flags, means);
  command.addHelpText('after', `\nExample:\n  $ fieldwright ${example}`);
  nameRefusedOptions(command);
  return command;
}

/** Lets an error about a refused value name the option that it was given for. */
function nameRefusedOptions(command: Command): void {
  for (const option of [...command.options, ...command.registeredArguments]) {
    const parse = option.parseArg;
    if (parse === undefined) continue;
    option.parseArg = (text, before) => {
      try {
        return parse(text, before);
      } catch (thrown) {
        throw thrown instanceof RefusedValue
          ? thrown.toUsageError('long' in option ? (option.long ?? '') : option.name())
          : thrown;
      }
    };
  }
}
