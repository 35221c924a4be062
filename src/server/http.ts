/**
 * Plain HTTP: the built page for everyone on this computer, and a session for the holder of a one-time token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toErrorShape } from '#shared/errors.ts';
import type { PrintsRead } from '#shared/people/fingerprints.ts';
import { PRINTS_PATH, SESSION_PATH } from '#shared/transport.ts';
import { PAGE_HEADERS, type Assets } from '#rpc/hosting/index.ts';
import { buildNoticePage } from './pages.ts';
import { splitTarget, type Gate } from './gate.ts';

interface PagesOptions {
  readonly gate: Gate;
  readonly assets: Assets;
  /** Reads a file of fingerprints into a prepared job. */
  readonly fillPrints: (
    jobId: string,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<PrintsRead>;
}

/** Milliseconds that a request has which is not a file. */
const UNREAD_MS = 5_000;

type Headers = Readonly<Record<string, string>>;

/** Answers GET and HEAD, and POST of a token or a file; everything else is refused before anything is looked at. */
export async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, assets, fillPrints }: PagesOptions,
): Promise<void> {
  // The body of a file alone is read, for a session; no connection with a body is kept.
  const hasBody =
    request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  if (hasBody) response.setHeader('Connection', 'close');
  if (!gate.hostAllowed(request)) {
    answer(request, response, 421, 'This is not the address of Fieldwright.');
    return;
  }

  const { path, query } = splitTarget(request);
  if (path === SESSION_PATH && request.method === 'POST') {
    redeem(request, response, gate);
    return;
  }
  if (path.startsWith(PRINTS_PATH) && request.method === 'POST' && gate.maySend(request)) {
    await takePrints(request, response, fillPrints);
    return;
  }
  // A body that is not read does not keep its connection.
  if (hasBody) setTimeout(() => request.destroy(), UNREAD_MS).unref();
  if (path.startsWith(PRINTS_PATH)) {
    answer(request, response, 401, '');
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    answer(request, response, 405, 'Only GET and HEAD.', { Allow: 'GET, HEAD' });
    return;
  }
  if (path === SESSION_PATH) {
    answer(request, response, gate.hasSession(request) ? 204 : 401, '');
    return;
  }

  const token = path === '/' ? query.get('token') : null;
  if (token !== null && refusedLink(request, response, gate.tokenState(token))) return;
  const asset = await assets.read(path);
  if (asset === undefined) answer(request, response, 404, 'Not found.');
  else finish(request, response, 200, asset.body, asset.headers);
}

function redeem(request: IncomingMessage, response: ServerResponse, gate: Gate): void {
  const session = gate.redeem(request);
  if (session === undefined) answer(request, response, 401, '');
  else answer(request, response, 200, session);
}

/** Reads the file as it comes; a page that goes away ends it. */
async function takePrints(
  request: IncomingMessage,
  response: ServerResponse,
  fillPrints: PagesOptions['fillPrints'],
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const jobId = splitTarget(request).path.slice(PRINTS_PATH.length);
  const result = await fillPrints(jobId, request as AsyncIterable<Uint8Array>, left.signal).then(
    (value) => ({ ok: true, value }),
    (thrown: unknown) => ({ ok: false, error: toErrorShape(thrown) }),
  );
  finish(request, response, 200, Buffer.from(JSON.stringify(result)), {
    ...PAGE_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
}

/**
 * Answers an invalid link without a script. A prerendered page would use up the token before a person looks
 * at it.
 */
function refusedLink(
  request: IncomingMessage,
  response: ServerResponse,
  state: ReturnType<Gate['tokenState']>,
): boolean {
  if (
    /prefetch|prerender|preview/i.test(
      `${String(request.headers['sec-purpose'] ?? '')} ${String(request.headers['purpose'] ?? '')}`,
    )
  ) {
    answer(request, response, 503, 'Not before it is really opened.');
    return true;
  }
  if (state === 'fresh') return false;
  finish(request, response, 403, Buffer.from(buildNoticePage(state, request.headers['accept-language'])), {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  return true;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  finish(request, response, status, Buffer.from(text), {
    ...PAGE_HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  });
}

function finish(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Headers,
): void {
  response.writeHead(
    status,
    status === 204 ? headers : { ...headers, 'Content-Length': String(body.length) },
  );
  response.end(request.method === 'HEAD' || status === 204 ? undefined : body);
}
