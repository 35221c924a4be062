import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { usePreferences } from '#renderer/composables/preferences.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { AppInfo } from '#shared/model.ts';
import type { ConnectionState } from '#renderer/client/index.ts';
import { reconnectNow, watchConnection, watchQuestions } from './app-info.api.ts';
import { extractErrorShape } from '../errors/error-of.ts';
import { useProblem } from '../errors/attempt.ts';

/** State of the app: the face of this window, its connection, and whether the vault is open. */
export const useAppInfo = defineStore('app-info', () => {
  const info = shallowRef<AppInfo>();
  const { problem, attempt } = useProblem();
  const unlocking = ref(false);
  /** A question waits outside the page: what was asked for goes on when it is answered there. */
  const askedOutside = ref(false);
  const connection = ref<ConnectionState>('connecting');
  let started = false;

  /** Follows the connection; what the engine says about itself is asked again whenever it is back. */
  function start(): void {
    if (started) return;
    started = true;
    watchQuestions((open) => {
      askedOutside.value = open;
    });
    connection.value = watchConnection((state) => {
      connection.value = state;
      if (state !== 'open') askedOutside.value = false;
      if (state === 'open') void load();
    });
    void load();
  }

  async function load(): Promise<void> {
    const now = await attempt(() => getApi().app.info(undefined, { signal: AbortSignal.timeout(15_000) }));
    if (now === undefined) return;
    info.value = now;
    const locked = now.policy?.language;
    if (locked !== undefined) usePreferences().language.value = locked;
  }

  /** Resolves to the error, or to nothing when the vault is open. */
  async function unlock(passphrase: string, remember = false): Promise<ErrorShape | undefined> {
    unlocking.value = true;
    try {
      info.value = await getApi().app.unlockVault({ passphrase, remember });
      return undefined;
    } catch (thrown) {
      return extractErrorShape(thrown);
    } finally {
      unlocking.value = false;
    }
  }

  return { info, problem, unlocking, askedOutside, connection, start, unlock, reconnect: reconnectNow };
});
