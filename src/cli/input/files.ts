/** Files and standard input, bounded, with errors that name the file. */
import { randomBytes } from 'node:crypto';
// Not `node:fs/promises`: it takes milliseconds to load, and a command that only reads does without.
import {
  accessSync,
  constants,
  createReadStream,
  existsSync,
  promises,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { decodeText } from '../../engine/template/text.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError, userError } from '../../shared/errors.ts';
import { decodeFile } from '../../shared/text/file-text.ts';
import type { Invocation } from '../invocation.ts';
import type { Io } from '../io.ts';
import { usageError } from '../usage.ts';

const MAX_BYTES = 64 * 1024 * 1024;

function unreadable(file: string, cause: unknown): FieldwrightError {
  const code = (cause as { code?: string } | null)?.code;
  const why =
    code === 'ENOENT'
      ? say('cli.no-file')
      : code === 'EISDIR'
        ? say('cli.is-folder')
        : code === 'EACCES' || code === 'EPERM'
          ? say('cli.no-permission')
          : say('cli.unreadable');
  return userError('unreadable-file', why, { file, cause });
}

/** Bytes of a file; `-` is standard input. */
export async function readBytes(io: Io, file: string): Promise<Uint8Array> {
  if (file === '-') {
    if (io.stdin.readableEnded) throw usageError(say('cli.stdin-twice'));
    return readStream(io.stdin, file);
  }
  try {
    const found = statSync(file);
    if (found.size > MAX_BYTES) throw tooLarge(file);
    // Pipes and devices tell no size; streams of files load what `node:fs/promises` is.
    if (found.isFile() && found.size > 0) return readFileSync(file);
    return await readStream(createReadStream(file), file);
  } catch (cause) {
    if (cause instanceof FieldwrightError) throw cause;
    throw unreadable(file, cause);
  }
}

/** Text of a document: UTF-8 or UTF-16, nothing else. */
export async function readText(io: Io, file: string): Promise<string> {
  return decodeText(await readBytes(io, file), { maxBytes: MAX_BYTES, file });
}

/** Text of a list that may come from an old spreadsheet, in the old set of characters of the person's language. */
export async function readTableText({ io, out, globals }: Invocation, file: string): Promise<string> {
  const bytes = await readBytes(io, file);
  const unicode = decodeFile(bytes);
  if (!unicode.guessed) return unicode.text;
  const { language } = new Intl.Locale(globals.lang ?? Intl.DateTimeFormat().resolvedOptions().locale);
  const codePage = language === 'zh' ? 'gb18030' : 'windows-1252';
  out.note(out.say('cli.not-unicode', { file, codePage }));
  return decodeFile(bytes, codePage).text;
}

async function readStream(stream: Readable, file: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array);
    size += bytes.length;
    if (size > MAX_BYTES) throw tooLarge(file);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function tooLarge(file: string): FieldwrightError {
  return userError('input-too-large', say('cli.file-too-large', { size: MAX_BYTES / 1024 / 1024 }), { file });
}

/** Writes a result file; readable by the person alone. */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await promises.writeFile(file, text, { mode: 0o600 });
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** Options of a command that has `--force`; a command that has none passes nothing. */
interface Replacing {
  readonly force?: boolean;
}

/**
 * Refuses a file that is there already, or a folder where none can be made, before any work is done;
 * `writeNew` refuses again when it writes. Throws `usage` or `unreadable-file`.
 */
export function refuseExisting(file: string, replacing?: Replacing): void {
  if (replacing?.force !== true && existsSync(file)) throw alreadyThere(file, replacing);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** Writes a file that must not be there yet, unless it may be replaced. */
export async function writeNew(
  file: string,
  text: string | Uint8Array,
  replacing?: Replacing,
): Promise<void> {
  try {
    await promises.writeFile(file, text, { flag: replacing?.force === true ? 'w' : 'wx' });
  } catch (cause) {
    if ((cause as { code?: string } | null)?.code === 'EEXIST') throw alreadyThere(file, replacing, cause);
    throw unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): FieldwrightError {
  return userError('unreadable-file', say('cli.unwritable'), { file, cause });
}

function alreadyThere(file: string, replacing?: Replacing, cause?: unknown): FieldwrightError {
  return userError('usage', say(replacing === undefined ? 'cli.file-there' : 'cli.file-there-force'), {
    file,
    cause,
  });
}

/** Writes bytes as they come into a file that must not be there yet, unless it may be replaced; what was begun and not ended is taken away. */
export async function writeNewParts(
  file: string,
  parts: AsyncIterable<Uint8Array>,
  replacing: Replacing,
): Promise<void> {
  // Beside it first: whoever stops half-way keeps the file that was there.
  const begun = partOf(file);
  try {
    const handle = await promises.open(begun, 'wx', 0o644);
    try {
      for await (const part of parts) await handle.write(part);
    } finally {
      await handle.close();
    }
    if (replacing.force !== true && existsSync(file)) throw alreadyThere(file, replacing);
    await promises.rename(begun, file);
  } catch (cause) {
    await promises.rm(begun, { force: true });
    throw cause instanceof FieldwrightError ? cause : unwritable(file, cause);
  }
}

/**
 * Hands `work` what writes to the file, piece after piece; readable by the person alone. What stood there stays until all
 * is written, and where `work` throws or `keep` says no. Throws `unreadable-file`.
 */
export async function writeThrough<T>(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
  keep: (result: T) => boolean = () => true,
): Promise<T> {
  // Pipes and devices cannot be put in place of anything.
  const isPlain = await promises.stat(file).then(
    (found) => found.isFile(),
    () => true,
  );
  const part = isPlain ? partOf(file) : file;
  let isKept = false;
  try {
    const handle = await promises.open(part, isPlain ? 'wx' : 'w', 0o600);
    try {
      const result = await work((text) => handle.writeFile(text));
      isKept = keep(result);
      if (isKept && isPlain) {
        await handle.sync();
        await promises.rename(part, file);
      }
      return result;
    } finally {
      await handle.close();
      if (isPlain && !isKept) await promises.rm(part, { force: true });
    }
  } catch (cause) {
    throw cause instanceof FieldwrightError ? cause : unwritable(file, cause);
  }
}

function partOf(file: string): string {
  return `${file}.${randomBytes(4).toString('hex')}.part`;
}

/** Writes pieces as they come, so that a long file needs little memory; readable by the person alone. */
export function writeParts(file: string, parts: Iterable<string>): Promise<void> {
  return writeThrough(file, async (write) => {
    for (const part of parts) await write(part);
  });
}
