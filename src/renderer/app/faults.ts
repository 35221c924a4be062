import type { App } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { FieldwrightError } from '#shared/errors.ts';

/** Errors sent from one page: one that fails all the time has said enough by then. */
const MOST = 20;

/** Sends errors of the page that nothing handles to the engine, which keeps them for the diagnostics report. */
export function reportFaults(app: App): void {
  let left = MOST;
  const send = (thrown: unknown): void => {
    if (!(thrown instanceof Error) || thrown.name === 'AbortError' || left === 0) return;
    left -= 1;
    const { name, stack } = thrown;
    // A sentence of ours holds names and addresses.
    const message =
      thrown instanceof FieldwrightError ? `${thrown.code} ${thrown.shape.detail?.id ?? ''}` : thrown.message;
    getApi()
      .app.reportFault({
        name: name.slice(0, 100),
        message: message.slice(0, 2_000),
        stack: stack?.slice(0, 20_000),
      })
      .catch(() => undefined);
  };
  // The window's own event also writes to the console.
  app.config.errorHandler = (thrown) => reportError(thrown);
  window.addEventListener('error', ({ error }: ErrorEvent) => send(error));
  window.addEventListener('unhandledrejection', ({ reason }) => send(reason));
}
