/** SQLite's result codes in the words of the error family. */
import { say } from '#shared/details.ts';
import { appError, userError, type FieldwrightError } from '#shared/errors.ts';
import { findCause } from '../files/open-files.ts';

const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** A row of the same key, a key that is taken, a row that is named and not there. */
const COLLISIONS: ReadonlySet<unknown> = new Set([1555, 2067, 787]);

/** Primary result code of an error thrown by node:sqlite; undefined for anything else. */
function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return undefined;
  return thrown.errcode & 0xff;
}

/** True where the file itself is broken, so that setting it aside is the way on. */
export function isDamage(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** The error a caller sees; SQL text and values never travel in it. */
export function storeError(thrown: unknown): unknown {
  switch (sqliteCode(thrown)) {
    case SQLITE_BUSY:
      return appError('data-folder-in-use', say('data-folder-busy'), { cause: thrown });
    case SQLITE_FULL:
      return appError('not-available', say('disk-full'), { cause: thrown });
    // A full disk comes so too, where already the side files of the database find no room.
    case SQLITE_IOERR:
      return createDiskError(thrown);
    case SQLITE_CANTOPEN:
      return appError('not-available', say('data-folder-read-only'), { cause: findCause(thrown) });
    case SQLITE_READONLY:
      return appError('not-available', say('data-folder-read-only'), { cause: thrown });
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return appError('storage-damaged', say('database-damaged'), { cause: thrown });
    default:
      return isCollision(thrown)
        ? userError('changed-meanwhile', say('changed-by-another'), { cause: thrown })
        : thrown;
  }
}

/** The tables are not those of any version of Fieldwright; nothing was changed. */
export function createForeignSchemaError(cause?: unknown): FieldwrightError {
  return appError('storage-damaged', say('database-foreign'), { cause });
}

/** True for what SQL text itself met: tables or columns that are there, or are not. */
export function isSchemaProblem(thrown: unknown): boolean {
  return sqliteCode(thrown) === SQLITE_ERROR;
}

/** Reading or writing the data folder failed in a way that says little about the reason. */
export function createDiskError(cause: unknown): FieldwrightError {
  return appError('not-available', say('data-folder-unusable'), { cause });
}

/** Everything is checked before it is written: what still collides was written by another process in between. */
function isCollision(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && COLLISIONS.has(thrown.errcode);
}
