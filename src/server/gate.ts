/** Every check that stands between a request and the engine, in one place for HTTP and WebSocket. */
import type { IncomingMessage } from 'node:http';
import { SOCKET_PATH } from '../shared/transport.ts';
import { createOrigins } from './origin.ts';
import { createSessions, readCookie } from './session.ts';

export interface Gate {
  issueToken(): string;
  /** A session as a cookie to set. */
  redeem(token: string): { readonly outcome: 'session'; readonly cookie: string } | { readonly outcome: 'used' | 'unknown' };
  hostAllowed(request: IncomingMessage): boolean;
  hasSession(request: IncomingMessage): boolean;
  /** 101 to let the socket in, else the status to refuse it with. */
  checkUpgrade(request: IncomingMessage): 101 | 401 | 403 | 404 | 421;
}

/** Path and query as sent. Not by the URL parser: it throws on some targets and rewrites others. */
export function splitTarget(request: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const target = request.url ?? '/';
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: new URLSearchParams() } : { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) };
}

export function createGate(options: { readonly bindHost: string; readonly port: number }): Gate {
  const origins = createOrigins(options.bindHost, options.port);
  const sessions = createSessions();
  const cookieName = `fieldwright-${options.port}`;

  const hostAllowed = (request: IncomingMessage): boolean => origins.hostAllowed(request.headers.host);
  const hasSession = (request: IncomingMessage): boolean => sessions.isValid(readCookie(request.headers.cookie, cookieName));

  return {
    issueToken: () => sessions.issueToken(),
    redeem(token) {
      const redeemed = sessions.redeem(token);
      if (redeemed.outcome !== 'session') return redeemed;
      return { outcome: 'session', cookie: `${cookieName}=${redeemed.session}; Path=/; HttpOnly; SameSite=Strict` };
    },
    hostAllowed,
    hasSession,
    checkUpgrade(request) {
      if (!hostAllowed(request)) return 421;
      if (!origins.originAllowed(request.headers.origin, request.headers.host)) return 403;
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') return 403;
      if (splitTarget(request).path !== SOCKET_PATH) return 404;
      return hasSession(request) ? 101 : 401;
    },
  };
}
