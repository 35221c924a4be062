/** Locks pages down: they cannot leave the app, open windows, ask for hardware or reach the network. */
import type { Session, WebContents } from 'electron';
import { keepFile } from '#engine/files/folders.ts';
import { isAppUrl } from './app-protocol.ts';

/** Copying text by the person's own click; everything else that can be asked for is refused. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** `saved` is called with the path of a file that the person saved. */
export function lockDownSession(session: Session, saved: (path: string) => void): void {
  const granted = (permission: string, url: string | undefined): boolean =>
    GRANTED.has(permission) && url !== undefined && isAppUrl(url);
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(granted(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, _origin, details) =>
    granted(permission, details.requestingUrl),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // Files leave through the engine; the page itself may save what it made in memory.
    if (!/^(blob|data):/.test(item.getURL()) && !isAppUrl(item.getURL())) event.preventDefault();
    // Chromium leaves it in memory, and readable by others.
    item.once('done', (_event, state) => {
      if (state !== 'completed') return;
      keepSaved(item.getSavePath());
      saved(item.getSavePath());
    });
  });
  // The policy of the page says the same; this holds even for a page without it.
  session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file://*', 'ftp://*/*'] },
    (_details, answer) => {
      answer({ cancel: true });
    },
  );
}

/** Keeps a file that the person has seen saved: a failure here is not reported. */
function keepSaved(path: string): void {
  try {
    keepFile(path);
  } catch {
    /* The file was moved already, or its disk was removed. */
  }
}

export function lockDownContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // Peer connections know neither the policy of the page nor the session's requests.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.on('will-frame-navigate', (details) => {
    if (!isAppUrl(details.url)) details.preventDefault();
  });
  contents.on('will-redirect', (details) => {
    if (!isAppUrl(details.url)) details.preventDefault();
  });
}
