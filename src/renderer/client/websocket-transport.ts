/** Browser-hosted face: one WebSocket to the server the page came from. */
import type { Transport, Wire, WireEvents } from './transport.ts';

/** The part of the standard WebSocket that is used here. */
export interface SocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export interface WebSocketTransportOptions {
  readonly url: string;
  readonly createSocket?: (url: string) => SocketLike;
  /** Whether the session is still valid: a browser hides the status of a refused upgrade. */
  readonly sessionValid?: () => Promise<boolean>;
}

export function webSocketTransport(options: WebSocketTransportOptions): Transport {
  const createSocket = options.createSocket ?? ((url) => new WebSocket(url));
  return { face: 'browser', open: (events) => openSocket(createSocket(options.url), events, options.sessionValid) };
}

function openSocket(socket: SocketLike, events: WireEvents, sessionValid?: () => Promise<boolean>): Wire {
  let state: 'opening' | 'open' | 'closed' = 'opening';

  async function ended(): Promise<void> {
    if (state === 'closed') return;
    const wasOpen = state === 'open';
    state = 'closed';
    // A socket that never opened may have been refused for its session, or nobody listens there.
    const valid = wasOpen || sessionValid === undefined || await sessionValid().catch(() => true);
    events.closed(valid ? 'lost' : 'refused');
  }

  socket.addEventListener('open', () => {
    if (state !== 'opening') return;
    state = 'open';
    events.opened();
  });
  socket.addEventListener('message', (event) => {
    if (state === 'open' && typeof event.data === 'string') events.message(event.data);
  });
  socket.addEventListener('error', () => { /* `close` follows and decides */ });
  socket.addEventListener('close', () => void ended());
  return {
    send: (message) => { if (state === 'open') socket.send(message); },
    close: () => { socket.close(); void ended(); },
  };
}
