/** Everything that lasts between the requests to one device: sockets, queue, sign-in. */
import { FieldwrightError } from '../../shared/errors.ts';
import { DEFAULT_LIMITS, readStatus } from '../../protocol/index.ts';
import type { Log } from '../log.ts';
import { parseAddress } from './address.ts';
import type { Address } from './address.ts';
import { decodeBody } from './charset.ts';
import type { Answer, RequestOptions, WireExchange } from './client-types.ts';
import type { DeviceDirectory, DeviceSettings } from './directory.ts';
import { createQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import { redirectPath } from './redirect.ts';
import { createSignIn } from './sign-in.ts';
import type { SignIn } from './sign-in.ts';
import { createTransport } from './transport.ts';
import type { HttpAnswer, Transport } from './transport.ts';
import { cancelledError, timeoutError } from './transport-errors.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Operation id for errors and log. */
  readonly operation?: string;
}

export interface WireAnswer extends Answer {
  /** Bytes that the answer's character set does not know were replaced. */
  readonly lossy: boolean;
}

export interface Connection {
  send(request: WireRequest, options: RequestOptions): Promise<WireAnswer>;
  lift(): void;
  scheme(): string | undefined;
  /** HTTP exchanges so far, challenges included. */
  exchanges(): number;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

export function createConnection(deviceId: string, directory: DeviceDirectory, log: Log): Connection {
  const queue: Queue = createQueue(directory.settings(deviceId).profile.inFlight);
  let transport: { readonly key: string; readonly address: Address; readonly http: Transport } | undefined;
  let exchanges = 0;

  const signIn: SignIn = createSignIn({
    get auth() { return directory.settings(deviceId).profile.auth; },
    get secure() { return directory.settings(deviceId).url.startsWith('https:'); },
    get digestSeen() { return directory.settings(deviceId).digestSeen; },
    credentials: () => directory.signIn(deviceId),
    sawDigest: () => directory.observe(deviceId, { type: 'digest-offered' }),
    inspect: (answer) => {
      const { status } = readAnswer(answer);
      return { report: status.report, refused: status.kind === 'sign-in', ...(status.lock === undefined ? {} : { lock: status.lock }) };
    },
    changed: (state, error) => directory.observe(deviceId, { type: 'sign-in', state, ...(error === undefined ? {} : { error }) }),
  });

  /** Sockets for the settings as they are now; those of older settings end by themselves. */
  function current(settings: DeviceSettings): { readonly address: Address; readonly http: Transport } {
    const { deadlineMs, inFlight } = settings.profile;
    const key = `${settings.url} ${settings.certificate ?? ''} ${inFlight} ${deadlineMs}`;
    if (transport?.key === key) return transport;
    queue.resize(inFlight);
    void transport?.http.close();
    const address = parseAddress(settings.url);
    transport = { key, address, http: createTransport({ address, certificate: settings.certificate, connections: inFlight, connectTimeoutMs: deadlineMs, maxBytes: DEFAULT_LIMITS.bytes }) };
    return transport;
  }

  async function perform(request: WireRequest, options: RequestOptions, settings: DeviceSettings): Promise<HttpAnswer> {
    const { address, http } = current(settings);
    const deadlineMs = options.deadlineMs ?? settings.profile.deadlineMs;
    let endsAt: number | undefined;
    let path = request.path;
    for (let hops = 0; ; hops += 1) {
      const target = path;
      const answer = await signIn.perform({ ...request, uri: target, signal: options.signal }, (authorize) => {
        // The deadline starts with the first exchange: waiting for another's sign-in does not count.
        endsAt ??= performance.now() + deadlineMs;
        const left = endsAt - performance.now();
        if (left <= 0) return Promise.reject(timeoutError(deadlineMs, false));
        exchanges += 1;
        return http.exchange({ method: request.method, path: target, headers: () => headersOf(request, authorize?.()), ...bodyOf(request), signal: options.signal, deadlineMs: left });
      });
      const next = redirectPath(answer, { method: request.method, path: target, hops }, address);
      if (next === undefined) return answer;
      path = next;
    }
  }

  async function send(request: WireRequest, options: RequestOptions): Promise<WireAnswer> {
    const settings = directory.settings(deviceId);
    const started = performance.now();
    const entry = { event: 'exchange', device: deviceId, ...(request.operation === undefined ? {} : { operation: request.operation }) };
    try {
      const answer = await perform(request, options, settings);
      directory.observe(deviceId, { type: 'answered' });
      log({ level: 'info', ...entry, ms: performance.now() - started, http: answer.http });
      const read = readAnswer(answer);
      options.onExchange?.({ ...traceOf(request, started), answer: { http: answer.http, headers: answer.headers, text: read.text } });
      return read;
    } catch (thrown) {
      const error = placed(thrown, request, settings, options.signal);
      if (error instanceof FieldwrightError) {
        directory.observe(deviceId, { type: 'failed', error });
        log({ level: 'warn', ...entry, ms: performance.now() - started, code: error.code });
        options.onExchange?.(traceOf(request, started));
      }
      throw error;
    }
  }

  return {
    send: (request, options) => queue.run(() => send(request, options), options)
      .catch((thrown: unknown) => { throw placed(thrown, request, undefined, options.signal); }),
    lift: () => signIn.lift(),
    scheme: () => signIn.scheme(),
    exchanges: () => exchanges,
    close: async () => { await transport?.http.close(); },
    destroy: async () => { await transport?.http.destroy(); },
  };
}

function traceOf({ method, path, contentType, body }: WireRequest, started: number): Omit<WireExchange, 'answer'> {
  return { method, path, ms: performance.now() - started, ...(body === undefined ? {} : { body, ...(contentType === undefined ? {} : { contentType }) }) };
}

function headersOf(request: WireRequest, authorization: string | undefined): Record<string, string> {
  return {
    ...(request.contentType === undefined || request.body === undefined ? {} : { 'content-type': request.contentType }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function bodyOf(request: WireRequest): { body?: string } {
  return request.body === undefined ? {} : { body: request.body };
}

/** A refusal is looked at by the sign-in and then handed on: it is read once. */
const readAlready = new WeakMap<HttpAnswer, WireAnswer>();

function readAnswer(answer: HttpAnswer): WireAnswer {
  const known = readAlready.get(answer);
  if (known !== undefined) return known;
  const header = answer.headers['content-type'];
  const contentType = (typeof header === 'string' ? header : header?.[0]) ?? '';
  const { text, lossy } = decodeBody(answer.body, contentType);
  const read = { http: answer.http, contentType, text, lossy, status: readStatus({ http: answer.http, contentType, text }) };
  readAlready.set(answer, read);
  return read;
}

/** Says where it happened; an aborted wait becomes `cancelled`. */
function placed(thrown: unknown, request: WireRequest, settings: DeviceSettings | undefined, signal: AbortSignal): unknown {
  const error = !(thrown instanceof FieldwrightError) && signal.aborted ? cancelledError(false) : thrown;
  if (!(error instanceof FieldwrightError)) return error;
  return error.with({
    ...(request.operation === undefined ? {} : { operation: request.operation }),
    ...(settings === undefined ? {} : { device: settings.url }),
  });
}
