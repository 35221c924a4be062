import { ref, shallowRef } from 'vue';
import type { InputAt } from '#shared/contract.ts';
import type { CallAnswer } from '#shared/model.ts';
import { useReading } from '#renderer/common/errors/attempt.ts';
import { getApi } from '#renderer/client/use-client.ts';

/** Last answer of an operation, its time and its error. */
export function useRead() {
  const answer = shallowRef<CallAnswer>();
  const readAt = ref<string>();
  const { reading, problem, read: ask } = useReading();

  async function read(input: InputAt<'operations.call'>): Promise<CallAnswer | undefined> {
    const got = await ask((signal) => getApi().operations.call(input, { signal }));
    if (got !== undefined) {
      if (got.outcome === 'refused') problem.value = got.error;
      readAt.value = new Date().toISOString();
    }
    if (got !== undefined || problem.value !== undefined) answer.value = got;
    return got;
  }
  return { answer, problem, reading, readAt, read };
}
