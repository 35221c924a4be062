import type { Invocation } from '../invocation.ts';

/** A command's function: what the words named, in their order, then the options. */
export type CommandFunction = (invocation: Invocation, ...given: never[]) => Promise<number> | number;

/**
 * What commander calls for a command: it loads the module of the function that is named, and runs that; the exit code goes
 * to whoever built the program.
 */
export type Runner = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, CommandFunction>>>,
  name: Name,
) => (...given: unknown[]) => Promise<void>;
