/**
 * HTTP/1.1 exchanges with one device over undici: kept-alive connections, one deadline for
 * connecting, waiting and reading together, a limit on what is read, packed or not. Nothing is
 * redirected, no write is ever repeated. Devices, and what lies between, forget idle connections without notice: a read
 * that meets such a connection is asked again over a new one, and a write goes only over one that is sure to work.
 */
import type { Readable } from 'node:stream';
import type { Client, Dispatcher } from 'undici';
import type { FieldwrightError } from '#shared/errors.ts';
import type { Address } from './address.ts';
import { AnswerBytes } from './answer-bytes.ts';
import type { BodyStream } from '../client-types.ts';
import { detectPacking, unpackBody } from './content-coding.ts';
import type * as HttpModule from './http.ts';
import { KeptClients, type Trust } from './kept-clients.ts';
import { Leaving } from './leaving.ts';
import type { SocketHolder, Sockets } from './sockets.ts';
import type { JudgeCertificate } from './tls.ts';
import {
  createCancelledError,
  createLoadingError,
  createTimeoutError,
  createAnswerTooLargeError,
  toTransportError,
} from './transport-errors.ts';

interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Returns the headers; called each time the request goes out. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body?: Uint8Array | BodyStream;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** The device may get it twice: a read whose sign-in cannot be refused. */
  readonly isRepeatable: boolean;
}

type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HttpAnswer {
  readonly http: number;
  readonly headers: HttpHeaders;
  readonly body: Uint8Array;
}

interface TransportOptions {
  readonly address: Address;
  /** Address of the https device. */
  readonly judge: JudgeCertificate;
  readonly connectTimeoutMs: number;
  /**
   * Largest body that is read; the rest of the answer, from the status line to the trailers, may be a quarter
   * of it.
   */
  readonly maxBytes: number;
  readonly sockets: Sockets;
}

export interface Transport {
  /**
   * Sends a request; each has a socket of its own for its duration. Throws the FieldwrightErrors of
   * `client-types.ts`, without device and operation.
   */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  /** Returns true once after several writes with a connection each: a read now may save the next ones theirs. */
  shouldProve(): boolean;
  /** Lets what is under way end. */
  close(): Promise<void>;
  /** Ends what is under way. */
  destroy(): Promise<void>;
}

/** Longer than undici's default: installers read, think, then write. */
const KEEP_ALIVE_MS = 15_000;
/**
 * Keep-alive in milliseconds, also if the device asks for more: after that an idle transport has no socket.
 */
export const LONGEST_KEEP_ALIVE_MS = KEEP_ALIVE_MS * 4;

/** Factor from the largest body to the largest answer. */
const INTAKE = 1.25;

export function createTransport(options: TransportOptions): Transport {
  const sockets = options.sockets.holder(renew);
  const leaving = new Leaving();
  let clients: KeptClients | undefined;
  let destroyed = false;

  /** Lets go of the present sockets as soon as they are unused. */
  function renew(): void {
    leaving.add(clients);
    clients = undefined;
  }

  /** Begins to send a request; its headers are asked for anew each time. */
  function start(http: Http, request: HttpRequest, trust: Trust): Try {
    // Everything that can prevent the request from going out does so before a client is taken for it.
    if (destroyed || request.signal.aborted) throw createCancelledError(false);
    const headers = request.headers();
    // Nothing is awaited in between: clients that were renewed meanwhile take no more.
    const pool = (clients ??= new KeptClients(clientOf(http, options, sockets)));
    const used = pool.take(trust);
    const { isKept, idleMs } = used;
    const { answer, hasBegun, stop } = exchangeOnce(used.client, request, headers, options.maxBytes);
    const given = answer.then(
      (served) => {
        pool.served(used);
        return served;
      },
      (thrown: unknown) => {
        pool.drop(used);
        throw thrown;
      },
    );
    return { answer: given, pool, isKept, idleMs, hasBegun, stop };
  }

  /** Sends a write over a kept connection. The next one takes a new one if it was lost. */
  async function sendWrite({ answer, pool, idleMs }: Try): Promise<HttpAnswer> {
    try {
      return await answer;
    } catch (thrown) {
      if (thrown instanceof EarlyEnd) pool.distrust('lost', idleMs);
      throw thrown;
    }
  }

  /** Sends a read over a kept connection, and over a new one if that is lost or stays silent. */
  async function sendRead(http: Http, request: HttpRequest, first: Try): Promise<HttpAnswer> {
    const started = performance.now();
    const left = (): number => request.deadlineMs - (performance.now() - started);
    const early = await Promise.race([first.answer.catch(lostOnly), silenceOf(first, request.deadlineMs)]);
    if (typeof early === 'object' && !(early instanceof EarlyEnd)) return early;
    if (early instanceof EarlyEnd) {
      first.pool.distrust('lost', first.idleMs);
      if (left() <= 0 || request.signal.aborted) throw early.error;
      return start(http, { ...request, deadlineMs: left() }, 'fresh').answer;
    }
    const second = start(http, { ...request, deadlineMs: left() }, 'fresh');
    try {
      return await Promise.any([
        first.answer.then((answer) => {
          first.pool.isSlow(performance.now() - started);
          second.stop();
          return answer;
        }),
        second.answer.then((answer) => {
          first.pool.distrust('silent', first.idleMs);
          first.stop();
          return answer;
        }),
      ]);
    } catch {
      return await first.answer;
    }
  }

  return {
    async exchange(request) {
      sockets.begin();
      try {
        // Also where it is there: who is cancelled at once takes no client.
        const http = await (loaded ??
          loadHttp().catch((error: unknown) => {
            throw createLoadingError(error);
          }));
        const first = start(http, request, request.isRepeatable ? 'kept' : 'proven');
        if (!first.isKept) return await first.answer;
        return await (request.isRepeatable ? sendRead(http, request, first) : sendWrite(first));
      } catch (thrown) {
        throw thrown instanceof EarlyEnd ? thrown.error : thrown;
      } finally {
        sockets.end();
      }
    },
    shouldProve: () => clients?.shouldProve() === true,
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

interface Exchange {
  readonly answer: Promise<HttpAnswer>;
  readonly hasBegun: () => boolean;
  readonly stop: () => void;
}

/** A request under way over one of the connections of a pool. */
interface Try extends Exchange {
  readonly pool: KeptClients;
  /** The connection had answered before. */
  readonly isKept: boolean;
  readonly idleMs: number;
}

function lostOnly(thrown: unknown): EarlyEnd {
  if (thrown instanceof EarlyEnd) return thrown;
  throw thrown;
}

/** Resolves when nothing of the answer has come in time; never if some of it has. */
function silenceOf({ answer, pool, hasBegun }: Try, deadlineMs: number): Promise<'silent'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      if (!hasBegun()) resolve('silent');
    }, pool.silentMs(deadlineMs));
    const clear = (): void => clearTimeout(timer);
    answer.then(clear, clear);
  });
}

