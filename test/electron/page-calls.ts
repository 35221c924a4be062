/** Calls from inside a page over its bridge, without the renderer's client: what a hostile page would do. */
import type { Page } from 'playwright';
import type { DesktopBridge } from '#shared/transport.ts';

export interface PageAnswer {
  readonly status: number;
  readonly value: unknown;
}

/** One call of a route by its path, for instance `devices/list`. */
export function callFromPage(page: Page, route: string, input?: unknown): Promise<PageAnswer> {
  return page.evaluate(
    ({ url, json }) =>
      new Promise<PageAnswer>((resolve) => {
        const { fieldwright } = globalThis as unknown as { fieldwright: DesktopBridge };
        const id = `spec-${Math.random()}`;
        const stop = fieldwright.onMessage((text) => {
          const message = JSON.parse(text) as { i: string; p: { s?: number; b?: { json?: unknown } } };
          if (message.i !== id) return;
          stop();
          resolve({ status: message.p.s ?? 200, value: message.p.b?.json });
        });
        fieldwright.send(JSON.stringify({ i: id, p: { u: url, b: { json } } }));
      }),
    { url: `/${route}`, json: input },
  );
}

/** Starts a stream and keeps its events in the page, for `readStream`. */
export function openStream(page: Page, route: string, input?: unknown): Promise<void> {
  return page.evaluate(
    ({ url, json }) => {
      const scope = globalThis as unknown as { fieldwright: DesktopBridge; streamed: unknown[] };
      const id = `stream-${Math.random()}`;
      const streamed: unknown[] = [];
      scope.streamed = streamed;
      scope.fieldwright.onMessage((text) => {
        const message = JSON.parse(text) as {
          i: string;
          t?: number;
          p: { e?: string; d?: { json?: unknown } };
        };
        if (message.i === id && message.p.e === 'message') streamed.push(message.p.d?.json);
      });
      scope.fieldwright.send(JSON.stringify({ i: id, p: { u: url, b: { json } } }));
    },
    { url: `/${route}`, json: input },
  );
}

/** Resolves with the first event for which `type` is so. */
export async function readStream(page: Page, type: string): Promise<Record<string, unknown>> {
  const found = await page.waitForFunction(
    (wanted) =>
      (globalThis as unknown as { streamed: { type?: string }[] }).streamed.find(
        (event) => event.type === wanted,
      ),
    type,
  );
  return (await found.jsonValue()) as Record<string, unknown>;
}
