/** Everything that lasts between the requests to one device: sockets, queue, sign-in. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError, deviceError, userError } from '#shared/errors.ts';
import { buildPath, createStatusError, type Status } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import { truncateExchange, isDescribed, listSentSecrets } from './exchange.ts';
import type { Log } from '../host/log.ts';
import type { Answer, BodyStream, RequestOptions, WireExchange } from './client-types.ts';
import { Deadline } from './transport/deadline.ts';
import { DeviceSockets, type OpenTransport } from './transport/device-sockets.ts';
import type { DeviceDirectory, DeviceSettings } from './directory.ts';
import { OwnCredentials } from './sign-in/own-credentials.ts';
import type { Mask } from './sign-in/own-mask.ts';
import type { Proofs } from './sign-in/proofs.ts';
import { createQueue, type Queue } from './queue.ts';
import { readAnswer } from './read-answer.ts';
import { redact } from './redact.ts';
import { redirectPath } from './transport/redirect.ts';
import type { Authorize } from './sign-in/credential-guard.ts';
import { SignIn } from './sign-in/sign-in.ts';
import type { Sockets } from './transport/sockets.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import { traceOf, type Progress } from './trace.ts';
import type { HttpAnswer } from './transport/transport.ts';
import { createCancelledError } from './transport/transport-errors.ts';
import { turnFor } from './turns.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Bytes to send for `body`. Default: its UTF-8. */
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
  /** Instead of `body`. */
  readonly stream?: BodyStream;
  /** Operation id for errors and log. */
  readonly operation?: string;
}

export type WireAnswer = Answer;

export interface ConnectionOptions {
  readonly devices: DeviceDirectory;
  readonly log: Log;
  readonly clock: Clock;
  readonly proofs: Proofs;
  readonly sockets: Sockets;
}

/** A request that is under way, with what holds for all of its exchanges. */
interface Sending {
  readonly request: WireRequest;
  readonly options: RequestOptions;
  readonly settings: DeviceSettings;
  readonly progress: Progress;
  readonly deadline: Deadline;
}

/** Document that every account is expected to read: clients read the capabilities of a device before anything else. */
const READABLE_BY_ALL = getSpecifiedOperation('system.capabilities.get');

export class Connection {
  readonly #deviceId: string;
  readonly #options: ConnectionOptions;
  readonly #queue: Queue;
  readonly #own: OwnCredentials;
  readonly #sockets: DeviceSockets;
  readonly #signIn: SignIn;
  #exchanges = 0;

