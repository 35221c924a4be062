/**
 * The built renderer as a closed set of files. Requests are answered from the list made at start,
 * never by joining a request's path to a folder, so no path can lead out of it.
 */
import { promises } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';
import { PAGE_HEADERS, getCacheControl, getContentType } from './policy.ts';

interface Asset {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Assets {
  /** The file of a URL's path (percent-encoded, as sent), or undefined. `/` is the page. */
  read(pathname: string): Promise<Asset | undefined>;
}

const INDEX = '/index.html';

/** Lists the folder. Throws `not-available` with the build command when there is no build. */
export async function loadAssets(rendererDir: string): Promise<Assets> {
  const files = new Map<string, string>();
  const notBuilt = (cause?: unknown): never => {
    throw appError('not-available', say('screens-not-built'), { file: rendererDir, cause });
  };
  // Links are no files here: they could point anywhere.
  for (const entry of await promises
    .readdir(rendererDir, { recursive: true, withFileTypes: true })
    .catch(notBuilt)) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(rendererDir, file).split(sep).join('/')}`, file);
  }
  if (!files.has(INDEX)) notBuilt();
  return { read: (pathname) => readAsset(files, pathname) };
}

async function readAsset(files: ReadonlyMap<string, string>, pathname: string): Promise<Asset | undefined> {
  const path = assetPath(pathname);
  const file = path === undefined ? undefined : files.get(path);
  if (path === undefined || file === undefined) return undefined;
  return {
    body: await promises.readFile(file),
    headers: {
      ...PAGE_HEADERS,
      'Content-Type': getContentType(path),
      'Cache-Control': getCacheControl(path),
    },
  };
}

function assetPath(pathname: string): string | undefined {
  if (pathname === '/' || pathname === '') return INDEX;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
