/** What a person may see of a request and its answer: redacted by the definitions, and bounded. */
import { FieldwrightError } from '../shared/errors.ts';
import { EXCHANGE_BODY_LIMIT } from '../shared/exchange.ts';
import type { Exchange } from '../shared/exchange.ts';
import type { CallAnswer } from '../shared/model.ts';
import { findOperation, redactBody, withoutSignIn } from '../protocol/index.ts';
import type { Payload } from '../protocol/definition.ts';
import { redact } from './apply/redact.ts';
import type { WireExchange } from './device/client-types.ts';

/** What describes the two bodies of an exchange. */
export interface Bodies {
  readonly request?: Payload;
  readonly response?: Payload;
  readonly sensitive: boolean;
}

/** Those of an operation; a request that none describes goes by the names in it. */
export function bodiesOf(operationId: string): Bodies {
  const { request, response, sensitive = false } = findOperation(operationId) ?? {};
  return { sensitive, ...(request === undefined ? {} : { request }), ...(response === undefined ? {} : { response }) };
}

export const UNDESCRIBED: Bodies = { sensitive: false };

/** Headers that carry the sign-in or a session. */
const SECRET_HEADERS = /^(www-authenticate|authentication-info|authorization|proxy-.*|.*cookie.*|.*token.*|.*session.*)$/;

/** The exchange as it may be shown. What the request held secret is masked in the answer too: devices repeat what they were sent. */
export function toExchange(wire: WireExchange, bodies: Bodies): Exchange {
  const secrets = new Set<string>();
  const sent = wire.body === undefined ? undefined : bounded(redactBody(wire.body, { payload: bodies.request, sensitive: bodies.sensitive, found: secrets }));
  const received = bounded(redact(redactBody(wire.answer?.text ?? '', { payload: bodies.response, sensitive: bodies.sensitive }), [...secrets]));
  return {
    method: wire.method,
    url: withoutSignIn(wire.path),
    requestHeaders: wire.contentType === undefined ? {} : { 'content-type': wire.contentType },
    ...(sent === undefined ? {} : { requestBody: sent.text }),
    ...(wire.answer === undefined ? {} : { http: wire.answer.http, responseHeaders: redact(headersOf(wire.answer.headers), [...secrets]) }),
    responseBody: received.text,
    ...(sent?.cut === true || received.cut ? { cut: true } : {}),
    ms: Math.round(wire.ms),
  };
}

function headersOf(headers: NonNullable<WireExchange['answer']>['headers']): Record<string, string> {
  const shown = Object.entries(headers).flatMap(([name, value]) => (
    value === undefined || SECRET_HEADERS.test(name.toLowerCase()) ? [] : [[name.toLowerCase().slice(0, 100), withoutSignIn(String(value)).slice(0, 1000)] as const]));
  return Object.fromEntries(shown.slice(0, 50));
}

function bounded(text: string): { readonly text: string; readonly cut: boolean } {
  return text.length <= EXCHANGE_BODY_LIMIT ? { text, cut: false } : { text: text.slice(0, EXCHANGE_BODY_LIMIT), cut: true };
}

type OnExchange = (exchange: WireExchange) => void;

/** `run` with the exchange put on its answer, or on its error, where the request asks for a trace. */
export function withTrace<R extends { readonly trace?: boolean }>(
  run: (request: R, signal: AbortSignal, onExchange?: OnExchange) => Promise<CallAnswer>, bodiesFor: (request: R) => Bodies,
): (request: R, signal: AbortSignal) => Promise<CallAnswer> {
  return async (request, signal) => {
    if (request.trace !== true) return run(request, signal);
    let last: WireExchange | undefined;
    const exchange = () => (last === undefined ? {} : { exchange: toExchange(last, bodiesFor(request)) });
    try {
      return { ...await run(request, signal, (wire) => { last = wire; }), ...exchange() };
    } catch (error) {
      throw error instanceof FieldwrightError ? error.with(exchange()) : error;
    }
  };
}
