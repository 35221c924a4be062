/** Files into the window, bounded before they are read. */
import type { ErrorShape } from '#shared/errors.ts';
import { toBase64 } from './send-file.ts';
import { sniffEncoding } from '#shared/text/file-encoding.ts';

type OpenedFile<T> =
  | { readonly ok: true; readonly name: string; readonly content: T }
  | { readonly ok: false; readonly error: ErrorShape };

function tooLarge(file: File, limit: number): ErrorShape {
  return {
    code: 'input-too-large',
    source: 'user',
    message: `${file.name} has ${file.size} bytes; at most ${limit} are read.`,
    file: file.name,
  };
}
function unreadable(file: File, message: string): ErrorShape {
  return { code: 'unreadable-file', source: 'user', message, file: file.name };
}

/** The text of a file of at most `limit` bytes: UTF-8 or UTF-16, with or without a byte order mark. */
export async function openTextFile(file: File, limit: number): Promise<OpenedFile<string>> {
  if (file.size > limit) return { ok: false, error: tooLarge(file, limit) };
  try {
    return { ok: true, name: file.name, content: decoded(new Uint8Array(await file.arrayBuffer())) };
  } catch {
    return { ok: false, error: unreadable(file, `${file.name} is not UTF-8 or UTF-16 text.`) };
  }
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder(sniffEncoding(bytes), { fatal: true }).decode(bytes);
}

/** The bytes as base64, for files whose encoding the engine finds out. */
export async function openFileBytes(file: File, limit: number): Promise<OpenedFile<string>> {
  if (file.size > limit) return { ok: false, error: tooLarge(file, limit) };
  try {
    return { ok: true, name: file.name, content: toBase64(new Uint8Array(await file.arrayBuffer())) };
  } catch {
    return { ok: false, error: unreadable(file, `${file.name} cannot be read.`) };
  }
}