  /** Throws `unknown-device`. */
  constructor(deviceId: string, options: ConnectionOptions) {
    const { devices, sockets } = options;
    this.#deviceId = deviceId;
    this.#options = options;
    this.#queue = createQueue(devices.settings(deviceId).profile.inFlight);
    this.#own = new OwnCredentials(deviceId, devices);
    this.#sockets = new DeviceSockets(deviceId, { devices, sockets, queue: this.#queue });
    this.#signIn = new SignIn(deviceId, {
      ...options,
      own: this.#own,
      readableByAll: () => this.#readableByAll(),
    });
  }

  #readableByAll(): string {
    return buildPath(READABLE_BY_ALL, {}, this.#options.devices.settings(this.#deviceId).profile.pathPrefix);
  }

  get shown(): Mask {
    return this.#own.hide;
  }

  get scheme(): string | undefined {
    return this.#signIn.scheme;
  }

  /** HTTP exchanges so far, challenges included. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** Lets the next request sign in again. */
  lift(): void {
    this.#signIn.lift();
  }

  close(): Promise<void> {
    return this.#sockets.close();
  }

  destroy(): Promise<void> {
    return this.#sockets.destroy();
  }

  send(request: WireRequest, options: RequestOptions): Promise<WireAnswer> {
    const task = () => this.#options.sockets.run(() => this.#send(request, options), options);
    return this.#queue.run(task, options).catch((thrown: unknown) => {
      throw placed(thrown, request, undefined, options.signal);
    });
  }

  async #send(request: WireRequest, options: RequestOptions): Promise<WireAnswer> {
    const { devices, log } = this.#options;
    const settings = devices.settings(this.#deviceId);
    const started = performance.now();
    const entry = {
      event: 'exchange',
      device: this.#deviceId,
      ...removeUndefined({ operation: request.operation }),
    };
    const progress: Progress = { sent: undefined, authorization: undefined, answer: undefined };
    const deadline = new Deadline(options.deadlineMs ?? settings.profile.deadlineMs);
    const trace = (): WireExchange =>
      traceOf(progress.sent ?? request, progress, {
        ms: performance.now() - started,
        hide: this.#own.hideWith(progress.authorization),
      });
    this.#sockets.begin();
    try {
      const answer = await this.#perform({ request, options, settings, progress, deadline });
      devices.observe(this.#deviceId, { type: 'answered' });
      log({ level: 'info', ...entry, ms: performance.now() - started, http: answer.http });
      const wire = trace();
      options.onExchange?.(wire);
      return this.#shownAnswer(answer, wire, request);
    } catch (thrown) {
      const error = placed(thrown, request, settings, options.signal);
      if (!(error instanceof FieldwrightError)) throw error;
      log({ level: 'warn', ...entry, ms: performance.now() - started, code: error.code });
      throw this.#reported(error, { request, options, progress, wire: trace() });
    } finally {
      this.#sockets.end();
    }
  }

  /** Follows redirections within the device. */
  async #perform(sending: Sending): Promise<HttpAnswer> {
    const { request, options, settings, deadline } = sending;
    const open = this.#sockets.for(settings);
    if (request.method !== 'GET' && open.http.shouldProve()) await this.#proveKept(sending, open);
    let path = request.path;
    for (let hops = 0; ; hops += 1) {
      const target = path;
      const answer = await this.#signIn.perform(
        {
          ...request,
          uri: target,
          signal: options.signal,
          waited: (ms) => deadline.putOff(ms),
          isTrial: options.isTrial === true,
        },
        (authorize, other) =>
          other === undefined
            ? this.#exchange(sending, { ...open, target, authorize })
            : this.#askElsewhere(sending, { ...open, target: other, authorize }),
      );
      const { status } = readAnswer(answer);
      if (status.kind === 'not-activated') throw createStatusError(shownStatus(status, this.#own.hide));
      const next = redirectPath(answer, { method: request.method, path: target, hops }, open.address);
      if (next === undefined) return answer;
      path = next;
    }
  }

  /**
   * Asks for a document unsigned, which costs no attempt: any answer over a kept connection shows that the next writes
   * need none of their own, which over TLS takes longer than many a write.
   */
  async #proveKept({ options, settings }: Sending, open: OpenTransport): Promise<void> {
    const request = { method: 'GET', path: this.#readableByAll() };
    const progress: Progress = { sent: undefined, authorization: undefined, answer: undefined };
    const deadline = new Deadline(settings.profile.deadlineMs);
    try {
      await this.#exchange(
        { request, options, settings, progress, deadline },
        { ...open, target: request.path, authorize: undefined },
      );
    } catch {
      // The write itself finds out whether the device is gone.
    }
  }

  /** Sends a GET for the sign-in while the request waits; sends no part of the request itself. */
  async #askElsewhere(
    sending: Sending,
    to: OpenTransport & { readonly target: string; readonly authorize: Authorize | undefined },
  ): Promise<HttpAnswer> {
    try {
      return await this.#exchange({ ...sending, request: { method: 'GET', path: to.target } }, to);
    } catch (error) {
      throw error instanceof FieldwrightError ? error.with({ sent: false }) : error;
    }
  }

  async #exchange(
    { request, options, settings, progress, deadline }: Sending,
    {
      http,
      target,
      authorize,
    }: OpenTransport & { readonly target: string; readonly authorize: Authorize | undefined },
  ): Promise<HttpAnswer> {
    // The server at the old address may hold its answer back until the device has got a sign-in for the new
    // one.
    if (this.#options.devices.settings(this.#deviceId).url !== (options.address ?? settings.url))
      throw movedMeanwhile();
    const left = deadline.start();
    this.#exchanges += 1;
    progress.sent = { ...request, path: target };
    progress.answer = undefined;
    const answer = await http.exchange({
      method: request.method,
      path: target,
      headers: () => headersOf(request, (progress.authorization = authorize?.())),
      ...bodyOf(request),
      signal: options.signal,
      deadlineMs: left,
      // A password that may be wrong is never sent twice: each time costs an attempt.
      isRepeatable: request.method === 'GET' && (authorize === undefined || this.#signIn.isVerified),
    });
    progress.answer = answer;
    const turn = turnFor(answer.body.byteLength);
    if (turn === undefined) return answer;
    await turn;
    if (options.signal.aborted) throw createCancelledError(true);
    deadline.check();
    return answer;
  }

  #shownAnswer(answer: HttpAnswer, wire: WireExchange, { operation, body }: WireRequest): WireAnswer {
    const decoded = readAnswer(answer);
    const { kind } = decoded.status;
    // A refusal may quote what it refuses.
    const secrets = kind === 'ok' || kind === 'none' ? [] : listSentSecrets(body, operation);
    if (decoded.status.kind === 'needs-reboot')
      this.#options.devices.observe(this.#deviceId, { type: 'restart-due' });
    return {
      ...decoded,
      status: shownStatus(decoded.status, (value) => wire.hide(redact(value, secrets))),
      shown: wire.hide,
      exchange: () => truncateExchange(wire, operation),
    };
  }

  /** Returns the error as the caller receives it, with its exchange. */
  #reported(
    error: FieldwrightError,
    {
      request,
      options,
      progress,
      wire,
    }: Pick<Sending, 'request' | 'options' | 'progress'> & { readonly wire: WireExchange },
  ): FieldwrightError {
    const { operation, body } = request;
    const described =
      progress.sent === undefined || !isOfExchange(error)
        ? error
        : error.with({ exchange: truncateExchange(wire, operation) });
    // The exchange goes to the caller but is not kept: a body without a description may hold secrets under
    // unknown names.
    this.#options.devices.observe(this.#deviceId, {
      type: 'failed',
      error: operation !== undefined && isDescribed(operation, body) ? described : error,
    });
    options.onExchange?.(wire);
    return described;
  }
}

