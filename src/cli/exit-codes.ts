/** Exit codes that scripts rely on, and which error leads to which. */
import { isGone, isOwnTrouble, isShutOut } from '#shared/error-meaning.ts';
import type { ErrorShape } from '#shared/errors.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, unreachable: 3, resumable: 4, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The device could not be reached or did not let us in. */
export function isNotReached(error: ErrorShape | undefined): boolean {
  return error !== undefined && (isGone(error) || isShutOut(error));
}

/** Exit code of a command that ended with this error. */
export function exitCodeOf(error: ErrorShape): ExitCode {
  if (error.code === 'cancelled') return EXIT.interrupted;
  if (isNotReached(error)) return EXIT.unreachable;
  if (error.source === 'user' || isOwnTrouble(error)) return EXIT.usage;
  return EXIT.failed;
}

/**
 * Exit code of a command that asked several devices, each independently: `undefined` stands for a
 * device that did it. All not reached is 3, some failed is 1.
 */
export function exitCodeOfAll(errors: readonly (ErrorShape | undefined)[]): ExitCode {
  const failed = errors.filter((error) => error !== undefined);
  if (failed.length === 0) return EXIT.done;
  if (failed.some((error) => error.code === 'cancelled')) return EXIT.interrupted;
  if (failed.length < errors.length) return EXIT.failed;
  const codes = new Set(failed.map(exitCodeOf));
  return codes.size === 1 ? ([...codes][0] ?? EXIT.failed) : EXIT.failed;
}
