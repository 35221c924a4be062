import { onScopeDispose, ref, shallowRef } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import type { InputAt } from '#shared/contract.ts';
import type { CallAnswer } from '#shared/model.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { getApi } from '#renderer/client/use-client.ts';

/** One read at a time: a newer one replaces the older; leaving the page ends it. */
export function useRead() {
  const answer = shallowRef<CallAnswer>();
  const problem = shallowRef<ErrorShape>();
  const reading = ref(false);
  const readAt = ref<string>();
  let current: AbortController | undefined;

  async function read(input: InputAt<'operations.call'>): Promise<CallAnswer | undefined> {
    current?.abort();
    const controller = new AbortController();
    current = controller;
    reading.value = true;
    try {
      const got = await getApi().operations.call(input, { signal: controller.signal });
      if (controller.signal.aborted) return undefined;
      answer.value = got;
      problem.value = got.outcome === 'refused' ? got.error : undefined;
      readAt.value = new Date().toISOString();
      return got;
    } catch (thrown) {
      if (!controller.signal.aborted) {
        answer.value = undefined;
        problem.value = extractErrorShape(thrown);
      }
      return undefined;
    } finally {
      if (current === controller) reading.value = false;
    }
  }
  onScopeDispose(() => current?.abort());
  return { answer, problem, reading, readAt, read };
}
