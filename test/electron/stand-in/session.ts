/** `protocol` and `session`: what answers a page's requests, and what stops them. */
import type { Route } from 'playwright';
import { EventEmitter } from 'node:events';
import { fromPageUrl } from './surroundings.ts';

type Handler = (request: Request) => Promise<Response> | Response;
type Answer = (outcome: { readonly cancel?: boolean }) => void;

const handlers = new Map<string, Handler>();
export const protocol = {
  registerSchemesAsPrivileged(): void {
    /* every stand-in origin is secure and standard */
  },
  handle(scheme: string, handler: Handler): void {
    handlers.set(scheme, handler);
  },
};

class Session extends EventEmitter {
  permissionRequest:
    | ((contents: unknown, permission: string, answer: (granted: boolean) => void, details: object) => void)
    | undefined;
  permissionCheck:
    ((contents: unknown, permission: string, origin: string, details: object) => boolean) | undefined;
  beforeRequest: ((details: { readonly url: string }, answer: Answer) => void) | undefined;
  readonly webRequest = {
    onBeforeRequest: (
      _filter: object,
      listener: (details: { readonly url: string }, answer: Answer) => void,
    ) => {
      this.beforeRequest = listener;
    },
  };
  setPermissionRequestHandler(handler: Session['permissionRequest']): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: Session['permissionCheck']): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(): void {
    /* no devices here */
  }
}

export const session = { defaultSession: new Session() };

/** Answers from the registered handler, or not at all: a stand-in has no network to offer. */
export async function answerRequest(route: Route): Promise<void> {
  const request = route.request();
  const url = fromPageUrl(request.url());
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  if (handler === undefined) {
    await route.abort('blockedbyclient');
    return;
  }
  const response = await handler(new Request(url, { method: request.method(), headers: request.headers() }));
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
}
