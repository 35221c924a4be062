/** Fetching a file for the device: counted and hashed, never kept. What has come outlives the connection it came over. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { removeUndefined } from '#shared/remove-undefined.ts';

const IDLE_MS = 30_000;
/** Attempts in a row without a single byte. */
const TRIES = 20;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Received part of a file. */
export class Received {
  bytes = 0;
  /** Size of the file; undefined if the server does not give it. */
  total: number | undefined;
  /** A strong one, of the answer that it came with: it goes on only with the same file. */
  etag: string | undefined;
  /** The first byte is stored wrong. */
  damaged = false;
  #hash = createHash('sha256');

  add(chunk: Uint8Array): void {
    const stored = this.damaged && this.bytes === 0 ? flipped(chunk) : chunk;
    this.#hash.update(stored);
    this.bytes += chunk.length;
  }

  /** SHA-256 of the stored bytes, in hexadecimal digits. */
  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  startOver(): void {
    this.bytes = 0;
    this.total = undefined;
    this.etag = undefined;
    this.#hash = createHash('sha256');
  }
}

function flipped([first = 0, ...rest]: Uint8Array): Uint8Array {
  return Uint8Array.from([first ^ 1, ...rest]);
}

/** Error of a download that is not tried again. */
export class DownloadFailed extends Error {}

interface DownloadOptions {
  /** Bytes of room. */
  readonly limit: number;
  /** Bytes a second. */
  readonly rate: number | undefined;
  /** Address to call from; undefined: as the system sees fit. */
  readonly from: string | undefined;
  /** Called after each piece; `drop` cuts the connection, which is tried again. May throw DownloadFailed. */
  readonly onProgress: () => 'drop' | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the address to its end, over as many connections as it takes: each goes on where the last one ended
 * (`Range`, with `If-Range`), and begins anew where the server has another file or no ranges. http and https, no
 * redirects; a user and password inside the address are used for Basic (part 1, 2.3: any authentication is part of
 * the URL). Throws where the server refuses, where it is not reached for a while, where there is no room.
 */
export async function download(address: string, into: Received, options: DownloadOptions): Promise<void> {
  const agent = new Agent({
    allowH2: false,
    ...(options.from === undefined ? {} : { localAddress: options.from }),
  });
  try {
    for (let tries = 0; ; tries += 1) {
      const before = into.bytes;
      try {
        return await attempt(address, into, agent, options);
      } catch (error) {
        if (into.bytes !== before) tries = 0;
        if (error instanceof DownloadFailed || options.signal.aborted || tries >= TRIES) throw error;
      }
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
      await delay(pause, undefined, { signal: options.signal });
    }
  } finally {
    await agent.destroy();
  }
}

async function attempt(
  address: string,
  into: Received,
  dispatcher: Agent,
  { limit, rate, signal, onProgress }: DownloadOptions,
): Promise<void> {
  const url = new URL(address);
  const authorization =
    url.username === ''
      ? undefined
      : `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  url.username = '';
  url.password = '';
  if (into.etag === undefined) into.startOver();
  const response = await request(url, {
    dispatcher,
    signal,
    reset: true,
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
    headers: {
      ...removeUndefined({ authorization }),
      ...(into.etag === undefined || into.bytes === 0
        ? {}
        : { range: `bytes=${into.bytes}-`, 'if-range': into.etag }),
    },
  });
  // A body that is abandoned half-way reports that as an error of its own.
  response.body.on('error', () => undefined);
  try {
    takeHead(response, into);
    const pace = new Pace(rate);
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      if (into.bytes + chunk.length > limit) throw new DownloadFailed('There is no room left.');
      into.add(chunk);
      if (onProgress() === 'drop') throw new Error('dropped');
      await pace.wait(chunk.length, signal);
    }
    if (into.total !== undefined && into.bytes < into.total) throw new Error('The file broke off.');
  } finally {
    response.body.destroy();
  }
}

/** Throws where nothing follows that could be added. */
function takeHead(
  {
    statusCode,
    headers,
  }: { statusCode: number; headers: Readonly<Record<string, string | string[] | undefined>> },
  into: Received,
): void {
  const length =
    typeof headers['content-length'] === 'string' ? Number(headers['content-length']) : undefined;
  if (statusCode === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
    if (Number(start) === into.bytes && Number(total) === into.total) return;
    into.startOver();
    throw new Error('Another part came than was asked for.');
  }
  into.startOver();
  if (statusCode >= 500 || statusCode === 416) throw new Error(`The server answered ${statusCode}.`);
  if (statusCode !== 200) throw new DownloadFailed(`The server answered ${statusCode}.`);
  const { etag } = headers;
  into.total = length;
  into.etag = typeof etag === 'string' && etag.startsWith('"') ? etag : undefined;
}

/** Holds a rate by waiting after each piece. */
export class Pace {
  readonly #rate: number | undefined;
  readonly #started = performance.now();
  #bytes = 0;

  /** Bytes a second. */
  constructor(rate: number | undefined) {
    this.#rate = rate;
  }

  async wait(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#rate === undefined) return;
    this.#bytes += bytes;
    const ahead = (this.#bytes / this.#rate) * 1000 - (performance.now() - this.#started);
    if (ahead > 1) await delay(ahead, undefined, { signal });
  }
}

/** Returns true for http or https, with or without data for signing in. */
export function isDownloadUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * Returns another address of this computer than the one a call to this one comes from; undefined if there is
 * none.
 */
export function findOtherAddress(address: string): string | undefined {
  const { hostname } = new URL(address);
  return /^127\.|^localhost$/.test(hostname) ? '127.0.0.2' : undefined;
}
