/** The engine's check of a text being edited: after a pause, the latest text's alone. */
import { shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { TemplateCheck } from '#shared/model.ts';
import { useReading } from '#renderer/common/errors/attempt.ts';

/** Long enough to type on, short enough to feel live. */
const PAUSE_MS = 300;

export function createCheck(text: () => string) {
  const check = shallowRef<TemplateCheck>();
  const { reading: checking, problem, read, stop: stopReading } = useReading();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function runCheck(): Promise<void> {
    const answer = await read((signal) => getApi().templates.check({ text: text() }, { signal }));
    if (answer !== undefined) check.value = answer;
  }

  function stop(): void {
    stopReading();
    clearTimeout(timer);
  }

  function outdate(): void {
    stop();
    check.value = undefined;
    timer = setTimeout(() => void runCheck(), PAUSE_MS);
  }

  return { check, checking, problem, runCheck, outdate, stop };
}
