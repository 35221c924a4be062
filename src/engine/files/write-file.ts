/**
 * The one writer of files that people ask for. A file appears under its name complete and on disk, or not at all; what was
 * there before stays until then. It is readable by its owner alone, and no link is followed.
 */
import { randomBytes } from 'node:crypto';
import { constants, lstatSync, promises, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { requireRoom } from '../store/room.ts';
import { syncFolder, getSystemCode } from './folders.ts';
import { noteFile, PART_SUFFIX } from './under-way.ts';

export interface WriteOptions {
  /** Replaces a file of that name; without it such a file is an error, `EEXIST`. */
  readonly replace: boolean;
  /** Data folder in which the file is noted while it is written; absent if it has none yet. */
  readonly dataDir?: string;
}

export type Write = (content: string | Uint8Array) => Promise<void>;

const MODE = 0o600;
/** Virus scanners and indexers hold a new file for a moment. */
const HELD = new Set(['EBUSY', 'EPERM', 'EACCES']);
const HELD_MS = 2_000;
const LOOK_MS = 100;
const LARGE = 1024 * 1024;

/** Tries all that `writeFile` needs, and leaves nothing behind. @throws a system error */
export async function tryFile(path: string, options: Pick<WriteOptions, 'replace'>): Promise<void> {
  if (isStream(path)) return;
  refuseExisting(path, options);
  // A program such as Excel lets no other program write to a file that is open in it.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
    await (await promises.open(path, constants.O_RDWR)).close();
  const part = partOf(path);
  await (await promises.open(part, 'wx', MODE)).close();
  await promises.rm(part);
}

/**
 * Hands `work` what writes to the file, piece after piece. Nothing stays of it if `work` throws or `keep` returns false.
 * Resolves once the file is on disk under its name. @throws a system error, or what `work` throws
 */
export async function writeFile<T>(
  path: string,
  options: WriteOptions,
  work: (write: Write) => Promise<T>,
  keep: (result: T) => boolean = () => true,
): Promise<T> {
  if (isStream(path)) return writeStream(path, work);
  refuseExisting(path, options);
  const part = partOf(path);
  const forget = options.dataDir === undefined ? undefined : noteFile(options.dataDir, part);
  try {
    const { result, isKept } = await writePart(part, work, { keep, take: roomFor(part, options.dataDir) });
    if (!isKept) return result;
    refuseExisting(path, options);
    await whileHeld(() => promises.rename(part, path));
    syncFolder(dirname(path));
    return result;
  } finally {
    // Gone already once it has its name.
    await promises.rm(part, { force: true }).then(forget, () => undefined);
  }
}

async function writePart<T>(
  part: string,
  work: (write: Write) => Promise<T>,
  { keep, take }: { readonly keep: (result: T) => boolean; readonly take: (bytes: number) => void },
): Promise<{ readonly result: T; readonly isKept: boolean }> {
  const handle = await promises.open(part, 'wx', MODE);
  let failure: { readonly cause: unknown } | undefined;
  try {
    const result = await work(async (content) => {
      try {
        take(content.length);
        await handle.writeFile(content);
      } catch (cause) {
        failure ??= { cause };
        throw cause;
      }
    });
    // Also where `work` took it for the failure of a device and went on.
    if (failure !== undefined) throw failure.cause;
    const isKept = keep(result);
    if (isKept) await handle.sync();
    return { result, isKept };
  } finally {
    await handle.close();
  }
}

/**
 * Returns what refuses a file that leaves no room for the journal, if both are on one disk: devices decide how much people
 * and answers they give. Small files need no more than an intent does.
 */
function roomFor(part: string, dataDir: string | undefined): (bytes: number) => void {
  let written = 0;
  return (bytes) => {
    written += bytes;
    if (dataDir === undefined || statSync(part).dev !== statSync(dataDir).dev) return;
    requireRoom(dataDir, bytes, written < LARGE ? 'intent' : 'content');
  };
}

/** Pipes and devices take what comes, and cannot be replaced. */
async function writeStream<T>(path: string, work: (write: Write) => Promise<T>): Promise<T> {
  const handle = await promises.open(path, 'w');
  try {
    return await work((content) => handle.writeFile(content));
  } finally {
    await handle.close();
  }
}

function isStream(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** A link counts as a file of that name, wherever it leads. */
function refuseExisting(path: string, { replace }: Pick<WriteOptions, 'replace'>): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (found !== undefined && !replace) throw Object.assign(new Error('there already'), { code: 'EEXIST' });
}

/** Removes a file, and resolves once its name is gone from the disk too. One that is gone already is fine. @throws a system error */
export async function removeFile(path: string): Promise<void> {
  await whileHeld(() => promises.rm(path, { force: true }));
  syncFolder(dirname(path));
}

/** Repeats what the system refuses while another program holds the file for a moment. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  for (let waited = 0; ; waited += LOOK_MS) {
    try {
      return await work();
    } catch (error) {
      if (!HELD.has(getSystemCode(error)) || waited >= HELD_MS) throw error;
    }
    await delay(LOOK_MS);
  }
}

function partOf(path: string): string {
  return `${resolve(path)}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`;
}
