/** Closes what was opened, whatever fails on the way. */

/**
 * Runs every step, one after the other, also after one that failed: a full disk must leave no key in memory and no
 * database open. @throws the first error, once all steps have run
 */
export async function closeAll(steps: readonly (() => void | Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
