/** Every check that stands between a request and the engine, in one place for HTTP and WebSocket. */
import type { IncomingMessage } from 'node:http';
import { SESSION_PROTOCOL, SOCKET_PATH, SOCKET_PROTOCOL } from '#shared/transport.ts';
import { createOrigins } from './origin.ts';
import { createSessions, type Sessions } from './session.ts';

export interface Gate extends Pick<Sessions, 'issueToken' | 'tokenState'> {
  /** The session for the token that our own page sends; undefined for anybody else and any other token. */
  redeem(request: IncomingMessage): string | undefined;
  hostAllowed(request: IncomingMessage): boolean;
  hasSession(request: IncomingMessage): boolean;
  /** True for our own page with its session. */
  maySend(request: IncomingMessage): boolean;
  /** 101 to let the socket in, else the status to refuse it with. */
  checkUpgrade(request: IncomingMessage): 101 | 401 | 403 | 404 | 421;
}

/** Path and query as sent. Not by the URL parser: it throws on some targets and rewrites others. */
export function splitTarget(request: IncomingMessage): {
  readonly path: string;
  readonly query: URLSearchParams;
} {
  const target = request.url ?? '/';
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) };
}

export function createGate(options: { readonly bindHost: string; readonly port: number }): Gate {
  const origins = createOrigins(options.bindHost, options.port);
  const sessions = createSessions();

  // Another program between could have looked at the second of two.
  const hostAllowed = (request: IncomingMessage): boolean =>
    request.headersDistinct['host']?.length === 1 && origins.hostAllowed(request.headers.host);
  const isOurPage = (request: IncomingMessage): boolean => {
    const site = request.headers['sec-fetch-site'];
    return (
      origins.originAllowed(request.headers.origin, request.headers.host) &&
      (site === undefined || site === 'same-origin')
    );
  };

  return {
    issueToken: () => sessions.issueToken(),
    tokenState: (token) => sessions.tokenState(token),
    redeem(request) {
      const token = bearer(request);
      return token !== undefined && isOurPage(request) ? sessions.redeem(token) : undefined;
    },
    hostAllowed,
    hasSession: (request) => sessions.isValid(bearer(request)),
    maySend: (request) => isOurPage(request) && sessions.isValid(bearer(request)),
    checkUpgrade(request) {
      if (!hostAllowed(request)) return 421;
      if (!isOurPage(request)) return 403;
      if (splitTarget(request).path !== SOCKET_PATH) return 404;
      return sessions.isValid(offeredSession(request)) ? 101 : 401;
    },
  };
}

function bearer(request: IncomingMessage): string | undefined {
  return /^Bearer ([\w-]{1,100})$/.exec(request.headers.authorization ?? '')?.[1];
}

/** A browser's socket can say nothing of its own before it is open but in its subprotocols. */
function offeredSession(request: IncomingMessage): string | undefined {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (!offered.includes(SOCKET_PROTOCOL)) return undefined;
  return offered.find((name) => name.startsWith(SESSION_PROTOCOL))?.slice(SESSION_PROTOCOL.length);
}
