/**
 * The session of this tab in the browser-hosted face. It lives in the tab's own storage: that survives
 * a reload, and unlike a cookie it goes to no other port of the computer.
 */
import { SESSION_PATH } from '#shared/transport.ts';

export interface TabScope {
  readonly location: {
    readonly origin: string;
    readonly pathname: string;
    readonly search: string;
    readonly hash: string;
  };
  readonly history: { replaceState(data: unknown, unused: string, url: string): void };
  /** Session storage of the tab. Reading the property throws if storage is switched off. */
  readonly sessionStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  fetch(
    url: string,
    init: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly cache: 'no-store';
    },
  ): Promise<Pick<Response, 'status' | 'ok' | 'text'>>;
}

export interface TabSession {
  /** Returns the session of this tab, or undefined if it has none; rejects if the server does not answer. */
  current(): Promise<string | undefined>;
  /** False only where the server says so. */
  isValid(): Promise<boolean>;
}

const KEY = 'fieldwright.session';

/** Takes the one-time token out of the address at once, before a router or a bookmark keeps it. */
export function openTabSession(scope: TabScope): TabSession {
  const { location, history } = scope;
  let token = new URLSearchParams(location.search).get('token') ?? undefined;
  let session = stored(scope);
  if (token !== undefined) history.replaceState(null, '', `${location.pathname}${location.hash}`);

  const ask = (method: 'GET' | 'POST', secret: string) =>
    scope.fetch(`${location.origin}${SESSION_PATH}`, {
      method,
      headers: { Authorization: `Bearer ${secret}` },
      cache: 'no-store',
    });

  async function redeem(given: string): Promise<void> {
    const answer = await ask('POST', given);
    token = undefined;
    if (!answer.ok) return;
    session = await answer.text();
    try {
      scope.sessionStorage.setItem(KEY, session);
    } catch {
      /* The session lasts until the page is reloaded if there is no storage. */
    }
  }

  return {
    async current() {
      if (token !== undefined) await redeem(token);
      return session;
    },
    async isValid() {
      return session !== undefined && (await ask('GET', session)).status !== 401;
    },
  };
}

/** Another program may have had this port before, and left anything. */
function stored(scope: TabScope): string | undefined {
  try {
    return /^[\w-]{1,100}$/.exec(scope.sessionStorage.getItem(KEY) ?? '')?.[0];
  } catch {
    return undefined;
  }
}
