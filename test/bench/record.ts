/** Records what goes out over undici, in the form that the bare loop needs to send the same. */
import { subscribe } from 'node:diagnostics_channel';
import type { RecordedRequest } from './shared.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

/** Request as undici shows it before it is sent. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body?: unknown;
}

function bodyText(body: unknown): string | undefined {
  return typeof body === 'string'
    ? body
    : body instanceof Uint8Array
      ? Buffer.from(body).toString()
      : undefined;
}

function header(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((word, index) => index % 2 === 0 && String(word).toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

/** Every request from now on, by origin. */
export function recordRequests(): ReadonlyMap<string, readonly RecordedRequest[]> {
  const byOrigin = new Map<string, RecordedRequest[]>();
  subscribe('undici:request:create', (message) => {
    const { request } = message as { readonly request: UndiciRequest };
    const origin = new URL(request.origin).origin;
    const body = bodyText(request.body);
    const contentType = header(request.headers, 'content-type');
    const entry = {
      method: request.method,
      path: request.path,
      signed: header(request.headers, 'authorization') !== undefined,
      ...removeUndefined({ contentType }),
      ...removeUndefined({ body }),
    };
    const list = byOrigin.get(origin);
    if (list) list.push(entry);
    else byOrigin.set(origin, [entry]);
  });
  return byOrigin;
}
