/** The file is not what was hashed any more, or cannot be read. */
import type { FileHandle } from 'node:fs/promises';
import { readFileIdentity, isSame, type PackageFile } from './package-file.ts';
import type { OfferEnd } from './types.ts';

export class FileTrouble extends Error {
  readonly end: OfferEnd;

  constructor(end: OfferEnd, options?: { readonly cause?: unknown }) {
    super(end, options);
    this.end = end;
  }
}

export function throwUnreadableFile(cause: unknown): never {
  throw new FileTrouble('file-unreadable', { cause });
}

/** Throws FileTrouble where the path or the open file is another one than was hashed. */
export async function requireUnchanged(file: PackageFile, handle: FileHandle): Promise<void> {
  const [opened, named] = await Promise.all([readFileIdentity(handle), readFileIdentity(file.path)]).catch(
    throwUnreadableFile,
  );
  if (!isSame(opened, file.identity) || !isSame(named, file.identity)) throw new FileTrouble('file-changed');
}
