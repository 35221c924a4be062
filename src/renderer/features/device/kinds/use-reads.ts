import { computed, ref, shallowRef } from 'vue';
import type { CallAnswer, Params } from '#shared/model.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { getApi } from '#renderer/client/use-client.ts';
import { useReading } from '#renderer/common/errors/attempt.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { useWorkspace } from '../workspace/workspace.store.ts';

interface Read {
  readonly operation: string;
  readonly params?: Params;
  readonly body?: unknown;
}
export type Reads<Key extends string> = Readonly<Partial<Record<Key, Read>>>;

/** Errors that say that the device does not have it: the part is shown without. */
const NOT_THERE = ['not-supported', 'not-found', 'invalid-operation'];

/**
 * Reads several states of one device for a part of its overview. A newer reading replaces an older one that is still under
 * way; if nothing is answered, the values of the last reading stay, with their time.
 */
export function useReads<Key extends string>(deviceId: () => string) {
  const workspace = useWorkspace();
  const answers = shallowRef({} as Readonly<Partial<Record<Key, CallAnswer>>>);
  const failed = shallowRef<readonly ErrorShape[]>([]);
  const { reading, read: ask } = useReading();
  const readAt = ref<string>();

  /** Errors to show: each once, and refusals only if they are all there is. */
  const problems = computed(() => {
    const telling = failed.value.filter(({ code }) => !NOT_THERE.includes(code));
    const shown = telling.length > 0 || readAt.value !== undefined ? telling : failed.value.slice(0, 1);
    return [...new Map(shown.map((problem) => [`${problem.code} ${problem.message}`, problem])).values()];
  });

  async function read(reads: Reads<Key>): Promise<void> {
    const found: Partial<Record<Key, CallAnswer>> = {};
    const errors: ErrorShape[] = [];
    const isWhole = await ask(async (signal) => {
      await Promise.all(
        Object.entries<Read | undefined>(reads).map(async ([key, one]) => {
          if (one === undefined || !isThere(one.operation)) return;
          try {
            const answer = await getApi().operations.call({ deviceId: deviceId(), ...one }, { signal });
            if (answer.error !== undefined) errors.push(answer.error);
            else found[key as Key] = answer;
          } catch (thrown) {
            errors.push(extractErrorShape(thrown));
          }
        }),
      );
      return true;
    });
    if (isWhole !== true) return;
    failed.value = errors;
    if (Object.keys(found).length > 0) {
      answers.value = found;
      readAt.value = new Date().toISOString();
    }
  }
  /** False for a read that the device refused before. */
  function isThere(operation: string): boolean {
    const area = workspace.areas.find(({ pages, refused }) =>
      [...pages, ...refused.map(({ page }) => page)].some((page) => page.operation.id === operation),
    );
    return area?.refused.every(({ page }) => page.operation.id !== operation) ?? true;
  }
  return { answers, problems, reading, readAt, read };
}
