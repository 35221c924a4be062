/** One request from its first byte to the answer: sign-in, dispatch, faults, log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SignIn } from './auth/sign-in.ts';
import { applySearchFault } from './areas/people/search-faults.ts';
import { isUpload, takeUpload } from './areas/models/upload.ts';
import { dispatch, findHandledOperation, type Dispatched } from './dispatch.ts';
import { REQUEST_FAULTS, SEARCH_FAULTS, type Faults, type FaultScope, type RequestFault } from './faults.ts';
import type { Handlers, LoggedFacts } from './handler.ts';
import type { CheckedOptions } from './options.ts';
import type { RequestLog } from './request-log.ts';
import { isBodyTooLarge, readBody } from './server/body.ts';
import { HEAD_SPELLINGS, spellHead } from './server/odd-head.ts';
import type { DeviceState } from './state/device-state.ts';
import {
  answerAccepted,
  JSON_TYPE,
  answerRefused,
  answerRefusedFor,
  REFUSALS,
  signInStatus,
  answerUserCheck,
  XML_TYPE,
  type StatusAnswer,
  type StatusPlace,
} from './status.ts';
import type { Complaint } from './wire/check.ts';

interface ExchangeContext {
  readonly device: DeviceState;
  readonly handlers: Handlers;
  readonly site: CheckedOptions;
  readonly signIn: SignIn;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Aborted when the device is closed. */
  readonly signal: AbortSignal;
  /** Called when a write was deferred to the next restart. */
  readonly onDeferred: () => void;
}

interface Outgoing extends StatusAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly close?: boolean;
}

const DEFAULT_DELAY_MS = 3_000;
const HTML_TYPE = 'text/html; charset=utf-8';
const HTML_PAGE =
  '<!DOCTYPE html>\r\n<html><head><title>Device</title></head>\r\n<body><h1>Please sign in</h1><p>The page you asked for is not available.</body></html>\r\n';
const SIGN_IN_PAGE: StatusAnswer = { http: 401, contentType: HTML_TYPE, body: HTML_PAGE };
const SLOW_PIECES = 20;

export async function exchange(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = request.url ?? '';
  const method = request.method ?? '';
  const place = { requestUrl: target, namespace: context.device.namespace };
  const note = (
    http: number,
    extra: {
      operation?: string;
      applied?: boolean;
      fault?: string;
      body?: Uint8Array;
      keepBody?: boolean;
      told?: LoggedFacts;
      violation?: Complaint;
    } = {},
  ): void => {
    const { body, keepBody, violation, ...known } = extra;
    context.log.add(
      {
        at: context.device.clock.now(),
        method,
        path: target,
        http,
        applied: false,
        ...known,
        ...(violation ? { violation: `${violation.name}: ${violation.detail}` } : {}),
      },
      body,
      keepBody === true,
    );
  };

  const odd = context.faults.strike('odd-head', { method, path: target });
  if (odd !== undefined)
    spellHead(response, HEAD_SPELLINGS.find((spelling) => spelling === odd.how) ?? 'line-feeds');
  const inactive = context.faults.strike('not-activated', { method, path: target });
  if (inactive !== undefined) {
    const answer =
      inactive.how === 'status'
        ? answerRefused(familyPlace(), { name: 'notActivated' })
        : answerUserCheck({ isActivated: false });
    note(answer.http, { fault: 'not-activated' });
    return send(response, method, { ...answer, close: mayStillSend(request) });
  }

  // This check precedes the body: a client that has not signed in yet may hold it back until it has.
  const signIn = context.signIn.check({ method, target, authorization: request.headers.authorization });
  if (signIn.kind !== 'in') {
    if (!(await isStillThere(context, response))) return;
    note(signIn.kind === 'out' ? 401 : 400);
    const answer =
      signIn.kind === 'out'
        ? {
            ...(signIn.showsAttempts ? signInStatus(place, signIn.lock) : SIGN_IN_PAGE),
            headers: { 'WWW-Authenticate': signIn.challenge },
          }
        : answerRefused({ family: 'xml', ...place }, { name: 'badRequestLine', detail: signIn.detail });
    return send(response, method, { ...answer, close: mayStillSend(request) });
  }
  if (awaitsContinue(request)) response.writeContinue();
  const uploaded = findHandledOperation({ method, target }, context);
  if (uploaded !== undefined && isUpload(request, uploaded.id, context.device)) {
    const upload = await takeUpload(request, context.device, context.signal);
    if (upload.kind === 'cut') {
      note(0, { operation: uploaded.id });
      return cut(request.socket);
    }
    const { reply, unread } = upload;
    return respond({ operation: uploaded, family: 'json', reply }, { close: unread });
  }
  const reading = await readBody(request);
  if (reading.kind === 'lost' || !(await isStillThere(context, response))) return;
  if (reading.kind === 'too-large') {
    note(413);
    // The rest of such a body is not read.
    return send(response, method, {
      ...answerRefused(familyPlace(), { name: 'bodyTooLarge' }),
      close: true,
    });
  }
  const body = reading.bytes;

  context.device.settle(true);
  const contentType = request.headers['content-type'];
  const found = await dispatch({ method, target, contentType, bytes: body }, context);
  // A client that disconnected meanwhile is not served, and nothing has happened yet.
  if (context.signal.aborted || response.destroyed) return;
  if (method === 'OPTIONS' && found.allow) {
    note(204, { body });
    return send(response, method, {
      http: 204,
      contentType: '',
      body: '',
      headers: { Allow: found.allow.join(', ') },
    });
  }
  return respond(found, { body });

  function familyPlace(): StatusPlace {
    return { family: target.includes('format=json') ? 'json' : 'xml', ...place };
  }

  /** Carries it out as far as a fault lets it, and answers. `close`: some of the body is still to come. */
  async function respond(
    found: Dispatched,
    { body, close = false }: { readonly body?: Uint8Array; readonly close?: boolean },
  ): Promise<void> {
    const write =
      found.operation !== undefined &&
      found.operation.method !== 'GET' &&
      found.reply.kind !== 'refused' &&
      found.reply.commit !== undefined;
    const struck = context.faults.first(REQUEST_FAULTS, {
      method,
      operation: found.operation?.id,
      path: target,
      write,
    });
    const fault = struck?.kind;
    const keepBody = found.operation !== undefined && !found.operation.isSecret && found.operation.isShown;
    const outgoing = answerWith(context, found, struck, target);
    note(outgoing?.answer.http ?? 0, {
      ...(found.operation ? { operation: found.operation.id } : {}),
      applied: write && isApplied(struck),
      ...(fault ? { fault } : {}),
      ...(found.reply.kind === 'answer' && found.reply.told ? { told: found.reply.told } : {}),
      ...(body ? { body } : {}),
      ...(found.violation ? { violation: found.violation } : {}),
      keepBody,
    });
    if (!outgoing) return cut(request.socket);
    const answer = { ...outgoing.answer, close: outgoing.answer.close === true || close };
    await (outgoing.slow ? sendSlowly(context, response, answer) : send(response, method, answer));
  }
}

