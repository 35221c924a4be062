/** Everything that lasts between the requests to one device: sockets, queue, sign-in. */
import { say } from '../../shared/details.ts';
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { DEFAULT_LIMITS, readStatus } from '../../protocol/index.ts';
import type { Status } from '../../protocol/index.ts';
import type { Clock } from '../api.ts';
import { createRedactor } from './redact.ts';
import { errorExchange, isDescribed } from '../exchange.ts';
import type { Log } from '../log.ts';
import { parseAddress } from './address.ts';
import type { Address } from './address.ts';
import { decodeBody } from './charset.ts';
import type { Answer, RequestOptions, WireExchange } from './client-types.ts';
import type { DeviceDirectory, DeviceSettings } from './directory.ts';
import { ownMask } from './own-mask.ts';
import type { Mask } from './own-mask.ts';
import type { Credentials, Proofs } from './proofs.ts';
import { createQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import { redirectPath } from './redirect.ts';
import { createSignIn } from './sign-in.ts';
import type { SignIn } from './sign-in.ts';
import type { Sockets } from './sockets.ts';
import type { JudgeCertificate } from './tls.ts';
import { createTransport, LONGEST_KEEP_ALIVE_MS } from './transport.ts';
import type { HttpAnswer, Transport } from './transport.ts';
import { cancelledError, timeoutError } from './transport-errors.ts';
import { turnFor } from './turns.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** What is sent for `body`; its UTF-8 where this is absent. */
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
  /** Operation id for errors and log. */
  readonly operation?: string;
}

export type WireAnswer = Answer;