type Http = typeof HttpModule;
let loading: Promise<Http> | undefined;
let loaded: Http | undefined;

/**
 * Loads the HTTP client with the first device: loading takes longer than many a command lasts. A long-running
 * process loads it at the start: its files cannot be read when the system is out of files.
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
    intake: {
      maxBytes: options.maxBytes * INTAKE,
      tooLarge: () => createAnswerTooLargeError(options.maxBytes),
    },
  });
  return () =>
    new Client(options.address.origin, {
      pipelining: 1,
      allowH2: false,
      // The environment could choose a parser that is still being tried out.
      useMilo: false,
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

function exchangeOnce(
  client: Client,
  request: HttpRequest,
  headers: ReturnType<HttpRequest['headers']>,
  maxBytes: number,
): Exchange {
  const { promise: answer, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;
  let sent = false;
  let head: { readonly http: number; readonly headers: HttpHeaders } | undefined;
  const received = new AnswerBytes();

  const timer = setTimeout(
    () => fail(createTimeoutError(request.deadlineMs, { sent, begun: head !== undefined })),
    request.deadlineMs,
  );
  const onAbort = () => fail(createCancelledError(sent));
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
      if (settled) given.abort(createCancelledError(false));
      else sent = true;
    },
    onResponseStart(_controller, http, headers) {
      // 1xx answers come before the real one.
      if (http < 200) return;
      head = { http, headers };
      if (Number(headers['content-length'] ?? 0) > maxBytes) fail(createAnswerTooLargeError(maxBytes));
    },
    onResponseData(_controller, chunk) {
      if (received.size + chunk.byteLength > maxBytes) fail(createAnswerTooLargeError(maxBytes));
      else received.add(chunk);
    },
    onResponseEnd() {
      if (head === undefined) return;
      const { http, headers } = head;
      const done = (body: Uint8Array) => {
        if (settle()) resolve({ http, headers, body });
      };
      const packing = detectPacking(received.all(), headers['content-encoding']);
      if (packing === undefined) done(received.all());
      // The deadline runs on.
      else
        unpackBody(received.all(), packing, maxBytes).then(done, (error: unknown) =>
          fail(toTransportError(error, sent)),
        );
    },
    onResponseError(_controller, error) {
      const mapped = toTransportError(error, sent);
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
        // A length keeps the stream from being sent in chunks, which devices do not read.
        headers: {
          ...headers,
          ...(streamed === undefined ? {} : { 'content-length': String(streamed.length) }),
        },
        body: streamed === undefined ? (body as Uint8Array | null) : piecesOf(streamed),
      },
      handler,
    );
  } catch (error) {
    fail(toTransportError(error, sent));
  }
  return { answer, hasBegun: () => head !== undefined, stop: () => fail(createCancelledError(sent)) };
}

/** Wraps the pieces: undici takes any sequence of them, and its types know fewer. */
function piecesOf(body: BodyStream): Readable {
  return body.open() as Readable;
}
