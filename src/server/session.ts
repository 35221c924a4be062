/**
 * Who may use the page: whoever opened a link with a token that was printed in the terminal. Each
 * token works once and becomes a session cookie; both live as long as the server does.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export type Redeemed = { readonly outcome: 'session'; readonly session: string } | { readonly outcome: 'used' } | { readonly outcome: 'unknown' };

export interface Sessions {
  /** A new one-time token. */
  issueToken(): string;
  redeem(token: string): Redeemed;
  isValid(session: string | undefined): boolean;
}

/** Sessions at once; the oldest goes first. Tokens are issued by the server's owner alone. */
const MOST_SESSIONS = 16;

export function createSessions(): Sessions {
  // Only digests are kept: they have one length, so comparing takes one time.
  const tokens: { readonly digest: Buffer; used: boolean }[] = [];
  const sessions: Buffer[] = [];

  return {
    issueToken() {
      const token = randomBytes(32).toString('base64url');
      tokens.push({ digest: digest(token), used: false });
      if (tokens.length > MOST_SESSIONS) tokens.shift();
      return token;
    },
    redeem(token) {
      const given = digest(token);
      const known = tokens.filter((entry) => timingSafeEqual(entry.digest, given))[0];
      if (known === undefined) return { outcome: 'unknown' };
      if (known.used) return { outcome: 'used' };
      known.used = true;
      const session = randomBytes(32).toString('base64url');
      sessions.push(digest(session));
      if (sessions.length > MOST_SESSIONS) sessions.shift();
      return { outcome: 'session', session };
    },
    isValid(session) {
      if (session === undefined) return false;
      const given = digest(session);
      return sessions.filter((known) => timingSafeEqual(known, given)).length > 0;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** One cookie of the request; cookies are shared between ports, hence the port in its name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
