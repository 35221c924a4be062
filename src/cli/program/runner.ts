import type { Invocation } from '../invocation.ts';
import type { GlobalOptions } from '../places.ts';

/** Runs a command's function; gives its exit code to whoever built the program. */
export type Runner = (
  globals: GlobalOptions,
  run: (invocation: Invocation) => Promise<number> | number,
) => Promise<void>;
