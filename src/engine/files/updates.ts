/**
 * Looks for a newer version where the policy of an organisation says: one small file is read, nothing else. Nothing is
 * downloaded or installed, and without an address in the policy nothing is looked at.
 */
import { open } from 'node:fs/promises';
import { request } from 'node:https';
import { getCACertificates } from 'node:tls';
import { z } from 'zod';
import { createDetail } from '#shared/details.ts';
import type { Release, UpdateCheck } from '#shared/model.ts';
import { readJson } from '#shared/read-json.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import { getPolicy, isHttpsAddress, type Policy } from './policy.ts';

const BOUNDS = { bytes: 64 * 1024, depth: 8, nodes: 500 } as const;
const TIMEOUT_MS = 10_000;
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\dA-Za-z.-]{1,40})?$/;

/** Further members may come with later versions of the program. */
const releaseSchema = z.object({
  version: z.string().regex(VERSION),
  date: z.iso.date(),
  notes: z
    .string()
    .max(4000)
    .default('')
    .transform((notes) => replaceUnseen(notes, (mark) => (mark === '\n' ? mark : ' '))),
  address: z
    .string()
    .max(1000)
    .refine(isHttpsAddress)
    .transform((address) => new URL(address).href),
  sha256: z.string().regex(/^[\da-f]{64}$/i),
});

/** Reads the announcement, in at most ten seconds. An address that cannot be reached is no fault. */
export async function checkForUpdate(
  version: string,
  signal?: AbortSignal,
  { updates, minimumTls }: Policy = getPolicy(),
): Promise<UpdateCheck> {
  if (updates === undefined) return { state: 'off', says: createDetail('updates-off') };
  const address = updates;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const bytes = await (
    address.startsWith('https:')
      ? fetchBytes(address, { minimumTls, signal: ended })
      : readBytes(address, ended)
  ).catch(() => undefined);
  if (bytes === undefined)
    return { state: 'unreachable', says: createDetail('updates-unreachable', { address }) };
  const release = parseRelease(bytes);
  if (release === undefined)
    return { state: 'unreadable', says: createDetail('updates-unreadable', { address }) };
  if (!isNewer(release.version, version))
    return { state: 'newest', says: createDetail('updates-newest', { address }), release };
  const { version: newer, date, address: from } = release;
  return {
    state: 'newer',
    says: createDetail('updates-newer', { version: newer, date, from, address }),
    release,
  };
}

/** Returns undefined for bytes that are no announcement. */
function parseRelease(bytes: Buffer): Release | undefined {
  try {
    return releaseSchema.parse(readJson(bytes.toString('utf8').replace(/^\uFEFF/, ''), BOUNDS));
  } catch {
    return undefined;
  }
}

/** Compares numbers; of two versions with the same ones, a trial version (`1.2.0-rc.1`) is the older. */
function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => version.replace(/-.*$/, '').split('.').map(Number));
  const at = left?.findIndex((number, nth) => number !== right?.[nth]) ?? -1;
  if (at >= 0) return (left?.[at] ?? 0) > (right?.[at] ?? 0);
  return other.includes('-') && !one.includes('-');
}

/**
 * Fetches the file. Redirects are not followed, no proxy is used, and the certificate must be one that this computer trusts.
 * More bytes than an announcement may have are cut, so that it cannot be read.
 */
function fetchBytes(
  address: string,
  { minimumTls, signal }: Pick<Policy, 'minimumTls'> & { readonly signal: AbortSignal },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      address,
      {
        agent: false,
        signal,
        maxHeaderSize: 16 * 1024,
        headers: { accept: 'application/json', connection: 'close' },
        // An organisation signs its own servers: its authority is known to the system, not to Node.
        ca: [...getCACertificates('default'), ...getCACertificates('system')],
        ...(minimumTls && { minVersion: `TLSv${minimumTls}` as const }),
      },
      (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        const end = (): void => {
          resolve(response.statusCode === 200 ? Buffer.concat(parts) : Buffer.alloc(0));
          sent.destroy();
        };
        response.on('data', (part: Buffer) => {
          parts.push(part);
          size += part.length;
          if (size > BOUNDS.bytes) end();
        });
        response.on('end', end);
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Reads a file of this computer or of a share, which may keep its reader waiting while it is away. */
async function readBytes(path: string, signal: AbortSignal): Promise<Buffer> {
  const read = async (): Promise<Buffer> => {
    const file = await open(path, 'r');
    try {
      if (!(await file.stat()).isFile()) throw new Error('not a file');
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BOUNDS.bytes + 1));
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };
  const given = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => given.reject(new Error('took too long')), { once: true });
  return Promise.race([read(), given.promise]);
}
