/** WebSockets: one peer each, kept alive, bounded in number, size and speed. */
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES, SOCKET_PROTOCOL } from '#shared/transport.ts';
import type { PeerFactory } from '#rpc/index.ts';
import type { LogEntry } from '#engine/api.ts';
import type { Gate } from './gate.ts';

interface SocketsOptions {
  readonly server: Server;
  readonly gate: Gate;
  readonly createPeer: PeerFactory;
  readonly log: (entry: LogEntry) => void;
}

export interface Sockets {
  close(): void;
}

/** Pages at once; a person has a few tabs. */
const MOST_SOCKETS = 32;
/** A page that does not answer two pings in a row is disconnected (the laptop slept, the tab froze). */
const PING_EVERY_MS = 20_000;
/** Close codes of RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

export function attachSockets({ server, gate, createPeer, log }: SocketsOptions): Sockets {
  // Messages are small and local; compression would only cost memory.
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
    handleProtocols: () => SOCKET_PROTOCOL,
  });

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => {
      stream.destroy();
    });
    const status = sockets.clients.size >= MOST_SOCKETS ? 503 : gate.checkUpgrade(request);
    if (status === 101) {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        serve(socket, createPeer);
      });
      return;
    }
    log({ level: 'warn', event: 'socket-refused', http: status });
    // A connection that asked for an upgrade has no other timeout, and a refused client may keep it open.
    stream.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      () => stream.destroy(),
    );
  });

  return {
    close() {
      for (const socket of sockets.clients) socket.close(GOING_AWAY);
      sockets.close();
      // A page that does not answer the farewell is not waited for.
      setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, 500).unref();
    },
  };
}

function serve(socket: WebSocket, createPeer: PeerFactory): void {
  const peer = createPeer({
    // Resolves when the bytes are handed to the system: a page that does not read slows its own
    // streams down instead of filling our memory.
    send: (message) =>
      new Promise((resolve, reject) => {
        socket.send(message, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    violated: () => {
      socket.close(POLICY_VIOLATION);
    },
  });
  const stopPinging = keepAlive(socket);
  socket.on('message', (data, isBinary) => {
    if (isBinary) socket.close(POLICY_VIOLATION);
    else peer.receive((data as Buffer).toString('utf8'));
  });
  // Frames too long or malformed: the library closes with the code that says so, then `close` follows.
  socket.on('error', () => {
    /* nothing to add */
  });
  socket.on('close', () => {
    stopPinging();
    peer.close();
  });
}

function keepAlive(socket: WebSocket): () => void {
  let unanswered = 0;
  socket.on('pong', () => {
    unanswered = 0;
  });
  const timer = setInterval(() => {
    if (unanswered >= 2) {
      socket.terminate();
      return;
    }
    unanswered += 1;
    socket.ping();
  }, PING_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
