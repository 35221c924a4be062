/**
 * The socket of one device: limits against misuse, a restart that really drops every client, a close that
 * closes.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { FieldwrightError } from '#shared/errors.ts';
import type { Certificate } from './certificate.ts';

const MAX_CONNECTIONS = 256;
const HEADERS_TIMEOUT_MS = 10_000;
/** A model package that is sent as a body takes its time. */
const REQUEST_TIMEOUT_MS = 600_000;
const KEEP_ALIVE_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Milliseconds for which a restarted device tries to get its own port back. */
const REBIND_MS = 5000;

export class Listener {
  readonly #server: Server;
  readonly #host: string;
  /** Sockets, including silent ones and those in the middle of a TLS handshake. */
  readonly #sockets = new Set<Socket>();
  #port: number;
  #closed = false;

  constructor(options: {
    readonly host: string;
    readonly port: number;
    readonly certificate?: Certificate;
    readonly onRequest: RequestListener;
  }) {
    this.#host = options.host;
    this.#port = options.port;
    const limits = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 5000,
      noDelay: true,
    };
    this.#server = options.certificate
      ? createTlsServer(
          { ...limits, key: options.certificate.key, cert: options.certificate.cert },
          options.onRequest,
        )
      : createServer(limits, options.onRequest);
    this.#server.maxConnections = MAX_CONNECTIONS;
    // This listener delays `100 Continue` until the request was looked at.
    this.#server.on('checkContinue', options.onRequest);
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // An error while listening has its own listener; later ones concern single connections.
    this.#server.on('error', () => undefined);
    this.#server.on('clientError', answerUnreadable);
    // A TLS handshake that fails is the client's affair.
    this.#server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  }

  get port(): number {
    return this.#port;
  }

  get listening(): boolean {
    return this.#server.listening;
  }

  /** Starts to listen; port 0 becomes the port that was given. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void =>
        reject(listenError(error, this.#host, this.#port));
      this.#server.once('error', failed);
      this.#server.listen({ host: this.#host, port: this.#port }, () => {
        this.#server.off('error', failed);
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Cuts every connection and refuses new ones. */
  async drop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Shows another certificate from the next connection on; those there are end. False where it speaks no TLS. */
  renew(certificate: Certificate): boolean {
    if (!(this.#server instanceof TlsServer)) return false;
    this.#server.setSecureContext({ key: certificate.key, cert: certificate.cert });
    for (const socket of this.#sockets) socket.destroy();
    return true;
  }

  /** Listens again at the port it had. */
  async reopen(): Promise<void> {
    const until = Date.now() + REBIND_MS;
    for (;;) {
      if (this.#closed) return;
      try {
        await this.open();
        if (this.#closed) await this.drop();
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
        await delay(50);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.drop();
  }
}

/** Answers a request that is not HTTP with a plain 400 and closes the connection. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): FieldwrightError {
  const reason =
    error.code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is in use.`
      : error.code === 'EACCES'
        ? `Port ${port} needs more rights than this account has.`
        : `The virtual site cannot listen on ${host}, port ${port} (${error.code ?? 'unknown reason'}).`;
  return new FieldwrightError(
    {
      code: 'not-available',
      source: 'user',
      message: reason,
      hint: 'Choose another first port, or leave it out to take any that is free.',
    },
    { cause: error },
  );
}
