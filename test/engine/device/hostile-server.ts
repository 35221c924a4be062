/** A small HTTP server with configurable misbehaviour; real sockets, ephemeral port. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket, createServer as createRawServer } from 'node:net';

export interface HostileServer {
  readonly url: string;
  readonly port: number;
  /** Every request as it arrived. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly authorization: string | undefined;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** Sockets ever accepted. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

export async function startServer(handler: Handler): Promise<HostileServer> {
  const requests: HostileServer['requests'] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        authorization: request.headers.authorization,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      handler(request, response, requests.length);
    });
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => accepted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Speaks raw bytes: for answers that no HTTP library would write. */
export async function startRawServer(
  onSocket: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
