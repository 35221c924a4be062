/** The engine's check of a text being edited: after a pause, the latest text's alone. */
import { ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { TemplateCheck } from '#shared/model.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';

/** Long enough to type on, short enough to feel live. */
const PAUSE_MS = 300;

export function createCheck(text: () => string) {
  const check = shallowRef<TemplateCheck>();
  const checking = ref(false);
  const problem = shallowRef<ErrorShape>();
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function runCheck(): Promise<void> {
    const mine = (controller = new AbortController());
    checking.value = true;
    try {
      const answer = await getApi().templates.check({ text: text() }, { signal: mine.signal });
      if (mine.signal.aborted) return;
      check.value = answer;
      problem.value = undefined;
    } catch (thrown) {
      if (!mine.signal.aborted) problem.value = extractErrorShape(thrown);
    } finally {
      if (mine === controller) checking.value = false;
    }
  }

  function stop(): void {
    controller?.abort();
    clearTimeout(timer);
  }

  /** Discards outdated results. */
  function outdate(): void {
    stop();
    check.value = undefined;
    timer = setTimeout(() => void runCheck(), PAUSE_MS);
  }

  return { check, checking, problem, runCheck, outdate, stop };
}
