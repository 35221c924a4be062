/** The transport of the face that this page belongs to. */
import { SESSION_PATH, SOCKET_PATH } from '../../shared/transport.ts';
import type { DesktopBridge } from '../../shared/transport.ts';
import { bridgeTransport } from './bridge-transport.ts';
import type { Transport } from './transport.ts';
import { webSocketTransport } from './websocket-transport.ts';

/** What is used of a page's global scope. */
export interface PageScope {
  readonly location: { readonly protocol: string; readonly host: string };
  readonly fieldwright?: DesktopBridge;
}

/** The desktop bridge where the preload script gave one, else a WebSocket to the page's own server. */
export function pickTransport(scope: PageScope = globalThis as unknown as PageScope): Transport {
  if (scope.fieldwright !== undefined) return bridgeTransport(scope.fieldwright);
  const { protocol, host } = scope.location;
  return webSocketTransport({
    url: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${SOCKET_PATH}`,
    sessionValid: async () => (await fetch(`${protocol}//${host}${SESSION_PATH}`, { cache: 'no-store' })).status !== 401,
  });
}