export interface Connection {
  send(request: WireRequest, options: RequestOptions): Promise<WireAnswer>;
  /** See DeviceClient. */
  readonly shown: Mask;
  lift(): void;
  scheme(): string | undefined;
  /** HTTP exchanges so far, challenges included. */
  exchanges(): number;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

export interface ConnectionOptions {
  readonly devices: DeviceDirectory;
  readonly log: Log;
  readonly clock: Clock;
  readonly proofs: Proofs;
  readonly sockets: Sockets;
}

export function createConnection(
  deviceId: string,
  { devices: directory, log, clock, proofs, sockets }: ConnectionOptions,
): Connection {
  const queue: Queue = createQueue(directory.settings(deviceId).profile.inFlight);
  /** `pinned`: the certificate that every one of its sockets has shown; undefined where they need not show a certain one. */
  let transport:
    | {
        readonly key: string;
        readonly address: Address;
        readonly http: Transport;
        pinned: string | undefined;
      }
    | undefined;
  let exchanges = 0;
  let underWay = 0;
  let idle: NodeJS.Timeout | undefined;

  const signIn: SignIn = createSignIn({
    get auth() {
      return directory.settings(deviceId).profile.auth;
    },
    get secure() {
      return directory.settings(deviceId).url.startsWith('https:');
    },
    get strength() {
      return directory.settings(deviceId).strength;
    },
    get realm() {
      return directory.settings(deviceId).realm;
    },
    get accountLock() {
      return directory.settings(deviceId).accountLock;
    },
    proofs,
    credentials: () => (used = directory.signIn(deviceId)),
    hasWorked: () => directory.signInWorked?.(deviceId) ?? false,
    now: () => clock.now(),
    sawOffer: (strength) => directory.observe(deviceId, { type: 'offered', strength }),
    sawRealm: (realm) => directory.observe(deviceId, { type: 'realm', realm }),
    sawLock: (lock) => directory.observe(deviceId, { type: 'account-locked', ...lock }),
    inspect: (answer) => {
      const { status } = read(answer);
      return {
        report: maskOwn(status.report),
        refused: status.kind === 'sign-in',
        ...defined({ lock: status.lock }),
      };
    },
    changed: (state, error) => directory.observe(deviceId, { type: 'sign-in', state, ...defined({ error }) }),
  });

  /** Sockets for the settings as they are now; those of older settings end by themselves. */
  function current(settings: DeviceSettings): { readonly address: Address; readonly http: Transport } {
    const { deadlineMs, inFlight } = settings.profile;
    const key = `${settings.url} ${inFlight} ${deadlineMs}`;
    if (transport?.key === key && transport.pinned === settings.certificate) return transport;
    queue.resize(inFlight);
    void transport?.http.close();
    const address = parseAddress(settings.url);
    const accepted = new Set<string>();
    const judge: JudgeCertificate = (shown) => {
      const offer = directory.judge(deviceId, settings.url, shown);
      if (offer === undefined) accepted.add(shown.info.fingerprint);
      // Pinned by this very handshake: the sockets need not be opened anew, unless an earlier one showed another certificate.
      const pin = directory.settings(deviceId).certificate;
      if (made.pinned === undefined && pin !== undefined && accepted.size === 1 && accepted.has(pin))
        made.pinned = pin;
      return offer;
    };
    const made = {
      key,
      address,
      pinned: settings.certificate,
      http: createTransport({
        address,
        judge,
        connections: inFlight,
        connectTimeoutMs: deadlineMs,
        maxBytes: DEFAULT_LIMITS.bytes,
        sockets,
      }),
    };
    return (transport = made);
  }

  /** Its sockets have ended by then. Thousands of devices are talked to in a day, and what is kept for sockets weighs more than all the rest. */
  function dropWhenIdle(): void {
    idle ??= setTimeout(() => {
      if (underWay > 0) return;
      // Refused where all connections were ended meanwhile.
      transport?.http.close().catch(() => undefined);
      transport = undefined;
    }, LONGEST_KEEP_ALIVE_MS).unref();
    idle.refresh();
  }

  /** Of the sign-in in force; made anew where that changes (`lift`) and where Digest made something else of it. The vault is not opened for each of thousands of answers. */
  let own: { readonly keys: string; readonly mask: Mask } | undefined;
  let used: Credentials | undefined;
  function maskOwn<T>(value: T): T {
    if (!holdsText(value)) return value;
    const keys = signIn.keys();
    if (own?.keys !== keys.join()) {
      const known = used ?? usedSignIn();
      if (known === undefined) return value;
      own = { keys: keys.join(), mask: ownMask(known, keys) };
    }
    return own.mask(value);
  }
  function usedSignIn(): Credentials | undefined {
    try {
      return directory.signIn(deviceId);
    } catch {
      // The vault was locked or the sign-in removed meanwhile; the signature is masked all the same.
      return undefined;
    }
  }
  /** With what was sent along with this very request, as it may come back in an answer. */
  function hideOf(authorization: string | undefined): Mask {
    if (authorization === undefined) return maskOwn;
    let sent: Mask | undefined;
    return (value) => {
      if (!holdsText(value)) return value;
      sent ??= createRedactor(partsOf(authorization));
      return maskOwn(sent(value));
    };
  }

  async function perform(
    request: WireRequest,
    options: RequestOptions,
    settings: DeviceSettings,
    progress: Progress,
  ): Promise<HttpAnswer> {
    const { address, http } = current(settings);
    const deadlineMs = options.deadlineMs ?? settings.profile.deadlineMs;
    let endsAt: number | undefined;
    let path = request.path;
    for (let hops = 0; ; hops += 1) {
      const target = path;
      const waited = (ms: number) => {
        if (endsAt !== undefined) endsAt += ms;
      };
      const answer = await signIn.perform(
        { ...request, uri: target, signal: options.signal, waited, isTrial: options.isTrial === true },
        (authorize) => {
          // Whoever was asked at the old address may hold its answer back until the device has got a sign-in for the new one.
          if (directory.settings(deviceId).url !== (options.address ?? settings.url))
            return Promise.reject(movedMeanwhile());
          // The deadline starts with the first exchange: waiting for another's sign-in does not count.
          const end = (endsAt ??= performance.now() + deadlineMs);
          const left = end - performance.now();
          if (left <= 0) return Promise.reject(timeoutError(deadlineMs, { sent: false }));
          exchanges += 1;
          progress.path = target;
          progress.answer = undefined;
          const headers = () => headersOf(request, (progress.authorization = authorize?.()));
          return http
            .exchange({
              method: request.method,
              path: target,
              headers,
              ...bodyOf(request),
              signal: options.signal,
              deadlineMs: left,
            })
            .then((answer) => {
              progress.answer = answer;
              return (
                turnFor(answer.body.byteLength)?.then(() => {
                  if (options.signal.aborted) throw cancelledError(true);
                  if (performance.now() > end) throw timeoutError(deadlineMs, { sent: true, begun: true });
                  return answer;
                }) ?? answer
              );
            });
        },
      );
      const next = redirectPath(answer, { method: request.method, path: target, hops }, address);
      if (next === undefined) return answer;
      path = next;
    }
  }

  async function send(request: WireRequest, options: RequestOptions): Promise<WireAnswer> {
    const settings = directory.settings(deviceId);
    const started = performance.now();
    const entry = {
      event: 'exchange',
      device: deviceId,
      ...defined({ operation: request.operation }),
    };
    const progress: Progress = { path: undefined, authorization: undefined, answer: undefined };
    const trace = (): WireExchange =>
      traceOf(request, progress, performance.now() - started, hideOf(progress.authorization));
    underWay += 1;
    try {
      const answer = await perform(request, options, settings, progress);
      directory.observe(deviceId, { type: 'answered' });
      log({ level: 'info', ...entry, ms: performance.now() - started, http: answer.http });
      const wire = trace();
      options.onExchange?.(wire);
      const decoded = read(answer);
      if (decoded.status.kind === 'needs-reboot') directory.observe(deviceId, { type: 'restart-due' });
      return {
        ...decoded,
        status: shownStatus(decoded.status, wire.hide),
        shown: wire.hide,
        exchange: () => errorExchange(wire, request.operation),
      };
    } catch (thrown) {
      const error = placed(thrown, request, settings, options.signal);
      if (!(error instanceof FieldwrightError)) throw error;
      const wire = trace();
      const told =
        progress.path === undefined || !isOfExchange(error)
          ? error
          : error.with({ exchange: errorExchange(wire, request.operation) });
      // Told to who asked, but not kept: a body that nothing describes may hold secrets under names that nobody knows.
      directory.observe(deviceId, {
        type: 'failed',
        error: request.operation !== undefined && isDescribed(request.operation, request.body) ? told : error,
      });
      log({ level: 'warn', ...entry, ms: performance.now() - started, code: error.code });
      options.onExchange?.(wire);
      throw told;
    } finally {
      underWay -= 1;
      dropWhenIdle();
    }
  }

  return {
    shown: maskOwn,
    send: (request, options) =>
      queue
        .run(() => sockets.run(() => send(request, options), options), options)
        .catch((thrown: unknown) => {
          throw placed(thrown, request, undefined, options.signal);
        }),
    lift: () => {
      own = undefined;
      used = undefined;
      signIn.lift();
    },
    scheme: () => signIn.scheme(),
    exchanges: () => exchanges,
    close: async () => {
      clearTimeout(idle);
      await transport?.http.close();
    },
    destroy: async () => {
      clearTimeout(idle);
      await transport?.http.destroy();
    },
  };
}

/** False where a certificate was the matter, or nobody meant to hear of the device. */
function isOfExchange({ code, shape }: FieldwrightError): boolean {
  return shape.certificate === undefined && code !== 'cancelled' && code !== 'usage';
}

/** How far a request has come: the last exchange that was begun for it. */
interface Progress {
  path: string | undefined;
  authorization: string | undefined;
  answer: HttpAnswer | undefined;
}

function traceOf(
  { method, path, contentType, body }: WireRequest,
  progress: Progress,
  ms: number,
  hide: Mask,
): WireExchange {
  const { answer } = progress;
  return {
    method,
    path: progress.path ?? path,
    ms,
    hide,
    ...(body === undefined ? {} : { body, ...defined({ contentType }) }),
    ...defined({
      answer:
        answer === undefined
          ? undefined
          : { http: answer.http, headers: answer.headers, text: read(answer).text },
    }),
  };
}

function headersOf(request: WireRequest, authorization: string | undefined): Record<string, string> {
  return {
    ...(request.contentType === undefined || request.body === undefined
      ? {}
      : { 'content-type': request.contentType }),
    ...defined({ authorization }),
  };
}

function bodyOf({ body, bytes }: WireRequest): { body?: Uint8Array } {
  return body === undefined ? {} : { body: bytes ?? Buffer.from(body, 'utf8') };
}

/** Whether any text in it is long enough to hold a secret. */
/** What of an `Authorization` header says something about the sign-in. */
function partsOf(authorization: string): readonly string[] {
  const parts = [...authorization.matchAll(/\b(?:response|cnonce)="([^"]+)"/g)].flatMap(
    ([, value]) => value ?? [],
  );
  return [authorization, authorization.replace(/^\S+ /, ''), ...parts];
}

