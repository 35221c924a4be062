/** `app://fieldwright/`: the built page, from the closed list of its files, with its policy. */
import { protocol } from 'electron';
import { PAGE_HEADERS, type Assets } from '#rpc/hosting/index.ts';

const SCHEME = 'app';
const HOST = 'fieldwright';
export const APP_ORIGIN = `${SCHEME}://${HOST}`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** Registers the scheme, once and before the app is ready: Electron accepts no schemes later. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

export function serveApp(assets: Assets): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'Only GET and HEAD.');
    const asset = url.host === HOST ? await assets.read(url.pathname) : undefined;
    if (asset === undefined) return refusal(404, 'Not found.');
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(asset.body), {
      headers: asset.headers,
    });
  });
}

/** True for addresses inside the app; an unreadable address is not. */
export function isAppUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol: scheme, host } = new URL(url);
  return scheme === `${SCHEME}:` && host === HOST;
}

function refusal(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { ...PAGE_HEADERS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
