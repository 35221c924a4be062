/** Fetching a file for the device: counted and hashed, never kept. */
import { createHash } from 'node:crypto';
import { request } from 'undici';

export interface Progress {
  /** Bytes so far, and of how many where the server says. */
  readonly received: number;
  readonly total: number | undefined;
}

const IDLE_MS = 30_000;

/**
 * Reads the address to its end; throws where it cannot, where nothing comes for 30 s, or where it is
 * larger than `limit` bytes. http and https, no redirects; a user and password inside the address are
 * used for Basic (part 1, 2.3: any authentication is part of the URL).
 */
export async function download(
  address: string,
  limit: number,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const url = new URL(address);
  const authorization =
    url.username === ''
      ? undefined
      : `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  url.username = '';
  url.password = '';
  const response = await request(url, {
    signal,
    reset: true,
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
    headers: authorization === undefined ? {} : { authorization },
  });
  // a body that is given up half-way reports that as an error of its own
  response.body.on('error', () => undefined);
  if (response.statusCode !== 200) {
    response.body.destroy();
    throw new Error(`The server answered ${response.statusCode}.`);
  }
  const length = response.headers['content-length'];
  const total = typeof length === 'string' ? Number(length) : undefined;
  const hash = createHash('sha256');
  let received = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    received += chunk.length;
    if (received > limit) throw new Error('The file is larger than the space left.');
    hash.update(chunk);
    onProgress({ received, total });
  }
  return { bytes: received, sha256: hash.digest('hex') };
}

/** http or https, with whatever it carries for signing in. */
export function isDownloadUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
