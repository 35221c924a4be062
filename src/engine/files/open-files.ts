/** Files that this process may still open. */
import { closeSync, openSync } from 'node:fs';
import { isOutOfFiles, toErrorShape, type ErrorShape } from '#shared/errors.ts';

/** Files that a database takes (itself, its log, their shared memory and its folder); to load a module or to look up a name takes no more. */
const NEEDED = 4;

/**
 * Returns why something could not be opened: `thrown` itself, or the system's error if this process may open no more
 * files now. SQLite, the system's look-up of names and the loading of modules do not say that by themselves.
 */
export function findCause(thrown: unknown): unknown {
  const opened: number[] = [];
  try {
    for (let nth = 0; nth < NEEDED; nth += 1) opened.push(openSync(process.execPath, 'r'));
    return thrown;
  } catch (reason) {
    return isOutOfFiles(reason) ? reason : thrown;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/**
 * Converts like `toErrorShape`, but also looks for files that could not be opened if `thrown` was not
 * expected.
 */
export function explainError(thrown: unknown): ErrorShape {
  const shape = toErrorShape(thrown);
  return shape.code === 'internal' ? toErrorShape(findCause(thrown)) : shape;
}
