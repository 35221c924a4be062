import { shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Answer, FlowView } from '#shared/flows.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';

/** One job of a flow: what it asks now, and the way to answer. */
export function useRun(jobId: string) {
  const view = shallowRef<FlowView>();
  const problem = shallowRef<ErrorShape>();
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
        onError: (error) => {
          problem.value = extractErrorShape(error);
        },
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

  /** Resumes the setup. */
  async function goOn(): Promise<void> {
    busy.value = true;
    try {
      await getApi().jobs.resume({ id: jobId });
      watch();
    } catch (thrown) {
      problem.value = extractErrorShape(thrown);
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
    problem.value = undefined;
    try {
      const { text } = await getApi().flows.template({ jobId, position });
      return (await getApi().templates.save({ text })).id;
    } catch (thrown) {
      problem.value = extractErrorShape(thrown);
      return undefined;
    } finally {
      busy.value = false;
    }
  }

  return { view, problem, complaints, busy, watch, answer, goOn, saveTemplate, close: () => stop?.() };
}
