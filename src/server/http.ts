/**
 * Plain HTTP: the built page for everyone on this computer, and a session for the holder of a one-time token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SESSION_PATH } from '#shared/transport.ts';
import { PAGE_HEADERS, type Assets } from '#rpc/hosting/index.ts';
import { buildNoticePage } from './pages.ts';
import { splitTarget, type Gate } from './gate.ts';

interface PagesOptions {
  readonly gate: Gate;
  readonly assets: Assets;
}

type Headers = Readonly<Record<string, string>>;

/** Answers GET and HEAD, and POST of a token; everything else is refused before anything is looked at. */
export async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, assets }: PagesOptions,
): Promise<void> {
  // No route takes a body: a body is not read, and its connection is not kept.
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
    response.setHeader('Connection', 'close');
  if (!gate.hostAllowed(request)) {
    answer(request, response, 421, 'This is not the address of Fieldwright.');
    return;
  }

  const { path, query } = splitTarget(request);
  if (path === SESSION_PATH && request.method === 'POST') {
    redeem(request, response, gate);
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
