/**
 * Files that the person opens with the app: a double click, *Open with*, or a drop on its icon. The path comes from the
 * system, never from the page.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { formatSomeNames, say } from '#shared/details.ts';
import type { DesktopEvent } from '#shared/desktop-events.ts';
import { FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import { findFileKind, LARGEST_OPENED, recogniseKind } from '#shared/file-types.ts';

/** Returns the files among the arguments of a start. Switches and the program's own paths have no ending of such a file. */
export function findFiles(args: readonly string[], folder: string): readonly string[] {
  return args
    .filter((arg) => !arg.startsWith('-') && findFileKind(arg) !== undefined)
    .map((arg) => resolve(folder, arg));
}

/** Returns what says that further files were not opened: one screen shows one file. */
export function refuseFurther(paths: readonly string[]): DesktopEvent {
  const names = formatSomeNames(paths.map((path) => basename(path)));
  return {
    type: 'file-refused',
    error: { code: 'not-allowed', source: 'user', ...say('open.further', { names }) },
  };
}

/** Reads a file for the page; a file that cannot be read, or shown, becomes an event that says so. */
export function readForPage(path: string): DesktopEvent {
  const name = basename(path);
  try {
    const kind = findFileKind(path);
    if (kind === undefined) throw userError('unreadable-file', say('open.unknown', { name }), { file: name });
    const bytes = readBounded(path, name);
    return {
      type: 'file',
      kind: recogniseKind(kind, name, bytes.toString('utf8')),
      name,
      base64: bytes.toString('base64'),
    };
  } catch (error) {
    const refused: ErrorShape =
      error instanceof FieldwrightError
        ? error.shape
        : { code: 'unreadable-file', source: 'user', ...say('open.unreadable', { name }), file: name };
    return { type: 'file-refused', error: refused };
  }
}

function readBounded(path: string, name: string): Buffer {
  // A pipe in its place would keep the whole app waiting.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw userError('unreadable-file', say('open.unreadable', { name }), { file: name });
    if (stats.size > LARGEST_OPENED)
      throw userError('input-too-large', say('file-bytes', { count: stats.size, max: LARGEST_OPENED }), {
        file: name,
      });
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