/** Waits as long as the device thinks; returns false if the client has disconnected. */
async function isStillThere(context: ExchangeContext, response: ServerResponse): Promise<boolean> {
  if (context.site.latencyMs > 0)
    await delay(context.site.latencyMs, undefined, { signal: context.signal }).catch(() => undefined);
  return !context.signal.aborted && !response.destroyed;
}

function awaitsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/**
 * Returns true for a body whose end cannot be waited for: held back, of unknown length, or more than is ever
 * read.
 */
function mayStillSend(request: IncomingMessage): boolean {
  return (
    awaitsContinue(request) || request.headers['transfer-encoding'] !== undefined || isBodyTooLarge(request)
  );
}

interface Struck {
  readonly kind: RequestFault;
  readonly scope: FaultScope;
}

/** Faults after which a write has been carried out all the same. */
const APPLIED: ReadonlySet<RequestFault> = new Set(['reset-after', 'malformed', 'empty', 'slow']);

function isApplied(struck: Struck | undefined): boolean {
  if (struck === undefined || APPLIED.has(struck.kind)) return true;
  if (struck.kind === 'cut-status') return struck.scope.done !== false;
  return struck.kind === 'html' && struck.scope.done === true;
}

/** Carries the reply out as far as the fault lets it; undefined where the connection is cut instead of answered. */
function answerWith(
  context: ExchangeContext,
  found: Dispatched,
  struck: Struck | undefined,
  target: string,
): { answer: Outgoing; slow?: boolean } | undefined {
  const { reply, family } = found;
  const place = { family, requestUrl: target, namespace: context.device.namespace };
  const fault = struck?.kind;
  switch (fault) {
    case 'unauthorized':
      return { answer: unauthorized(context, target) };
    case 'forbidden':
      return { answer: forbidden(context, place, struck?.scope ?? {}) };
    case 'reset':
      return undefined;
    case 'busy':
      return { answer: answerRefused(place, { name: 'deviceBusy' }) };
    case 'refused':
      return { answer: answerRefusedFor(place, struck?.scope.sub ?? 'notSupport', struck?.scope.how) };
    case 'html':
      if (reply.kind !== 'refused' && struck?.scope.done === true) reply.commit?.();
      return { answer: { ...SIGN_IN_PAGE, http: 200 } };
    case 'cut-status':
      if (reply.kind !== 'refused' && struck?.scope.done !== false) reply.commit?.();
      return { answer: cutBeforeCode(plainAnswer(found, place)) };
    case 'done-later':
      if (reply.kind !== 'refused' && reply.commit)
        context.device.later(reply.commit, { ms: DEFAULT_DELAY_MS, ...struck?.scope });
      return { answer: plainAnswer(found, place) };
    case 'ignored':
      return { answer: plainAnswer(found, place) };
    case 'reboot':
      if (reply.kind !== 'refused' && reply.commit) {
        context.device.defer(reply.commit);
        context.onDeferred();
      }
      return { answer: answerAccepted(place, 7) };
    default:
      break;
  }
  if (reply.kind !== 'refused') reply.commit?.();
  const answer = plainAnswer(found, place);
  if (fault === 'reset-after') return undefined;
  if (fault === 'malformed')
    return { answer: { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length * 0.6)) } };
  if (fault === 'empty') return { answer: { http: 200, contentType: answer.contentType, body: '' } };
  const search = SEARCH_FAULTS.find((kind) => kind === fault);
  if (search !== undefined && reply.kind === 'answer')
    return { answer: { ...answer, body: applySearchFault(search, answer.body, context.device) } };
  return { answer, slow: fault === 'slow' };
}

