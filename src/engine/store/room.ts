/** Free space of the disk that holds the journal: what devices and files make us keep leaves enough of it. */
import { statfsSync } from 'node:fs';
import { say } from '../../shared/details.ts';
import { appError } from '../../shared/errors.ts';

/** Bytes that are left free, or this part of a disk that is small itself. */
const LEFT_FREE = 512 * 1024 * 1024;
const LEFT_PART = 0.05;
const MB = 1024 * 1024;

/**
 * Returns if the disk of a folder has room for `bytes` more, and afterwards for the journal of every job.
 * @throws `not-available` (`disk-low`)
 */
export function requireRoom(folder: string, bytes: number): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const [free, left] = [bavail * bsize, Math.min(LEFT_FREE, blocks * bsize * LEFT_PART)];
  if (free - bytes < left)
    throw appError(
      'not-available',
      say('disk-low', { free: Math.floor(free / MB), left: Math.ceil(left / MB) }),
    );
}
