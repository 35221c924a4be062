/** Free space of the disk that holds the journal: what devices and files make us keep leaves enough of it. */
import { statfsSync } from 'node:fs';
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';

const MB = 1024 * 1024;
/** Bytes that are left free for the journal, or this part of a disk that is small itself. */
const LEFT_FREE = 512 * MB;
const LEFT_PART = 0.05;
/** Bytes that stay free when a write begins, so that its result can be recorded. */
const RESERVE = 4 * MB;
/** Documents of settings are smaller; a larger one counts as what a device makes us keep. */
const SMALL = 256 * 1024;

/**
 * Use of the room. `content`: what devices, files and people bring. `intent`: what is written before a device is written
 * to. `record`: what was done, which is written even to the last byte.
 */
export type RoomUse = 'content' | 'intent' | 'record';

/**
 * Returns if the disk of a folder has room for `bytes` more, and afterwards for the journal.
 * @throws `not-available` (`disk-low`)
 */
export function requireRoom(folder: string, bytes: number, use: RoomUse = 'content'): void {
  const isSmall = bytes <= SMALL;
  if (use === 'record' && isSmall) return;
  const { bavail, blocks, bsize } = statfsSync(folder);
  const ofMany = Math.min(LEFT_FREE, blocks * bsize * LEFT_PART);
  const [free, left] = [bavail * bsize, use === 'intent' && isSmall ? RESERVE : Math.max(RESERVE, ofMany)];
  if (free - bytes < left)
    throw appError(
      'not-available',
      say('disk-low', { free: Math.floor(free / MB), left: Math.ceil(left / MB) }),
    );
}
