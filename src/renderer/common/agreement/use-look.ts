import type { AgreementQuery } from '#shared/contract/agreements.ts';
import { ref } from 'vue';
import { useClient } from '#renderer/client/use-client.ts';

export function useLook() {
  const client = useClient();
  /** Devices that were looked at, of how many; undefined while nothing is looked at. */
  const progress = ref<{ readonly done: number; readonly total: number }>();

  /** Reads the agreed settings of the devices, of all without an argument; rejects with what kept it from them. */
  async function look(query: AgreementQuery = {}): Promise<void> {
    progress.value = { done: 0, total: 0 };
    try {
      await new Promise<void>((resolve, reject) => {
        client.subscribe(
          client.api.agreements.look,
          query,
          (event) => {
            if (event.type === 'end') resolve();
            else progress.value = { done: event.done, total: event.total };
          },
          { restart: false, onError: reject },
        );
      });
    } finally {
      progress.value = undefined;
    }
  }
  return { progress, look };
}
