/** Files that commands write: tried before any work is done, with errors that name the file. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getSystemCode, makeFolder } from '#engine/files/folders.ts';
import { removeFile, tryFile, writeFile, type Write } from '#engine/files/write-file.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { findWindowsTrap } from '#shared/text/file-name.ts';
import type { Invocation } from '../invocation.ts';
import { resolveDataDir } from '../data-dir.ts';

export interface OutputFile {
  /** @throws `unreadable-file` if the file cannot be written, `usage` if one of that name has appeared meanwhile */
  write(content: string | Uint8Array): Promise<void>;
  /** Writes pieces as they come, so that a long file needs little memory. @throws as `write`, and what the pieces throw */
  writeParts(parts: Iterable<string> | AsyncIterable<Uint8Array>): Promise<void>;
  /** Hands `work` what writes; what was there stays if `work` throws or `keep` returns false. @throws as `writeParts` */
  writeThrough<T>(work: (write: Write) => Promise<T>, keep?: (result: T) => boolean): Promise<T>;
}

interface OutputOptions {
  /** True replaces a file of that name. Absent: the command has no `--force`. */
  readonly force?: boolean | undefined;
  /** True makes the folder of the file where there is none. */
  readonly makesFolder?: boolean;
}

/** Returns standard output for `-`, else the file like `openOutputFile`. */
export async function openOutput(
  invocation: Invocation,
  file: string,
  options?: OutputOptions,
): Promise<OutputFile> {
  if (file !== '-') return openOutputFile(invocation, file, options);
  const { out } = invocation;
  return toOutputFile((work) =>
    // A slow reader is waited for, so that nothing piles up in memory.
    work((content) => {
      out.raw(content);
      return out.flush();
    }),
  );
}

/**
 * Returns the file once it is certain that it can be written, so that no device is asked for nothing; undefined where none
 * is asked for.
 * @throws `usage` if a file of that name is there and may not be replaced, `unreadable-file`
 */
export async function openOutputFile<File extends string | undefined>(
  invocation: Invocation,
  file: File,
  options: OutputOptions = {},
): Promise<OutputFile | Extract<File, undefined>> {
  return file === undefined ? (undefined as Extract<File, undefined>) : openFile(invocation, file, options);
}

async function openFile(
  { io, globals }: Invocation,
  file: string,
  options: OutputOptions,
): Promise<OutputFile> {
  const trap = io.platform === 'win32' ? findWindowsTrap(file) : undefined;
  if (trap !== undefined) throw userError('usage', say('cli.windows-name', { name: trap }), { file });
  const replace = options.force === true;
  const folder = resolveDataDir(io, globals);
  await explainErrors(file, options, () => {
    if (options.makesFolder === true) makeFolder(dirname(file));
    return tryFile(file, { replace });
  });
  return toOutputFile((work, keep) =>
    explainErrors(file, options, () =>
      writeFile(file, { replace, ...(existsSync(folder) ? { dataDir: folder } : {}) }, work, keep),
    ),
  );
}

/** Removes a file that a command wrote earlier. @throws `unreadable-file` if it cannot be removed */
export function removeOutputFile(file: string): Promise<void> {
  return explainErrors(file, { force: true }, () => removeFile(file));
}

/** Does the work, and names the file in a system error. */
async function explainErrors<T>(file: string, options: OutputOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof FieldwrightError ? cause : fileError(file, options, cause);
  }
}

function toOutputFile(writeThrough: OutputFile['writeThrough']): OutputFile {
  return {
    writeThrough,
    write: (content) => writeThrough((write) => write(content)),
    writeParts: (parts) =>
      writeThrough(async (write) => {
        for await (const part of parts) await write(part);
      }),
  };
}

function fileError(file: string, options: OutputOptions, cause: unknown): FieldwrightError {
  const code = getSystemCode(cause);
  if (code === 'EEXIST') {
    // A file may be replaced, so this is one where a folder has to be made.
    if (options.force === true) return userError('unreadable-file', say('cli.no-folder'), { file, cause });
    const words = say(options.force === undefined ? 'cli.file-there' : 'cli.file-there-force');
    return userError('usage', words, { file, cause });
  }
  return userError('unreadable-file', say(reasonOf(file, code)), { file, cause });
}

function reasonOf(file: string, code: string) {
  switch (code) {
    case 'EBUSY':
    case 'ETXTBSY':
      return 'cli.file-in-use';
    case 'EACCES':
    case 'EPERM':
      // Windows says so of a file that another program has open.
      return process.platform === 'win32' && isFile(file) ? 'cli.file-in-use' : 'cli.may-not-write';
    case 'EROFS':
      return 'cli.may-not-write';
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return 'cli.no-room';
    case 'EISDIR':
      return 'cli.is-folder';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'cli.no-folder';
    default:
      return 'cli.unwritable';
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
