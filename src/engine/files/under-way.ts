/**
 * Files that are being written, noted in the data folder: a killed process leaves its half file, which may hold people's
 * data, anywhere on the disk. The next start removes it.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isAlive, release, takeOwnership, type Owner } from '../jobs/owner.ts';
import { readJsonOrNothing, RECORD_BOUNDS } from '#shared/read-json.ts';
import { makeFolder, syncFolder } from './folders.ts';

/** Ending of a file that is being written. */
export const PART_SUFFIX = '.part';

interface Note {
  readonly path: string;
  readonly owner: Owner;
}

const folderOf = (dataDir: string): string => join(dataDir, 'under-way');

/**
 * Notes a file before it is begun, on disk; returns what forgets it again. A data folder that cannot be written to is no
 * reason to refuse a file elsewhere: then nothing is noted.
 */
export function noteFile(dataDir: string, path: string): () => void {
  const id = randomUUID();
  const note = join(folderOf(dataDir), `${id}.json`);
  const owner = takeOwnership(id, dataDir);
  const forget = (): void => {
    release(owner, dataDir);
    try {
      rmSync(note, { force: true });
    } catch {
      // The next start finds that there is no such file any more.
    }
  };
  try {
    writeNote(note, { path, owner });
  } catch {
    forget();
  }
  return forget;
}

function writeNote(note: string, content: Note): void {
  makeFolder(dirname(note));
  const handle = openSync(note, 'wx', 0o600);
  try {
    writeFileSync(handle, JSON.stringify(content));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(dirname(note));
}

/** Removes files whose process is gone. One on a disk that is not connected now stays noted. */
export function removeLeftFiles(dataDir: string): void {
  const folder = folderOf(dataDir);
  for (const name of namesIn(folder)) {
    try {
      const note = readNote(join(folder, name));
      if (note !== undefined) {
        if (
          isAlive(note.owner, dataDir) ||
          lstatSync(dirname(note.path), { throwIfNoEntry: false }) === undefined
        )
          continue;
        if (lstatSync(note.path, { throwIfNoEntry: false })?.isFile() === true) rmSync(note.path);
      }
      rmSync(join(folder, name), { force: true });
    } catch {
      // It may be busy now; the next start tries again.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Returns undefined for what is no note: half of one, written when the power was cut. */
function readNote(file: string): Note | undefined {
  if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > RECORD_BOUNDS.bytes) return undefined;
  const { path, owner } = Object(readJsonOrNothing(readFileSync(file, 'utf8'))) as Partial<Note>;
  if (typeof path !== 'string' || !isAbsolute(path) || !path.endsWith(PART_SUFFIX)) return undefined;
  return typeof owner?.process === 'number' ? { path, owner } : undefined;
}
