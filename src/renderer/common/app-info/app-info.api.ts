import type { ConnectionState } from '#renderer/client/index.ts';
import { getApi, useClient } from '#renderer/client/use-client.ts';

/** How the way to the engine stands now, and a call on every change. */
export function watchConnection(listener: (state: ConnectionState) => void): ConnectionState {
  const { connection } = useClient();
  connection.onChange(listener);
  return connection.state;
}

/** Tries to reach the engine now instead of after the pause. */
export function reconnectNow(): void {
  useClient().connection.retryNow();
}

/** Reports whether a question waits for the person outside the page, now and on every change. */
export function watchQuestions(listener: (open: boolean) => void): void {
  const client = useClient();
  client.subscribe(client.api.app.questions, undefined, ({ open }) => {
    listener(open);
  });
}

/** Tells the face which language the page shows; a face without menus needs none. */
export function tellLanguage(language: string): void {
  getApi()
    .app.showLanguage({ language })
    .catch(() => undefined);
}
