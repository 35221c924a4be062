/**
 * Files that the person opens with the app: a double click, *Open with*, or a drop on its icon. The path comes from the
 * system, never from the page.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { say } from '#shared/details.ts';
import type { DesktopEvent, FileKind } from '#shared/desktop-events.ts';
import { FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import { FILE_TYPES } from '#shared/file-types.ts';
import { readJsonOrNothing } from '#shared/read-json.ts';

/** Bytes of a file that fit into a message to the page. */
const LARGEST = 5_000_000;

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ...FILE_TYPES.map(({ ending, kind }) => [ending, kind] as const),
  ...['yaml', 'yml'].map((ending) => [ending, 'template'] as const),
  ...['csv', 'ndjson', 'jsonl'].map((ending) => [ending, 'people'] as const),
  ['json', 'template'],
]);

/**
 * Returns the first file among the arguments of a start that the app can show. Switches and the program's own paths have
 * no such ending.
 */
export function findFile(args: readonly string[], folder: string): string | undefined {
  const named = args.find((arg) => !arg.startsWith('-') && KINDS.has(getEnding(arg)));
  return named === undefined ? undefined : resolve(folder, named);
}

function getEnding(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

/** Reads a file for the page; a file that cannot be read, or shown, becomes an event that says so. */
export function readForPage(path: string): DesktopEvent {
  const name = basename(path);
  try {
    const kind = KINDS.get(getEnding(path));
    if (kind === undefined) throw userError('unreadable-file', say('open.unknown', { name }), { file: name });
    const bytes = readBounded(path, name);
    return {
      type: 'file',
      kind: getEnding(path) === 'json' && isPlan(bytes) ? 'plan' : kind,
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
    if (stats.size > LARGEST)
      throw userError('input-too-large', say('file-bytes', { count: stats.size, max: LARGEST }), {
        file: name,
      });
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Templates name sections, plans name the devices that they were made for. */
function isPlan(bytes: Buffer): boolean {
  const read = Object(readJsonOrNothing(bytes.toString('utf8'))) as Record<string, unknown>;
  return Array.isArray(read['devices']) && 'template' in read;
}
