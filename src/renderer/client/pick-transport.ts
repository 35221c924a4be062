/** The transport of the face that this page belongs to. */
import { SOCKET_PATH, type DesktopBridge } from '#shared/transport.ts';
import { createBridgeTransport } from './bridge-transport.ts';
import { openTabSession, type TabScope } from './tab-session.ts';
import type { Transport } from './transport.ts';
import { createWebSocketTransport } from './websocket-transport.ts';

interface PageScope extends TabScope {
  readonly fieldwright?: DesktopBridge;
}

/** The desktop bridge where the preload script gave one, else a WebSocket to the page's own server. */
export function pickTransport(page: PageScope = globalThis as unknown as PageScope): Transport {
  if (page.fieldwright !== undefined) return createBridgeTransport(page.fieldwright);
  return createWebSocketTransport({
    url: `${page.location.origin.replace(/^http/, 'ws')}${SOCKET_PATH}`,
    session: openTabSession(page),
  });
}
