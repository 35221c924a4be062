import { ref, shallowRef } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import { extractErrorShape } from './error-of.ts';

/** Keeps the error of the last attempt, which is shown instead of being thrown. */
export function useProblem() {
  const problem = shallowRef<ErrorShape>();

  /** Keeps an error that was not thrown into `attempt`, such as that of a stream. */
  function fail(thrown: unknown): void {
    problem.value = extractErrorShape(thrown);
  }

  /** Returns the result of the work; undefined if it failed, with the error in `problem`. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    problem.value = undefined;
    try {
      return await work();
    } catch (thrown) {
      fail(thrown);
      return undefined;
    }
  }

  return { problem, attempt, fail };
}

/** Runs an action of a dialog: keeps whether it still runs, and the error of the last time. */
export function useAttempt() {
  const busy = ref(false);
  const { problem, attempt: run } = useProblem();

  /** True where it was done; a failure becomes `problem`. Does nothing while the one before runs, such as on a second Enter. */
  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    if (busy.value) return false;
    busy.value = true;
    await run(action);
    busy.value = false;
    return problem.value === undefined;
  }

  return { busy, problem, attempt };
}
