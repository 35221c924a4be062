/**
 * Reading a file to send it. What is sent is compared with what was hashed: on its way, as far as that slows no fast network down, and the rest
 * right after it. What a device fetched is called the file alone when all of it was compared.
 */
import { read } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { FileTrouble, requireUnchanged, throwUnreadableFile } from './file-trouble.ts';
import { BLOCK, type PackageFile } from './package-file.ts';

/** Rate of a gigabit network; comparing then takes a fiftieth of a processor. */
const BYTES_A_MS = 128 * 1024;
const LARGEST_CREDIT = 64 * 1024 * 1024;

/** How much may be compared on its way. */
export class CheckBudget {
  #credit = LARGEST_CREDIT;
  #at = performance.now();

  allows(bytes: number): boolean {
    const now = performance.now();
    this.#credit = Math.min(LARGEST_CREDIT, this.#credit + (now - this.#at) * BYTES_A_MS);
    this.#at = now;
    if (this.#credit < bytes) return false;
    this.#credit -= bytes;
    return true;
  }
}

/** Compared blocks by file, marked with 1. */
const compared = new WeakMap<PackageFile, Uint8Array>();
const comparing = new WeakMap<PackageFile, Promise<void>>();

/**
 * Reads `count` blocks, or as many as there are, and compares each with what was hashed, as far as the budget goes. Throws
 * FileTrouble where one is not the same, or cannot be read.
 */
export async function readBlocks(
  file: PackageFile,
  {
    fd,
    first,
    count,
    buffer,
    budget,
  }: {
    readonly fd: number;
    readonly first: number;
    readonly count: number;
    readonly buffer: Buffer;
    readonly budget?: CheckBudget;
  },
): Promise<Buffer> {
  const position = first * BLOCK;
  const length = Math.min(count * BLOCK, file.size - position);
  for (let filled = 0; filled < length;) {
    const bytes = await readInto(fd, buffer, {
      from: filled,
      length: length - filled,
      position: position + filled,
    });
    if (bytes === 0) throw new FileTrouble('file-changed');
    filled += bytes;
  }
  for (let at = 0; at * BLOCK < length; at += 1) {
    const block = buffer.subarray(at * BLOCK, Math.min(length, (at + 1) * BLOCK));
    if (budget === undefined || budget.allows(block.length)) compare(file, first + at, block);
  }
  return buffer.subarray(0, length);
}

function readInto(
  fd: number,
  buffer: Buffer,
  { from, length, position }: { readonly from: number; readonly length: number; readonly position: number },
): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    read(fd, buffer, from, length, position, (error, bytes) => {
      if (error === null) resolve(bytes);
      else reject(error);
    });
  }).catch(throwUnreadableFile);
}

/** Throws FileTrouble where the block is not what was hashed. */
function compare(file: PackageFile, index: number, block: Buffer): void {
  if (crc32(block) !== file.sums[index]) throw new FileTrouble('file-changed');
  marksOf(file)[index] = 1;
}

/** Reads what was sent without being compared, of all devices together once. Throws FileTrouble. */
export function compareRest(file: PackageFile): Promise<void> {
  const known = comparing.get(file);
  if (known !== undefined) return known;
  const work = readRest(file).finally(() => comparing.delete(file));
  comparing.set(file, work);
  return work;
}

async function readRest(file: PackageFile): Promise<void> {
  const marks = marksOf(file);
  if (!marks.includes(0)) return;
  await using handle = await open(file.path).catch(throwUnreadableFile);
  await requireUnchanged(file, handle);
  const buffer = Buffer.allocUnsafeSlow(BLOCK);
  for (const [first, mark] of marks.entries())
    if (mark === 0) await readBlocks(file, { fd: handle.fd, first, count: 1, buffer });
  await requireUnchanged(file, handle);
}

function marksOf(file: PackageFile): Uint8Array {
  const known = compared.get(file);
  if (known !== undefined) return known;
  const made = new Uint8Array(file.sums.length);
  compared.set(file, made);
  return made;
}
