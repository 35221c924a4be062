/** Files and standard input, bounded, with errors that name the file. */
import { constants, createReadStream, openSync, readFileSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { decodeText } from '#engine/template/text.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { getCodePage, matchLanguage } from '#shared/details/languages.ts';
import { decodeFile, type CodePage } from '#shared/text/file-text.ts';
import type { Invocation } from '../invocation.ts';
import type { Io } from '../io.ts';
import { createUsageError } from '../usage.ts';

const MAX_BYTES = 64 * 1024 * 1024;

export function createUnreadableError(file: string, cause: unknown): FieldwrightError {
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
    if (io.stdin.readableEnded) throw createUsageError(say('cli.stdin-twice'));
    return readStream(io, io.stdin, file);
  }
  try {
    const found = statSync(file);
    if (found.size > MAX_BYTES) throw tooLarge(file);
    // Pipes and devices tell no size; streams of files load what `node:fs/promises` is.
    if (found.isFile() && found.size > 0) return readFileSync(file);
    return await readStream(io, openStream(file), file);
  } catch (cause) {
    if (cause instanceof FieldwrightError) throw cause;
    throw createUnreadableError(file, cause);
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
  const codePage = getCodePageOf(globals.lang);
  out.note(out.say('cli.not-unicode', { file, codePage }));
  return decodeFile(bytes, codePage).text;
}

/** Returns the old encoding of files in the language of the command line, else of the computer. */
export function getCodePageOf(lang = Intl.DateTimeFormat().resolvedOptions().locale): CodePage {
  return getCodePage(matchLanguage(lang));
}

/**
 * Opens a file for reading. A thread that waits for the other end of a pipe can be stopped by nothing, so that even a process
 * that exits would wait: on Linux a pipe is opened without waiting.
 */
export function openStream(file: string): Readable {
  if (process.platform !== 'linux' || statSync(file, { throwIfNoEntry: false })?.isFIFO() !== true)
    return createReadStream(file);
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** Reads a stream to its end, or to the first signal. @throws `cancelled`, `input-too-large` */
async function readStream(io: Io, stream: Readable, file: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stop = io.onSignal(() => void stream.destroy(userError('cancelled', say('cli.interrupted'))));
  try {
    for await (const part of stream) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array);
      size += bytes.length;
      if (size > MAX_BYTES) throw tooLarge(file);
      parts.push(bytes);
    }
  } finally {
    stop();
  }
  return Buffer.concat(parts);
}

function tooLarge(file: string): FieldwrightError {
  return userError('input-too-large', say('cli.file-too-large', { size: MAX_BYTES / 1024 / 1024 }), { file });
}
