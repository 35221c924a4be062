import { onScopeDispose, ref, shallowRef } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import type { StreamProcedure } from '#renderer/client/subscribe.ts';
import { useClient } from '#renderer/client/use-client.ts';
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

export type Problem = ReturnType<typeof useProblem>;

/** Runs an action of a dialog: keeps whether it still runs, and the error of the last time. */
export function useAttempt() {
  const busy = ref(false);
  const { problem, fail, attempt: run } = useProblem();

  /** True where it was done; a failure becomes `problem`. Does nothing while the one before runs, such as on a second Enter. */
  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    if (busy.value) return false;
    busy.value = true;
    await run(action);
    busy.value = false;
    return problem.value === undefined;
  }

  return { busy, problem, fail, attempt };
}

/**
 * Reads one thing at a time: a newer reading replaces the older one, whose answer and error are dropped, and leaving the
 * component ends it.
 */
export function useReading({ problem, fail } = useProblem()) {
  const reading = ref(false);
  let current: AbortController | undefined;

  function stop(): void {
    current?.abort();
    reading.value = false;
  }

  /** Returns the answer; undefined if it was replaced, or if it failed, with the error in `problem`. */
  async function read<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    stop();
    const { signal } = (current = new AbortController());
    reading.value = true;
    try {
      const answer = await work(signal);
      if (signal.aborted) return undefined;
      problem.value = undefined;
      return answer;
    } catch (thrown) {
      if (!signal.aborted) fail(thrown);
      return undefined;
    } finally {
      if (!signal.aborted) reading.value = false;
    }
  }

  onScopeDispose(stop, true);
  return { reading, problem, read, stop };
}

/**
 * Follows one stream at a time: a newer one replaces the older one, and leaving the component ends it. After a lost
 * connection it does not begin again: the person decides.
 */
export function useStream({ problem, fail }: Pick<Problem, 'problem' | 'fail'> = useProblem()) {
  let stop = (): void => {};

  /** Calls `onOver` once the stream ended by itself (`isWhole`), or failed, with the error in `problem`. */
  function follow<Input, Event>(
    procedure: StreamProcedure<Input, Event>,
    input: Input,
    onEvent: (event: Event) => void,
    onOver?: (isWhole: boolean) => void,
  ): void {
    stop();
    problem.value = undefined;
    stop = useClient().subscribe(procedure, input, onEvent, {
      restart: false,
      onEnd: () => onOver?.(true),
      onError: (error) => {
        onOver?.(false);
        fail(error);
      },
    });
  }

  onScopeDispose(() => stop(), true);
  return { problem, follow, stop: () => stop() };
}
