/** `app://fieldwright/`: the built page, from the closed list of its files, with its policy. */
import { protocol } from 'electron';
import { PAGE_HEADERS, type Assets } from '#rpc/hosting/index.ts';

const SCHEME = 'app';
const HOST = 'fieldwright';
export const APP_ORIGIN = `${SCHEME}://${HOST}`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;
export const LICENCES_PAGE = `${APP_ORIGIN}/licences.txt`;

/** Registers the scheme, once and before the app is ready: Electron accepts no schemes later. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the page from its files, and the licences. */
export function serveApp(assets: Assets, readLicences: () => Promise<string>): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerText(405, 'Only GET and HEAD.\n');
    if (request.url === LICENCES_PAGE) return answerText(200, await readLicences());
    const asset = url.host === HOST ? await assets.read(url.pathname) : undefined;
    if (asset === undefined) return answerText(404, 'Not found.\n');
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

function answerText(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { ...PAGE_HEADERS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
