/** The file of a model package: looked at, hashed, and recognised again. */
import { createHash } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { say, type BareDetailId } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';

/** Bytes that are read, checked and sent at once: what fits into the cache of a processor is fastest. */
export const BLOCK = 256 * 1024;

/** Identity of a file: differs from another file under the same path, and from itself before a change. */
interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly changed: bigint;
}

export interface PackageFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Hash in hexadecimal digits. */
  readonly sha256: string;
  readonly identity: FileIdentity;
  /** CRC-32 of each `BLOCK`: what is sent is compared with what was hashed. */
  readonly sums: Uint32Array;
}

interface OpenPackageOptions {
  readonly signal?: AbortSignal;
  /** Bytes hashed so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads a file once, from its beginning to its end. Throws `unreadable-file` for one that is missing, empty, a
 * folder, no plain file or not readable, `changed-meanwhile` where it was written to while it was read, `cancelled`.
 */
export async function openPackage(path: string, options: OpenPackageOptions = {}): Promise<PackageFile> {
  await requirePlainFile(path);
  await using file = await open(path, 'r').catch(unreadable);
  const identity = await readFileIdentity(file);
  const size = Number(identity.size);
  const { sha256, sums } = await hashed(file, size, options);
  if (!isSame(identity, await readFileIdentity(file))) throw changedWhileRead(path);
  return {
    path,
    name: basename(path),
    size,
    sha256,
    identity,
    sums,
  };

  async function hashed(from: FileHandle, total: number, { signal, onProgress }: OpenPackageOptions) {
    const hash = createHash('sha256');
    const sums = new Uint32Array(Math.ceil(total / BLOCK));
    const buffer = Buffer.allocUnsafeSlow(BLOCK);
    for (let index = 0; index < sums.length; index += 1) {
      if (signal?.aborted === true) throw cancelled();
      const length = Math.min(BLOCK, total - index * BLOCK);
      const block = await readBlock(from, buffer, index * BLOCK, length);
      if (block === undefined) throw changedWhileRead(path);
      hash.update(block);
      sums[index] = crc32(block);
      if (index % 64 === 63 || index === sums.length - 1) onProgress?.(index * BLOCK + length, total);
    }
    return { sha256: hash.digest('hex'), sums };
  }
}

/** Fills `length` bytes from `position`; undefined where the file has ended before. */
async function readBlock(
  file: FileHandle,
  buffer: Buffer,
  position: number,
  length: number,
): Promise<Buffer | undefined> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return buffer.subarray(0, length);
}

export async function readFileIdentity(file: FileHandle | string): Promise<FileIdentity> {
  const { dev, ino, size, mtimeNs } =
    typeof file === 'string' ? await stat(file, { bigint: true }) : await file.stat({ bigint: true });
  return { device: dev, inode: ino, size, changed: mtimeNs };
}

export function isSame(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.device === other.device &&
    one.inode === other.inode &&
    one.size === other.size &&
    one.changed === other.changed
  );
}

/** Checks the file before it is opened: opening a pipe would block. */
async function requirePlainFile(path: string): Promise<void> {
  const found = await stat(path).catch(unreadable);
  if (found.isDirectory()) throw wrongFile('serve.file-folder');
  if (!found.isFile()) throw wrongFile('serve.file-special');
  if (found.size === 0) throw wrongFile('serve.file-empty');
}

function unreadable(thrown: unknown): never {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  throw wrongFile(
    code === 'ENOENT' || code === 'ENOTDIR' ? 'serve.file-missing' : 'serve.file-unreadable',
    thrown,
  );
}

function wrongFile(id: BareDetailId, cause?: unknown): FieldwrightError {
  return userError('unreadable-file', say(id), { path: 'file', cause });
}

function changedWhileRead(path: string): FieldwrightError {
  return userError('changed-meanwhile', say('serve.file-changing', { name: basename(path) }), {
    path: 'file',
  });
}

function cancelled(): FieldwrightError {
  return userError('cancelled', say('cancelled'));
}
