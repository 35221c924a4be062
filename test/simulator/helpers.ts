/** A client made by hand: the simulator's tests must not lean on the product's own. */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { startSite, type Site, type SiteOptions } from '#simulator/index.ts';

/**
 * A site that the end of the test closes; without sign-in unless asked for. A hook of this module would only be one of
 * the first file that imports it: a worker loads it once for all of its files.
 */
export async function site(options: SiteOptions = {}): Promise<Site> {
  const started = await startSite({ auth: 'none', ...options });
  onTestFinished(() => started.close());
  return started;
}

export interface Reply {
  readonly http: number;
  readonly text: string;
  readonly headers: Headers;
}

/** `ask(site, 'GET', '/API/…')` on the first device. */
export async function ask(
  from: Site | string,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const base = typeof from === 'string' ? from : (from.devices[0]?.url ?? '');
  const response = await fetch(base + path, { method, headers, ...removeUndefined({ body }) });
  return { http: response.status, text: await response.text(), headers: response.headers };
}

/** Text of the first element with this name. */
export function tag(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(xml)?.[1];
}

export function parsed(reply: Reply): Record<string, never> {
  return JSON.parse(reply.text) as Record<string, never>;
}

export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly algorithm: string;
  readonly stale: boolean;
  readonly header: string;
}

export async function challenge(url: string, path: string): Promise<Challenge> {
  const reply = await ask(url, 'GET', path);
  return readChallenge(reply.headers.get('www-authenticate') ?? '');
}

export function readChallenge(header: string): Challenge {
  const value = (name: string): string => new RegExp(`${name}="?([^",]+)"?`).exec(header)?.[1] ?? '';
  return {
    realm: value('realm'),
    nonce: value('nonce'),
    opaque: value('opaque'),
    algorithm: value('algorithm'),
    stale: value('stale') === 'true',
    header,
  };
}

export interface DigestInput {
  readonly user: string;
  readonly password: string;
  readonly method: string;
  readonly uri: string;
  readonly nc?: string;
  readonly cnonce?: string;
}

/** The formula of RFC 7616, 3.4.1 written out, for qop auth. */
export function digestResponse(asked: Challenge, input: DigestInput): string {
  const hash = (text: string): string =>
    createHash(asked.algorithm === 'SHA-256' ? 'sha256' : 'md5')
      .update(text)
      .digest('hex');
  const first = hash(`${input.user}:${asked.realm}:${input.password}`);
  const second = hash(`${input.method}:${input.uri}`);
  return hash(`${first}:${asked.nonce}:${input.nc ?? '00000001'}:${input.cnonce ?? 'abcdef'}:auth:${second}`);
}

export function digestHeader(asked: Challenge, input: DigestInput): string {
  return (
    `Digest username="${input.user}", realm="${asked.realm}", nonce="${asked.nonce}", uri="${input.uri}", algorithm=${asked.algorithm}, ` +
    `response="${digestResponse(asked, input)}", opaque="${asked.opaque}", qop=auth, nc=${input.nc ?? '00000001'}, cnonce="${input.cnonce ?? 'abcdef'}"`
  );
}

/** Challenge, then the same request signed. */
export async function askDigest(
  url: string,
  user: string,
  password: string,
  method: string,
  path: string,
): Promise<Reply> {
  const asked = await challenge(url, path);
  return ask(url, method, path, undefined, {
    authorization: digestHeader(asked, { user, password, method, uri: path }),
  });
}

/** Sends bytes as they are and collects what comes until the other side closes. */
export function rawExchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(3000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** Asks again until the answer is as wanted; for what a device does in the background. */
export async function until<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const value = await read();
    if (good(value)) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('It never came.');
}
