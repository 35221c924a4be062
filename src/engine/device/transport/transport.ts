/**
 * HTTP/1.1 exchanges with one device over undici: kept-alive connections, one deadline for
 * connecting, waiting and reading together, a limit on what is read, packed or not. Nothing is
 * redirected, no write is ever repeated.
 */
import type { Readable } from 'node:stream';
import type { Client, Dispatcher } from 'undici';
import type { FieldwrightError } from '../../../shared/errors.ts';
import type { Address } from './address.ts';
import { AnswerBytes } from './answer-bytes.ts';
import type { BodyStream } from '../client-types.ts';
import { packingOf, unpackBody } from './content-coding.ts';
import type * as HttpModule from './http.ts';
import { Leaving } from './leaving.ts';
import type { SocketHolder, Sockets } from './sockets.ts';
import type { JudgeCertificate } from './tls.ts';
import { cancelledError, timeoutError, tooLargeError, transportError } from './transport-errors.ts';

interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Asked for each time the request goes out. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body?: Uint8Array | BodyStream;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HttpAnswer {
  readonly http: number;
  readonly headers: HttpHeaders;
  readonly body: Uint8Array;
}

interface TransportOptions {
  readonly address: Address;
  /** Of https. */
  readonly judge: JudgeCertificate;
  readonly connectTimeoutMs: number;
  /** Largest body that is read; what stands around it, from the status line to the trailers, may be a quarter of it. */
  readonly maxBytes: number;
  readonly sockets: Sockets;
}

export interface Transport {
  /** Each at a time has a socket of its own. Throws the FieldwrightErrors of `client-types.ts`, without device and operation. */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  /** Lets what is under way end. */
  close(): Promise<void>;
  /** Ends what is under way. */
  destroy(): Promise<void>;
}

/** Longer than undici's default: installers read, think, then write. */
const KEEP_ALIVE_MS = 15_000;
/** Also where the device asks for more: after that no socket of an idle transport is left. */
export const LONGEST_KEEP_ALIVE_MS = KEEP_ALIVE_MS * 4;

/** Of the largest body, with what stands around it. */
const INTAKE = 1.25;

export function createTransport(options: TransportOptions): Transport {
  const sockets = options.sockets.holder(renew);
  const leaving = new Leaving();
  let clients: Clients | undefined;
  let destroyed = false;

  /** Without the sockets it has, as soon as nobody uses them. */
  function renew(): void {
    leaving.add(clients);
    clients = undefined;
  }

  async function once(request: HttpRequest): Promise<HttpAnswer> {
    sockets.begin();
    try {
      // Also where it is there: who is cancelled at once takes no client.
      const http = await (loaded ??
        loadHttp().catch((error: unknown) => {
          throw transportError(error, false);
        }));
      // Whatever keeps it from going out at all does so before a client is taken for it.
      if (destroyed || request.signal.aborted) throw cancelledError(false);
      const headers = request.headers();
      // With nothing awaited in between: clients that were renewed meanwhile take no more.
      const used = (clients ??= new Clients(clientOf(http, options, sockets)));
      const client = used.take();
      try {
        const answer = await exchangeOnce(client, request, headers, options.maxBytes);
        used.served(client);
        return answer;
      } catch (thrown) {
        used.drop(client);
        throw thrown;
      }
    } finally {
      sockets.end();
    }
  }

  return {
    async exchange(request) {
      const started = performance.now();
      const used = clients;
      const hasServed = used?.hasServed === true;
      try {
        return await once(request);
      } catch (error) {
        if (!(error instanceof EarlyEnd)) throw error;
        const left = request.deadlineMs - (performance.now() - started);
        // Devices close idle connections without notice: a read that met such a socket is asked again, once.
        if (request.method !== 'GET' || !hasServed || left <= 0 || request.signal.aborted) throw error.error;
        if (clients === used) renew();
        return await once({ ...request, deadlineMs: left }).catch(unwrap);
      }
    },
    async close() {
      const used = clients;
      // A sign-in under way goes on over new ones.
      renew();
      await used?.close();
    },
    async destroy() {
      destroyed = true;
      await Promise.all([clients?.destroy(), leaving.destroy()]);
    },
  };
}

/** Clients of one socket each. undici's own pool holds a queue of 16 KB besides, and there may be one for each of thousands of devices. */
class Clients {
  readonly #open: () => Client;
  readonly #all = new Set<Client>();
  readonly #idle: Client[] = [];
  #hasServed = false;

  constructor(open: () => Client) {
    this.#open = open;
  }