function holdsText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 2;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsText);
}

/** The device's own words. */
function shownStatus(status: Status, hide: Mask): Status {
  return {
    ...status,
    report: hide(status.report),
    ...defined({ message: status.message === undefined ? undefined : hide(status.message) }),
  };
}

type Decoded = Omit<WireAnswer, 'exchange' | 'shown'>;
/** A refusal is looked at by the sign-in and then handed on: it is read once. */
const readAlready = new WeakMap<HttpAnswer, Decoded>();

function read(answer: HttpAnswer): Decoded {
  const known = readAlready.get(answer);
  if (known !== undefined) return known;
  const header = answer.headers['content-type'];
  const contentType = (typeof header === 'string' ? header : header?.[0]) ?? '';
  const { text, charset, lossy } = decodeBody(answer.body, contentType);
  const decoded = {
    http: answer.http,
    contentType,
    text,
    charset,
    lossy,
    status: readStatus({ http: answer.http, contentType, text }),
  };
  readAlready.set(answer, decoded);
  return decoded;
}

function movedMeanwhile(): FieldwrightError {
  return new FieldwrightError({
    code: 'changed-meanwhile',
    source: 'user',
    sent: false,
    ...say('address-changed-meanwhile'),
  });
}

/** Says where it happened; an aborted wait becomes `cancelled`. */
function placed(
  thrown: unknown,
  request: WireRequest,
  settings: DeviceSettings | undefined,
  signal: AbortSignal,
): unknown {
  const error = !(thrown instanceof FieldwrightError) && signal.aborted ? cancelledError(false) : thrown;
  if (!(error instanceof FieldwrightError)) return error;
  return error.with(defined({ operation: request.operation, device: settings?.url }));
}
