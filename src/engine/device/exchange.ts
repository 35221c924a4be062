/** Request and answer as they may be shown: secrets masked by the definitions, lengths bounded. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { EXCHANGE_BODY_LIMIT, type Exchange } from '#shared/exchange.ts';
import type { CallAnswer } from '#shared/model.ts';
import { findOperation, redactBody, maskPlainSecrets } from '#protocol/index.ts';
import type { Payload } from '#protocol/definition.ts';
import { redact } from './redact.ts';
import type { WireExchange } from './client-types.ts';
import { turnFor } from './turns.ts';

export interface Bodies {
  readonly request?: Payload;
  readonly response?: Payload;
  readonly sensitive: boolean;
}

/** Returns the bodies of an operation; a body without a definition is masked by the names in it. */
export function getBodies(operationId: string): Bodies {
  const { request, response, sensitive = false } = findOperation(operationId) ?? {};
  return {
    sensitive,
    request,
    response,
  };
}

export const UNDESCRIBED: Bodies = { sensitive: false };

/** Longest parts of an exchange that are kept, in characters; `headers` is a number of headers. */
interface Bounds {
  readonly body: number;
  readonly headers: number;
  readonly header: number;
  readonly url: number;
}

const TRACE: Bounds = { body: EXCHANGE_BODY_LIMIT, headers: 50, header: 1000, url: 10_000 };
/** Bounds of an exchange on an error; tighter, because errors are stored with the device and in the journal. */
const ERROR: Bounds = { body: 2_000, headers: 12, header: 200, url: 500 };

/** Headers that carry the sign-in or a session. */
const SECRET_HEADERS =
  /^(www-authenticate|authentication-info|authorization|proxy-.*|.*cookie.*|.*token.*|.*session.*)$/;

/** Returns an exchange as it may be shown. Masks secrets of the request in the answer too: devices repeat what they get. */
function toExchange(wire: WireExchange, bodies: Bodies, bounds: Bounds = TRACE): Exchange {
  const inRequest = new Set<string>();
  const request =
    wire.body === undefined
      ? undefined
      : redactBody(wire.body, { payload: bodies.request, sensitive: bodies.sensitive, found: inRequest });
  const secrets = [...inRequest];
  // Mask before cutting: half a secret is still a secret, but would not be recognised.
  const show = (text: string, most: number) => bounded(wire.hide(redact(text, secrets)), most);
  const sent = request === undefined ? undefined : show(request, bounds.body);
  const received = show(
    redactBody(wire.answer?.text ?? '', { payload: bodies.response, sensitive: bodies.sensitive }),
    bounds.body,
  );
  return {
    method: wire.method,
    url: show(maskPlainSecrets(wire.path), bounds.url).text,
    requestHeaders: wire.contentType === undefined ? {} : { 'content-type': wire.contentType },
    requestBody: sent?.text,
    ...(wire.answer === undefined
      ? {}
      : {
          http: wire.answer.http,
          responseHeaders: headersOf(wire.answer.headers, bounds, (text) => show(text, bounds.header).text),
        }),
    responseBody: received.text,
    ...(sent?.cut === true || received.cut ? { cut: true } : {}),
    ms: Math.round(wire.ms),
  };
}

/** Returns the secrets in the body of a request, found by its definition or by the names in it. */
export function listSentSecrets(body: string | undefined, operation: string | undefined): readonly string[] {
  if (body === undefined) return [];
  const found = new Set<string>();
  redactBody(body, { payload: operation === undefined ? undefined : getBodies(operation).request, found });
  return [...found];
}

/** Returns an exchange cut short enough to be stored with an error. */
export function truncateExchange(wire: WireExchange, operation: string | undefined): Exchange {
  return toExchange(wire, operation === undefined ? UNDESCRIBED : getBodies(operation), ERROR);
}

/** Returns true if a definition says which parts of the request are secret, or if it has no body. */
export function isDescribed(operation: string, body: string | undefined): boolean {
  return body === undefined || getBodies(operation).request !== undefined;
}

function headersOf(
  headers: NonNullable<WireExchange['answer']>['headers'],
  bounds: Bounds,
  show: (text: string) => string,
): Record<string, string> {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || SECRET_HEADERS.test(name.toLowerCase()) ? [] : [{ name, value }],
  );
  return Object.fromEntries(
    shown
      .slice(0, bounds.headers)
      .map(
        ({ name, value }) =>
          [name.toLowerCase().slice(0, 100), show(maskPlainSecrets(String(value)))] as const,
      ),
  );
}

function bounded(text: string, most: number): { readonly text: string; readonly cut: boolean } {
  return text.length <= most ? { text, cut: false } : { text: text.slice(0, most).toWellFormed(), cut: true };
}

type OnExchange = (exchange: WireExchange) => void;

/** Wraps `run`: if the request asks for a trace, adds the exchange to the answer or to the error. */
export function wrapWithTrace<R extends { readonly trace?: boolean }>(
  run: (request: R, signal: AbortSignal, onExchange?: OnExchange) => Promise<CallAnswer>,
  bodiesFor: (request: R) => Bodies,
): (request: R, signal: AbortSignal) => Promise<CallAnswer> {
  return async (request, signal) => {
    if (request.trace !== true) return run(request, signal);
    let last: WireExchange | undefined;
    const exchange = async () => {
      if (last === undefined) return {};
      await turnFor(last.answer?.text.length ?? 0);
      return { exchange: toExchange(last, bodiesFor(request)) };
    };
    try {
      const answer = await run(request, signal, (wire) => {
        last = wire;
      });
      const whole = await exchange();
      return {
        ...answer,
        ...whole,
        ...removeUndefined({ error: answer.error === undefined ? undefined : { ...answer.error, ...whole } }),
      };
    } catch (error) {
      throw error instanceof FieldwrightError ? error.with(await exchange()) : error;
    }
  };
}