function plainAnswer(found: Dispatched, place: StatusPlace): Outgoing {
  const { reply } = found;
  if (reply.kind === 'answer')
    return { http: 200, contentType: place.family === 'xml' ? XML_TYPE : JSON_TYPE, body: reply.body };
  if (reply.kind === 'done') return answerAccepted(place);
  const answer = answerRefused(place, reply.refusal);
  return {
    ...answer,
    http: found.http ?? REFUSALS[reply.refusal.name].http,
    ...(found.allow ? { headers: { Allow: found.allow.join(', ') } } : {}),
  };
}

/** Cuts the answer off before its status code; another answer in its middle. */
function cutBeforeCode(answer: Outgoing): Outgoing {
  const at = /statusCode"?[>:]\s*/.exec(answer.body);
  const end = at === null ? Math.floor(answer.body.length / 2) : at.index + at[0].length;
  return { ...answer, body: answer.body.slice(0, end) };
}

/**
 * Answers that the account has no right to this address although the password is right, in the forms that
 * devices in the field use.
 */
function forbidden(context: ExchangeContext, place: StatusPlace, { how, attempts }: FaultScope): Outgoing {
  if (how === 'bare') return answerUserCheck();
  const { headers, ...counted } = unauthorized(context, place.requestUrl);
  if (how === 'low-privilege')
    return { ...answerRefused(place, { name: 'lowPrivilege' }), ...removeUndefined({ headers }) };
  return { ...(attempts === 'hidden' ? SIGN_IN_PAGE : counted), ...removeUndefined({ headers }) };
}

function unauthorized(context: ExchangeContext, target: string): Outgoing {
  const again = context.signIn.challenge();
  const challenge = again.kind === 'out' ? again.challenge : '';
  return {
    ...signInStatus({ requestUrl: target, namespace: context.device.namespace }, context.signIn.lockState()),
    headers: { 'WWW-Authenticate': challenge },
  };
}

async function send(response: ServerResponse, method: string, answer: Outgoing): Promise<void> {
  const bytes = Buffer.from(answer.body, 'utf8');
  response.writeHead(answer.http, headersOf(answer, bytes.length));
  response.end(method === 'HEAD' ? undefined : bytes);
  if (answer.close) response.once('finish', () => endGently(response.req.socket));
}

/**
 * Sends the head at once, then the body in pieces, or all the rest if the fault is cleared meanwhile: this
 * catches a client that only limits the time to the first byte.
 */
async function sendSlowly(
  context: ExchangeContext,
  response: ServerResponse,
  answer: Outgoing,
): Promise<void> {
  const bytes = Buffer.from(answer.body, 'utf8');
  response.writeHead(answer.http, headersOf(answer, bytes.length));
  response.flushHeaders();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const over = AbortSignal.any([context.signal, gone.signal]);
  const signal = AbortSignal.any([over, context.faults.cleared]);
  const piece = Math.max(1, Math.ceil(bytes.length / SLOW_PIECES));
  for (let at = 0; at < bytes.length; at += piece) {
    await delay(context.site.slowMs / SLOW_PIECES, undefined, { signal }).catch(() => undefined);
    if (over.aborted) {
      response.destroy();
      return;
    }
    response.write(bytes.subarray(at, at + piece));
  }
  response.end();
}

function headersOf(answer: Outgoing, length: number): Record<string, string> {
  return {
    ...(answer.contentType === '' ? {} : { 'Content-Type': answer.contentType }),
    ...(answer.http === 204 ? {} : { 'Content-Length': String(length) }),
    'Cache-Control': 'no-store',
    ...(answer.close ? { Connection: 'close' } : {}),
    ...answer.headers,
  };
}

/**
 * Resets the connection instead of ending it in order: the client cannot tell whether the request was carried
 * out. Only plain sockets can be reset.
 */
function cut(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Ends a connection whose client still sends an unwanted body, after time to read the answer. */
function endGently(socket: Socket): void {
  socket.resume();
  setTimeout(() => socket.destroy(), 200).unref();
}
