/** Form of a command's declaration: what it does, one example, its arguments and options with their parsers. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Invocation } from '../invocation.ts';
import type { Outcome } from '../outcome.ts';

/** Options of a command that has none yet. */
export type NoOptions = Record<never, never>;

export interface Declaration<Args extends unknown[] = unknown[], Options = unknown> {
  readonly about: string;
  /** A command line that works, without the name of the program. */
  readonly example: string;
  readonly declare: (command: Command) => unknown;
  /** Types of the values that the parsers return; never set. */
  readonly given?: { readonly args: Args; readonly options: Options };
}

/** Commands below one word, such as `jobs list`. */
export interface Group<Commands = Readonly<Record<string, Declaration>>> {
  readonly about: string;
  readonly commands: Commands;
  /** Command that is meant where none of them is named. */
  readonly usual?: string;
}

/** Commands and groups by their names. */
export type Declarations = Readonly<Record<string, Declaration | Group>>;

/** Declares a command; `declare` adds its arguments and options. */
export function declareCommand(about: string, example: string): Declaration<[], NoOptions>;
export function declareCommand<Args extends unknown[], Options extends OptionValues>(
  about: string,
  example: string,
  declare: (command: Command) => Command<Args, Options>,
): Declaration<Args, Options>;
export function declareCommand(
  about: string,
  example: string,
  declare: Declaration['declare'] = (command) => command,
): Declaration {
  return { about, example, declare };
}

export function declareGroup<Commands extends Readonly<Record<string, Declaration>>>(
  about: string,
  commands: Commands,
  usual?: keyof Commands & string,
): Group<Commands> {
  return { about, commands, usual };
}

export function isGroup(declared: Declaration | Group): declared is Group {
  return 'commands' in declared;
}

/** Values of the options of a command or of an option group, as the parsers return them. */
export type OptionsOf<Declared> =
  Declared extends Declaration<infer _Args, infer Options>
    ? Options
    : Declared extends (command: never) => Command<infer _Args, infer Options>
      ? Options
      : never;

/** Function that carries a command out: takes the invocation, the arguments in order, and the options. */
export type ActionOf<Declared> =
  Declared extends Declaration<infer Args, infer Options>
    ? (invocation: Invocation, ...given: [...Args, Options]) => Promise<Outcome> | Outcome
    : never;

/** Loads the function of each command, in the shape of the declarations. */
export type ActionsOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Group<infer Commands>
    ? ActionsOf<Commands>
    : () => Promise<ActionOf<Declared[Name]>>;
};
