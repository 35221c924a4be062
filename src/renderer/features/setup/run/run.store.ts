import { shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Answer, FlowView } from '#shared/flows.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

/** One job of a flow: what it asks now, and the way to answer. */
export function useRun(jobId: string) {
  const view = shallowRef<FlowView>();
  const { problem, attempt, fail } = useProblem();
  /** Why an answer was not taken, by the field; of no field under the empty name. */
  const complaints = shallowRef<Readonly<Record<string, ErrorShape>>>({});
  const busy = shallowRef(false);
  let stop: (() => void) | undefined;

  function watch(): void {
    stop?.();
    problem.value = undefined;
    const client = useClient();
    stop = client.subscribe(
      client.api.flows.watch,
      { jobId },
      (next) => {
        if (next.asked?.token !== view.value?.asked?.token) complaints.value = {};
        view.value = next;
      },
      {
        onError: fail,
      },
    );
  }

  async function answer(token: string, given: Answer): Promise<void> {
    busy.value = true;
    complaints.value = {};
    try {
      await getApi().flows.answer({ jobId, token, answer: given });
    } catch (thrown) {
      const error = extractErrorShape(thrown);
      // The question is another by now, and the screen shows it.
      if (error.code !== 'changed-meanwhile')
        complaints.value = Object.fromEntries(
          [error, ...(error.others ?? [])].map((each) => [(each.path ?? '').replace(/^[^.]*\./, ''), each]),
        );
    } finally {
      busy.value = false;
    }
  }

  /**
   * Saves the settings that the flow made on this device as an own template; returns its id, or undefined on
   * failure.
   */
  async function saveTemplate(position: number): Promise<string | undefined> {
    busy.value = true;
    const result = await attempt(async () => {
      const { text } = await getApi().flows.template({ jobId, position });
      return (await getApi().templates.save({ text })).id;
    });
    busy.value = false;
    return result;
  }

  return { view, problem, complaints, busy, watch, answer, saveTemplate, close: () => stop?.() };
}
