/** The address of a file: where it is served, how it is written, who may ask for it. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6, SocketAddress } from 'node:net';
import { say } from '#shared/details.ts';
import { deviceError } from '#shared/errors.ts';
import { findMappedIPv4, parseAddress } from '#engine/device/transport/address.ts';
import { createCancelledError, toTransportError } from '#engine/device/transport/transport-errors.ts';

const LONGEST_NAME = 64;
const CONNECT_MS = 5_000;

/** 128 bits. */
export function createToken(): string {
  return randomBytes(16).toString('base64url');
}

export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}

/**
 * The last segment of the address. Devices look at it, some keep it as a file name: plain letters, short, and
 * ending as the file does.
 */
export function makePlainName(name: string): string {
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  const plain = name
    .slice(0, name.length - extension.length)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, LONGEST_NAME - extension.length);
  return `${plain === '' ? 'model' : plain}${extension}`;
}

export function buildFilePath(token: string, name: string): string {
  return `/${token}/${makePlainName(name)}`;
}

/** `path` as in `buildFilePath`. */
export function buildFileUrl(address: string, port: number, path: string): string {
  const host = isIPv6(address) ? `[${address}]` : address;
  return `http://${host}:${port}${path}`;
}

/** The path of a request without its query, also where the whole address was sent; undefined where there is none. */
export function parseRequestPath(target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path.split(/[?#]/, 1)[0] : undefined;
}

/** One spelling for one address: IPv4 in IPv6 as IPv4, without zone. */
export function normaliseAddress(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%', 1);
  return (
    findMappedIPv4(bare) ??
    (isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : bare)
  );
}

export interface Route {
  /** Own address on the way to the device. */
  readonly local: string;
  /** The device's address, of however it is named. */
  readonly peer: string;
  /** Interface of a link-local address, in the form that `listen` takes. */
  readonly zone: string | undefined;
  /** The device took the connection. */
  readonly reached: boolean;
}

/**
 * The way to a device as the system takes it: with several network cards only a connection shows it. A device that
 * is away at the moment has a way too. Throws `unreachable`, `cancelled` where there is none.
 */
export async function routeTo(
  url: string,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Route> {
  const { host, port } = parseAddress(url);
  const zone = host.split('%')[1];
  try {
    return { ...(await overTcp(host, port, options)), zone, reached: true };
  } catch (error) {
    if (options.signal?.aborted === true) throw createCancelledError(false);
    try {
      return { ...(await overUdp(host, port)), zone, reached: false };
    } catch {
      throw toTransportError(error, false).with({ device: url });
    }
  }
}

type Ends = Pick<Route, 'local' | 'peer'>;

function overTcp(
  host: string,
  port: number,
  { signal, timeoutMs = CONNECT_MS }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
): Promise<Ends> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(createCancelledError(false));
    const socket = connect({ host, port, timeout: timeoutMs });
    const leave = () => socket.destroy(createCancelledError(false));
    signal?.addEventListener('abort', leave, { once: true });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
    socket.once('close', () => {
      signal?.removeEventListener('abort', leave);
      reject(createCancelledError(false));
    });
    socket.once('connect', () => {
      try {
        resolve(ends(socket.localAddress, socket.remoteAddress));
      } catch (error) {
        // The device has closed it already: Windows no longer knows its ends.
        reject(error as Error);
      }
      socket.destroy();
    });
  });
}

/** A connected datagram socket asks the system for the way; nothing is sent. */
function overUdp(host: string, port: number): Promise<Ends> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host.split('%')[0] ?? '') ? 'udp6' : 'udp4');
    const failed = (error: Error): void => {
      socket.close();
      reject(error);
    };
    socket.once('error', failed);
    socket.connect(port, host, (error?: Error) => {
      if (error !== undefined && error !== null) return failed(error);
      const found = ends(socket.address().address, socket.remoteAddress().address);
      socket.close();
      resolve(found);
    });
  });
}

function ends(local: string | undefined, peer: string | undefined): Ends {
  if (local === undefined || peer === undefined) throw deviceError('unreachable', say('device.no-way'));
  return { local: normaliseAddress(local), peer: normaliseAddress(peer) };
}
