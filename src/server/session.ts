/**
 * The engine may be used by the tab that opened a link with a token printed in the terminal. Each token works
 * once and becomes the session of that tab; both live as long as the server does. The session is no cookie: a
 * browser sends cookies to every port of this computer, so that any other program here could read it, and
 * could overwrite it to lock the person out.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Sessions {
  /** Creates a one-time token. */
  issueToken(): string;
  tokenState(token: string): 'fresh' | 'used' | 'unknown';
  /** Exchanges a fresh token for a session; the token is then used up. */
  redeem(token: string): string | undefined;
  isValid(session: string | undefined): boolean;
}

/** Sessions at once; the oldest goes first. Tokens are issued by the server's owner alone. */
const MOST_SESSIONS = 16;

export function createSessions(): Sessions {
  // The server keeps digests only: they have one length, so comparing takes constant time.
  const tokens: { readonly digest: Buffer; used: boolean }[] = [];
  const sessions: Buffer[] = [];

  function known(token: string): { used: boolean } | undefined {
    const given = digest(token);
    return tokens.filter((entry) => timingSafeEqual(entry.digest, given))[0];
  }

  return {
    issueToken() {
      const token = randomBytes(32).toString('base64url');
      tokens.push({ digest: digest(token), used: false });
      if (tokens.length > MOST_SESSIONS) tokens.shift();
      return token;
    },
    tokenState(token) {
      const entry = known(token);
      return entry === undefined ? 'unknown' : entry.used ? 'used' : 'fresh';
    },
    redeem(token) {
      const entry = known(token);
      if (entry === undefined || entry.used) return undefined;
      entry.used = true;
      const session = randomBytes(32).toString('base64url');
      sessions.push(digest(session));
      if (sessions.length > MOST_SESSIONS) sessions.shift();
      return session;
    },
    isValid(session) {
      if (session === undefined) return false;
      const given = digest(session);
      return sessions.filter((other) => timingSafeEqual(other, given)).length > 0;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
