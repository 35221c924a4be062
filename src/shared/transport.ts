/**
 * Facts that both ends of a connection between the page and its face must agree on. The messages themselves
 * are text, written and read by the call library.
 */

/**
 * Longest message in bytes, either way. The largest legal call carries a template of 2,000,000
 * characters (`contract.ts`), up to three bytes each, and a list of 10,000 devices.
 */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Path where the browser-hosted face accepts the WebSocket. */
export const SOCKET_PATH = '/rpc';
/** The subprotocol that is agreed upon; beside it the page offers its session, which the server never repeats. */
export const SOCKET_PROTOCOL = 'fieldwright';
export const SESSION_PROTOCOL = 'fieldwright.session.';
/**
 * POST with a one-time token as bearer gives the session of a tab as text, 401 where the token is
 * none or was used. GET with a session as bearer answers 204 while it is valid, 401 otherwise.
 */
export const SESSION_PATH = '/session';

/**
 * POST with a session as bearer reads a file of fingerprints into the prepared job whose id follows: the page hands the
 * file on unread, so that no template comes into its memory. Answers `{ ok: true, value }` or `{ ok: false, error }`.
 */
export const PRINTS_PATH = '/fingerprints/';

/** Functions that the preload script gives the page as `window.fieldwright`. */
export interface DesktopBridge {
  readonly face: 'desktop';
  send(message: string): void;
  /** Returns a function that takes the listener away. */
  onMessage(listener: (message: string) => void): () => void;
}

/** Electron's channels: `up` carries (page, message), `down` the same. `page` names one loaded document. */
export const BRIDGE_UP = 'fieldwright:up';
export const BRIDGE_DOWN = 'fieldwright:down';
