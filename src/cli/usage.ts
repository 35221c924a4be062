/** Errors of the person's command line: nothing was sent. */
import type { say } from '#shared/details.ts';
import { userError, type ErrorShape, type FieldwrightError } from '#shared/errors.ts';

/** Returns the error `usage`, in the words of the catalogue. */
export function createUsageError(
  problem: ReturnType<typeof say>,
  known?: Partial<ErrorShape>,
): FieldwrightError {
  return userError('usage', problem, known);
}
