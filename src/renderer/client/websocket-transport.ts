/** Browser-hosted face: one WebSocket to the server the page came from. */
import { SESSION_PROTOCOL, SOCKET_PROTOCOL } from '#shared/transport.ts';
import type { TabSession } from './tab-session.ts';
import type { Transport, Wire, WireEvents } from './transport.ts';

/** The part of the standard WebSocket that is used here. */
interface SocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

interface WebSocketTransportOptions {
  readonly url: string;
  readonly session: TabSession;
  readonly createSocket?: (url: string, protocols: string[]) => SocketLike;
}

export function createWebSocketTransport({
  url,
  session,
  createSocket = (...socket) => new WebSocket(...socket),
}: WebSocketTransportOptions): Transport {
  return {
    face: 'browser',
    async sendFile(path, file) {
      const secret = await session.current();
      const answer = await fetch(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret ?? ''}` },
        cache: 'no-store',
        body: file,
      });
      return answer.ok ? answer.json() : undefined;
    },
    open: (events) =>
      openSocket(events, session, (secret) =>
        createSocket(url, [SOCKET_PROTOCOL, `${SESSION_PROTOCOL}${secret}`]),
      ),
  };
}

function openSocket(
  events: WireEvents,
  session: TabSession,
  createSocket: (secret: string) => SocketLike,
): Wire {
  let state: 'opening' | 'open' | 'closed' = 'opening';
  let socket: SocketLike | undefined;

  function close(reason: 'lost' | 'refused'): void {
    if (state === 'closed') return;
    state = 'closed';
    events.closed(reason);
  }

  async function start(): Promise<void> {
    const secret = await session.current();
    if (state === 'closed') return;
    if (secret === undefined) close('refused');
    else listen((socket = createSocket(secret)));
  }

  async function ended(): Promise<void> {
    // A browser hides the status of a refused upgrade: a socket that never opened may have been refused for
    // its session, or no server listens there.
    const valid = state === 'open' || (await session.isValid().catch(() => true));
    close(valid ? 'lost' : 'refused');
  }

  function listen(made: SocketLike): void {
    made.addEventListener('open', () => {
      if (state !== 'opening') return;
      state = 'open';
      events.opened();
    });
    made.addEventListener('message', (event) => {
      if (state === 'open' && typeof event.data === 'string') events.message(event.data);
    });
    made.addEventListener('error', () => {
      /* `close` follows and decides */
    });
    made.addEventListener('close', () => void ended());
  }

  // A server that cannot be asked is away.
  start().catch(() => {
    close('lost');
  });
  return {
    send: (message) => {
      if (state === 'open') socket?.send(message);
    },
    close: () => {
      socket?.close();
      close('lost');
    },
  };
}
