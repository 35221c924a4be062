/** One listening socket of the file server, with limits for its clients. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { say } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Pass } from './delivery.ts';
import { normaliseAddress } from './place.ts';

/** Tried in this order before any other, so that a rule of a firewall can name them. */
export const FIRST_PORT = 47_850;
export const PORTS = 10;
const MAX_CONNECTIONS = 1024;
/** Connections of a device for each file that is offered to it. */
const MAX_OF_ONE = 16;
/** Connections of all clients together that no file is offered to. */
const MAX_STRANGERS = 32;
const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 15_000;
const LINGER_MS = 10_000;

interface ListenerOptions {
  readonly address: string;
  readonly zone: string | undefined;
  readonly port: number | undefined;
  /** A connection on which nothing goes for so long is closed. */
  readonly stuckMs: number;
  /** How many files are offered to this address. */
  readonly offeredTo: (peer: string) => number;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse, line: Line) => void;
}

/** A connection: what of its answers has arrived shows only when the client says the next thing on it. */
export interface Line {
  readonly peer: string;
  /** An answer was handed over in whole; its pass ends with what the client does next. */
  finished(pass: Pass): void;
}

/** Throws `not-available` where the address is none of this computer's (any more) or no port can be had. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { port } = options;
  const first = port === undefined ? [] : [port];
  const ports = [...first, ...Array.from({ length: PORTS }, (_, index) => FIRST_PORT + index), 0];
  for (const candidate of ports) {
    const listener = new Listener(options);
    try {
      await listener.open(candidate);
      return listener;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if ((code === 'EADDRINUSE' || code === 'EACCES') && candidate !== 0) continue;
      throw listenError(error, code, options.address);
    }
  }
  throw listenError(undefined, undefined, options.address);
}

export class Listener {
  readonly #server: Server;
  readonly #options: ListenerOptions;
  readonly #connections = new Map<Socket, Connection>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    // An import would load HTTP with every start, and Node's own fetch with it.
    this.#server = process.getBuiltinModule('node:http').createServer(
      {
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        connectionsCheckingInterval: 5_000,
        noDelay: true,
        requireHostHeader: false,
      },
      (request, response) => {
        const connection = this.#connections.get(request.socket);
        if (connection === undefined) return void request.socket.destroy();
        connection.asked(response);
        options.onRequest(request, response, connection);
      },
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
    // A client that closes its sending side still waits for the answer.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.on('connection', (socket: Socket) => this.#admit(socket));
    this.#server.setTimeout(options.stuckMs, (socket: Socket) => {
      if (this.#connections.get(socket)?.isBusy !== false || socket.writableEnded)
        return void socket.destroy();
      // Idle: it is closed in good order, which shows whether what it was sent has arrived.
      socket.end();
      socket.setTimeout(LINGER_MS);
    });
    this.#server.on('error', () => undefined);
    this.#server.on('clientError', (_error: Error, socket: Socket) => {
      if (socket.writable && this.#connections.get(socket)?.isBusy === false)
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else socket.destroy();
    });
  }

  get address(): string {
    return this.#options.address;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  open(port: number): Promise<void> {
    const { address, zone } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: zone === undefined ? address : `${address}%${zone}`, port }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#connections.keys()) socket.destroy();
    await closed;
  }

  #admit(socket: Socket): void {
    const peer = normaliseAddress(socket.remoteAddress ?? '');
    const others = [...this.#connections.values()];
    const { offeredTo } = this.#options;
    const tooMany =
      offeredTo(peer) > 0
        ? others.filter((other) => other.peer === peer).length >= MAX_OF_ONE * offeredTo(peer)
        : others.filter((other) => offeredTo(other.peer) === 0).length >= MAX_STRANGERS;
    if (tooMany) return void socket.destroy();
    this.#connections.set(socket, new Connection(socket, peer));
    socket.once('close', () => this.#connections.delete(socket));
  }
}

class Connection implements Line {
  readonly peer: string;
  readonly #socket: Socket;
  #waiting: Pass[] = [];
  #answers = 0;

  constructor(socket: Socket, peer: string) {
    this.peer = peer;
    this.#socket = socket;
    // Closing at once would hide whether everything arrived: our side ends, then the client's does.
    socket.destroySoon = () => {
      socket.end();
      socket.setTimeout(LINGER_MS);
    };
    socket.once('end', () => this.#settle('arrived'));
    // The same holds for one that ended its side before the answer: it does not show whether everything
    // arrived.
    socket.once('close', () => this.#settle('lost'));
  }

  get isBusy(): boolean {
    return this.#answers > 0;
  }

  /** Handles a further request, which shows that the earlier answers arrived. */
  asked(response: ServerResponse): void {
    this.#settle('arrived');
    this.#answers += 1;
    response.once('close', () => {
      this.#answers -= 1;
    });
  }

  finished(pass: Pass): void {
    if (this.#socket.destroyed) return pass.lost();
    this.#waiting.push(pass);
  }

  #settle(how: 'arrived' | 'lost'): void {
    const passes = this.#waiting;
    this.#waiting = [];
    for (const pass of passes) pass[how]();
  }
}

function listenError(thrown: unknown, code: unknown, address: string): FieldwrightError {
  return new FieldwrightError(
    {
      code: 'not-available',
      source: 'app',
      ...(code === 'EADDRNOTAVAIL'
        ? say('serve.address-gone', { address })
        : say('serve.no-port', { address, code: typeof code === 'string' ? code : '' })),
    },
    { cause: thrown },
  );
}
