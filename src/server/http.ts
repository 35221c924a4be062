/** Plain HTTP: the one-time link, the built page, nothing that changes anything. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SESSION_PATH } from '../shared/transport.ts';
import { PAGE_HEADERS } from '../rpc/hosting/index.ts';
import type { Assets } from '../rpc/hosting/index.ts';
import { noticePage } from './pages.ts';
import type { Notice } from './pages.ts';
import { splitTarget } from './gate.ts';
import type { Gate } from './gate.ts';

export interface PagesOptions {
  readonly gate: Gate;
  readonly assets: Assets;
}

type Headers = Readonly<Record<string, string>>;

/** Answers GET and HEAD; everything else is refused before anything is looked at. */
export async function answerHttp(request: IncomingMessage, response: ServerResponse, { gate, assets }: PagesOptions): Promise<void> {
  // Nothing here takes a body: one that is sent is not read, and its connection is not kept.
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined) response.setHeader('Connection', 'close');
  if (!gate.hostAllowed(request)) { answer(request, response, 421, 'This is not the address of Fieldwright.'); return; }
  if (request.method !== 'GET' && request.method !== 'HEAD') { answer(request, response, 405, 'Only GET and HEAD.', { Allow: 'GET, HEAD' }); return; }

  const { path, query } = splitTarget(request);
  const token = path === '/' ? query.get('token') : null;
  if (token !== null) { redeem(request, response, gate, token); return; }

  const signedIn = gate.hasSession(request);
  if (path === SESSION_PATH) { answer(request, response, signedIn ? 204 : 401, ''); return; }
  if (!signedIn) { notice(request, response, 'no-session'); return; }
  const asset = await assets.read(path);
  if (asset === undefined) answer(request, response, 404, 'Not found.');
  else finish(request, response, 200, asset.body, asset.headers);
}

function redeem(request: IncomingMessage, response: ServerResponse, gate: Gate, token: string): void {
  // A preview or a prefetch must not use up the link.
  const speculative = request.method === 'HEAD' || /prefetch|prerender|preview/i.test(`${String(request.headers['sec-purpose'] ?? '')} ${String(request.headers['purpose'] ?? '')}`);
  if (speculative) { answer(request, response, 503, 'Not before it is really opened.'); return; }
  const redeemed = gate.redeem(token);
  if (redeemed.outcome === 'session') { answer(request, response, 303, '', { Location: '/', 'Set-Cookie': redeemed.cookie }); return; }
  // Whoever is in already may press "back" to the used link.
  if (gate.hasSession(request)) { answer(request, response, 303, '', { Location: '/' }); return; }
  notice(request, response, redeemed.outcome === 'used' ? 'token-used' : 'token-unknown');
}

function notice(request: IncomingMessage, response: ServerResponse, kind: Notice): void {
  finish(request, response, kind === 'no-session' ? 401 : 403, Buffer.from(noticePage(kind)), { ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
}

function answer(request: IncomingMessage, response: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  finish(request, response, status, Buffer.from(text === '' ? '' : `${text}\n`), { ...PAGE_HEADERS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers });
}

function finish(request: IncomingMessage, response: ServerResponse, status: number, body: Buffer, headers: Headers): void {
  response.writeHead(status, status === 204 ? headers : { ...headers, 'Content-Length': String(body.length) });
  response.end(request.method === 'HEAD' || status === 204 ? undefined : body);
}