/** Returns false if a certificate was the cause, or if the caller cancelled or made a wrong call. */
function isOfExchange({ code, shape }: FieldwrightError): boolean {
  return shape.certificate === undefined && code !== 'cancelled' && code !== 'usage';
}

function headersOf(request: WireRequest, authorization: string | undefined): Record<string, string> {
  // The signature would need every byte before the first one goes out; a wrong one counts as a wrong password.
  if (request.stream !== undefined && /, qop=auth-int,/.test(authorization ?? '')) throw wholeBodySigned();
  return {
    ...(request.stream === undefined ? {} : { 'content-type': request.stream.contentType }),
    ...(request.contentType === undefined || request.body === undefined
      ? {}
      : { 'content-type': request.contentType }),
    ...removeUndefined({ authorization }),
  };
}

function bodyOf({ body, bytes, stream }: WireRequest): { body?: Uint8Array | BodyStream } {
  if (stream !== undefined) return { body: stream };
  return body === undefined ? {} : { body: bytes ?? Buffer.from(body, 'utf8') };
}

/** Returns the status with secrets masked in the device's own text. */
function shownStatus(status: Status, hide: Mask): Status {
  return {
    ...status,
    // A path that asks for a sign-in although this one was proved elsewhere refuses the account access to the path.
    kind: status.kind === 'sign-in' ? 'refused' : status.kind,
    report: hide(status.report),
  };
}

function wholeBodySigned(): FieldwrightError {
  return deviceError('not-supported', say('device.signs-body'), { sent: false });
}

function movedMeanwhile(): FieldwrightError {
  return userError('changed-meanwhile', say('address-changed-meanwhile'), { sent: false });
}

/** Says where it happened; an aborted wait becomes `cancelled`. */
function placed(
  thrown: unknown,
  request: WireRequest,
  settings: DeviceSettings | undefined,
  signal: AbortSignal,
): unknown {
  const error =
    !(thrown instanceof FieldwrightError) && signal.aborted ? createCancelledError(false) : thrown;
  if (!(error instanceof FieldwrightError)) return error;
  return error.with(removeUndefined({ operation: request.operation, device: settings?.url }));
}