  /** An answer was read completely: only then can a socket be a stale one. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** The one used last, whose socket is the least likely to be stale; a new one where all are in use. Then it is `served` or `drop`ped. */
  take(): Client {
    const client = this.#idle.pop() ?? this.#open();
    this.#all.add(client);
    return client;
  }

  served(client: Client): void {
    this.#hasServed = true;
    this.#idle.push(client);
  }

  /** Whatever it still does, the next one does not wait for it. */
  drop(client: Client): void {
    this.#all.delete(client);
    client.destroy().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#all].map((client) => client.close()));
  }

  async destroy(): Promise<void> {
    await Promise.allSettled([...this.#all].map((client) => client.destroy()));
  }
}

type Http = typeof HttpModule;
let loading: Promise<Http> | undefined;
let loaded: Http | undefined;

/**
 * The HTTP client takes longer to load than many a command lasts: it comes with the first device that is
 * talked to. Who runs for long loads it at the start: its files cannot be read when the system gives out no more.
 */
export function loadHttp(): Promise<Http> {
  if (loading !== undefined) return loading;
  loading = import('./http.ts');
  loading.then(
    (http) => {
      loaded = http;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

function clientOf(
  { Client, createConnector }: Http,
  options: TransportOptions,
  sockets: SocketHolder,
): () => Client {
  const connect = createConnector({
    ...options,
    sockets,
    intake: { maxBytes: options.maxBytes * INTAKE, tooLarge: () => tooLargeError(options.maxBytes) },
  });
  return () =>
    new Client(options.address.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
      // One deadline of our own rules; a stalled upload would otherwise meet headersTimeout.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    });
}

/** The connection ended after sending, before any byte of an answer. */
class EarlyEnd extends Error {
  readonly error: FieldwrightError;

  constructor(error: FieldwrightError) {
    super('early end');
    this.error = error;
  }
}

function unwrap(thrown: unknown): never {
  throw thrown instanceof EarlyEnd ? thrown.error : thrown;
}

function exchangeOnce(
  client: Client,
  request: HttpRequest,
  headers: ReturnType<HttpRequest['headers']>,
  maxBytes: number,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let sent = false;
    let head: { readonly http: number; readonly headers: HttpHeaders } | undefined;
    const received = new AnswerBytes();

    const timer = setTimeout(
      () => fail(timeoutError(request.deadlineMs, { sent, begun: head !== undefined })),
      request.deadlineMs,
    );
    const onAbort = () => fail(cancelledError(sent));
    request.signal.addEventListener('abort', onAbort, { once: true });

    function settle(): boolean {
      if (settled) return false;
      settled = true;
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      return true;
    }
    function fail(error: Error): void {
      if (!settle()) return;
      reject(error);
      controller?.abort(error);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        // Given up while the connection was still being made: it must not go out now.
        if (settled) given.abort(cancelledError(false));
        else sent = true;
      },
      onResponseStart(_controller, http, headers) {
        // 1xx answers come before the real one.
        if (http < 200) return;
        head = { http, headers };
        if (Number(headers['content-length'] ?? 0) > maxBytes) fail(tooLargeError(maxBytes));
      },
      onResponseData(_controller, chunk) {
        if (received.size + chunk.byteLength > maxBytes) fail(tooLargeError(maxBytes));
        else received.add(chunk);
      },
      onResponseEnd() {
        if (head === undefined) return;
        const { http, headers } = head;
        const done = (body: Uint8Array) => {
          if (settle()) resolve({ http, headers, body });
        };
        const packing = packingOf(received.all(), headers['content-encoding']);
        if (packing === undefined) done(received.all());
        // The deadline runs on.
        else
          unpackBody(received.all(), packing, maxBytes).then(done, (error: unknown) =>
            fail(transportError(error, sent)),
          );
      },
      onResponseError(_controller, error) {
        const mapped = transportError(error, sent);
        fail(mapped.code === 'connection-lost' && head === undefined ? new EarlyEnd(mapped) : mapped);
      },
    };
    try {
      const { body = null } = request;
      const streamed = body === null || body instanceof Uint8Array ? undefined : body;
      client.dispatch(
        {
          method: request.method,
          path: request.path,
          // With its length named a stream is not sent in chunks, which devices do not read.
          headers: {
            ...headers,
            ...(streamed === undefined ? {} : { 'content-length': String(streamed.length) }),
          },
          body: streamed === undefined ? (body as Uint8Array | null) : piecesOf(streamed),
        },
        handler,
      );
    } catch (error) {
      fail(transportError(error, sent));
    }
  });
}

/** undici takes any sequence of pieces, and its types know fewer. */
function piecesOf(body: BodyStream): Readable {
  return body.open() as Readable;
}
