import { ref, shallowRef } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import { extractErrorShape } from './error-of.ts';

/** Runs an action; gives its error instead of throwing it. */
export async function captureError(action: () => Promise<unknown>): Promise<ErrorShape | undefined> {
  try {
    await action();
    return undefined;
  } catch (thrown) {
    return extractErrorShape(thrown);
  }
}

/** What went wrong the last time, shown instead of being thrown. */
export function useProblem() {
  const problem = shallowRef<ErrorShape>();

  /** What came of it; undefined where it failed, which is `problem` then. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    problem.value = undefined;
    try {
      return await work();
    } catch (thrown) {
      problem.value = extractErrorShape(thrown);
      return undefined;
    }
  }

  return { problem, attempt };
}

/** What a person sets off in a dialog: whether it still runs, and what went wrong with it the last time. */
export function useAttempt() {
  const busy = ref(false);
  const problem = shallowRef<ErrorShape>();

  /** True where it was done; a failure becomes `problem`. Does nothing while the one before runs, such as on a second Enter. */
  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    if (busy.value) return false;
    busy.value = true;
    problem.value = undefined;
    problem.value = await captureError(action);
    busy.value = false;
    return problem.value === undefined;
  }

  return { busy, problem, attempt };
}
