/** Folders whose entries survive a power cut. */
import { closeSync, fchmodSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Errors of systems and file systems that cannot sync a folder; NTFS keeps names in its own journal. */
const CANNOT = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EPERM', 'EISDIR']);

/**
 * Brings the names in a folder to disk: a new or renamed file is not safe before this. On macOS Node's `fsync` is
 * `F_FULLFSYNC`. @throws a system error
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch (error) {
    if (!CANNOT.has(systemCode(error))) throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Makes a folder for this user alone, with the folders above it, and syncs what was made. @throws a system error */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

/** Brings a file to disk that another program wrote, Chromium for example, and keeps it for this user alone. @throws a system error */
export function keepFile(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    if (process.platform !== 'win32') fchmodSync(handle, 0o600);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(dirname(path));
}

/** Returns the code of a system error; empty for anything else. */
export function systemCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}
