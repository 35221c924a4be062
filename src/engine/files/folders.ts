/** Folders whose entries survive a power cut. */
import { closeSync, fchmodSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
    if (!CANNOT.has(getSystemCode(error))) throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Makes a folder for this user alone, with the folders above it, and syncs what was made. Goes up by itself: Node's own
 * `recursive` never ends in a folder that takes none, such as `/proc`. @throws a system error
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(resolve(folder));
  // A drive has nothing above it.
  if (above !== resolve(folder)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
  syncFolder(above);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
export function getSystemCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}
