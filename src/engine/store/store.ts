/**
 * The one database of a data folder: node:sqlite in WAL mode, every commit on disk before it
 * counts. Synchronous by design: one writer, short statements, no half-done transactions.
 */
import { chmodSync, closeSync, existsSync, fdatasync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { say } from '#shared/details.ts';
import { appError, isOutOfFiles } from '#shared/errors.ts';
import type { Clock } from '../api/host.ts';
import { makeFolder, syncFolder, getSystemCode } from '../files/folders.ts';
import { KEY_FILE } from '../host/key-protection.ts';
import { FIRST_VERSION, migrations as allMigrations, type Migration } from './schema.ts';
import { CHECKED_SUFFIX, createSoundness, type Soundness } from './soundness.ts';
import { requireRoom, type RoomUse } from './room.ts';
import { change, buildInsert, buildDelete, type Columns, type Key, type SqlValue } from './rows.ts';
import {
  createDiskError,
  createForeignSchemaError,
  isDamage,
  isSchemaProblem,
  storeError,
} from './sql-error.ts';

export interface Store {
  /** All rows; `Row` names the columns with the types the STRICT tables guarantee. */
  all<Row extends object>(sql: string, ...values: SqlValue[]): Row[];
  /** The first row or undefined. */
  get<Row extends object>(sql: string, ...values: SqlValue[]): Row | undefined;
  run(sql: string, ...values: SqlValue[]): { readonly changes: number };
  /** Adds a row, by its columns, and gives its rowid; `or`: what becomes of it where one with its key is there already. */
  insert(table: string, row: Columns, or?: 'ignore' | 'replace'): number;
  /** Changes these columns of the rows that `where` names. */
  update(table: string, columns: Columns, where: Key): { readonly changes: number };
  /** Removes the rows that `where` names. */
  remove(table: string, where: Key): { readonly changes: number };
  /** Clears wiped rows from the write-ahead log; a reader in another process only delays that. */
  forgetLog(): void;
  /** Throws `not-available` where the disk has no room for so many bytes more. Default: what a device or a file makes us keep. */
  requireRoom(bytes: number, use?: RoomUse): void;
  /** Gives pages that hold nothing any more back to the disk, some in each turn, until `isOver`. */
  reclaim(isOver: () => boolean): Promise<void>;
  /** All or nothing; a transaction inside a transaction joins it. */
  transaction<T>(work: () => T): T;
  /** The same without waiting for the disk: what it wrote counts once `onDisk` has resolved. */
  transactionSoon<T>(work: () => T): T;
  /** Resolves when everything committed before is on disk; other work goes on meanwhile. */
  onDisk(): Promise<void>;
  /** Grows when another process has written, so that caches can be dropped. */
  foreignVersion(): number;
  /** Grows when work was rolled back: keys of rows that were learned in it may name others since. */
  rollbacks(): number;
  /** Opens a view of everything as it is now, whatever is written meanwhile. @throws for a database in memory */
  view(): StoreView;
  /** Folder of the database; absent for one in memory. */
  readonly dataDir?: string;
  /** Name of the file the damaged database was moved to when this one was opened. */
  readonly setAside?: string;
  close(): void;
}

/** Rows as they were at one time; they are read one by one, in constant memory. */
export interface StoreView extends Pick<Store, 'all'> {
  iterate<Row extends object>(sql: string, ...values: SqlValue[]): Iterable<Row>;
  close(): void;
}

interface OpenStoreOptions {
  readonly clock: Clock;
  /** Other steps than the product's own: tests only. */
  readonly migrations?: readonly Migration[];
}

export const DATABASE_FILE = 'fieldwright.db';
const BUSY_TIMEOUT_MS = 5_000;
/** Free pages that stay, 64 MB: the next work needs them. */
const PAGES_KEPT = 16_384;
const PAGES_A_TURN = 512;

/**
 * Opens (and where needed makes) the database of `dataDir`, or one in memory for `:memory:`.
 * A damaged file is moved aside, never deleted. Throws `not-available` where a newer Fieldwright
 * wrote the data, `data-folder-in-use` where another process holds it too long.
 */
export function openStore(dataDir: string, options: OpenStoreOptions): Store {
  const steps = options.migrations ?? allMigrations;
  if (dataDir === ':memory:') return wrap(openDatabase(':memory:', steps));
  try {
    makeFolder(dataDir);
    const file = join(dataDir, DATABASE_FILE);
    const soundness = createSoundness(file, options.clock);
    const afresh = (): Store => {
      const setAside = moveAside(dataDir, options.clock);
      makePrivate(file);
      return wrap(openDatabase(file, steps, soundness), { file, soundness, setAside });
    };
    if (wasEmptied(dataDir)) return afresh();
    makePrivate(file);
    try {
      return wrap(openDatabase(file, steps, soundness), { file, soundness });
    } catch (error) {
      if (!isDamage(error)) throw error;
      return afresh();
    }
  } catch (error) {
    throw folderError(storeError(error));
  }
}

/** Makes the data folder. @throws `not-available` where its disk is missing, or something else lies in its place */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw folderError(error);
  }
}

/**
 * A file without a byte is what a disk that was full or cut off leaves behind; to SQLite it is a new
 * database, and it throws away the write-ahead log that may still hold everything. The key is made
 * when a database is there, so that a first start of two at once is not taken for this.
 */
function wasEmptied(dataDir: string): boolean {
  return (
    statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false })?.size === 0 &&
    existsSync(join(dataDir, KEY_FILE))
  );
}

/** SQLite gives its side files the mode of the main file, so that one is made private first. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  if (process.platform !== 'win32') chmodSync(file, 0o600);
}

function openDatabase(file: string, steps: readonly Migration[], soundness?: Soundness): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    refuseOthers(db, steps);
    // A new file has to say first that free pages can be given back.
    db.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; ' +
        // A sync on macOS would otherwise stop at the cache of the drive.
        'PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;',
    );
    // Never taken a step further unseen.
    if (soundness?.isDue() === true || schemaVersion(db) !== latestOf(steps)) checkSound(db, soundness);
    migrate(db, steps);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkSound(db: DatabaseSync, soundness: Soundness | undefined): void {
  const row = db.prepare('PRAGMA quick_check(1)').get();
  const verdict = row === undefined ? undefined : Object.values(row)[0];
  if (verdict !== 'ok') throw Object.assign(new Error('quick_check failed'), { errcode: 11 });
  soundness?.found();
}

function latestOf(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0;
}

/** @throws `not-available` for data of a newer or of a trial version, `storage-damaged` for data of another program */
function refuseOthers(db: DatabaseSync, steps: readonly Migration[]): void {
  const latest = latestOf(steps);
  const current = schemaVersion(db);
  if (current > latest) throw appError('not-available', say('data-folder-newer', { current, latest }));
  if (current < 0) throw createForeignSchemaError();
  if (current > 0 && current < FIRST_VERSION) throw appError('not-available', say('data-folder-trial'));
}

/** Brings the schema to the latest version. */
function migrate(db: DatabaseSync, steps: readonly Migration[]): void {
  if (schemaVersion(db) === latestOf(steps)) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the write lock: another process may have migrated in the meantime.
    const reached = schemaVersion(db);
    for (const step of steps.filter(({ version }) => version > reached)) {
      db.exec(step.sql);
      db.exec(`PRAGMA user_version = ${step.version}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    // A full disk has already rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw isSchemaProblem(error) ? createForeignSchemaError(error) : error;
  }
}

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function moveAside(dataDir: string, clock: Clock): string {
  const stamp = clock.now().toISOString().replace(/[:.]/g, '-');
  let name = `fieldwright.damaged-${stamp}.db`;
  for (let again = 2; existsSync(join(dataDir, name)); again += 1)
    name = `fieldwright.damaged-${stamp}-${again}.db`;
  for (const suffix of ['', '-wal', '-shm', CHECKED_SUFFIX]) {
    const from = join(dataDir, DATABASE_FILE + suffix);
    if (existsSync(from)) renameHeld(from, join(dataDir, name + suffix));
  }
  syncFolder(dataDir);
  return name;
}

/** @throws `data-folder-in-use` if another process has the file open: Windows then keeps its name */
function renameHeld(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    const code = getSystemCode(cause);
    if (code !== 'EBUSY' && !(process.platform === 'win32' && /^E(?:PERM|ACCES)$/.test(code))) throw cause;
    throw appError('data-folder-in-use', say('data-folder-busy'), { cause });
  }
}

/** System errors that say who may write to the folder, or what lies in its place. */
const READ_ONLY = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR']);

/** Returns a system error in words: any other one is of the disk, which may not be there at all. */
function folderError(thrown: unknown): unknown {
  if (!(thrown instanceof Error && 'syscall' in thrown) || isOutOfFiles(thrown)) return thrown;
  if (!READ_ONLY.has(getSystemCode(thrown))) return createDiskError(thrown);
  return appError('not-available', say('data-folder-read-only'), { cause: thrown });
}

const syncData = promisify(fdatasync);

interface StoredIn {
  readonly file: string;
  readonly soundness: Soundness;
  readonly setAside?: string;
}

/** Opens a second connection, whose one transaction keeps what it reads as it was. */
function openView(file: string): StoreView {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  db.exec('BEGIN');
  // The transaction begins with its first read.
  db.prepare('SELECT count(*) FROM sites').get();
  return {
    all: <Row extends object>(sql: string, ...values: SqlValue[]) =>
      db.prepare(sql).all(...values) as unknown as Row[],
    iterate: <Row extends object>(sql: string, ...values: SqlValue[]) =>
      db.prepare(sql).iterate(...values) as unknown as Iterable<Row>,
    close: () => db.close(),
  };
}

/** Wraps a database; without `at` it is in memory. */
function wrap(db: DatabaseSync, at?: StoredIn): Store {
  const statements = new Map<string, StatementSync>();
  let depth = 0;
  let rollbacks = 0;
  /** Each commit is on disk when it returns. */
  let isFlushing = true;
  /** The write-ahead log: it keeps its place for as long as the database is open. */
  let log: number | undefined;

  function prepare(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare(sql);
    statements.set(sql, made);
    return made;
  }
  function run(sql: string, ...values: SqlValue[]): { readonly changes: number; readonly rowid: number } {
    if (depth === 0) flushing(true);
    return guarded(() => {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), rowid: Number(lastInsertRowid) };
    });
  }
  /** WAL with `synchronous = NORMAL` writes the log without a flush; `onDisk` makes up for it. */
  function flushing(wanted: boolean): void {
    if (isFlushing === wanted) return;
    guarded(() => db.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`));
    isFlushing = wanted;
  }
  function guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) at?.soundness.doubt();
      throw storeError(error);
    }
  }
  function transaction<T>(work: () => T, flushed = true): T {
    if (depth > 0) return work();
    flushing(flushed);
    guarded(() => prepare('BEGIN IMMEDIATE').run());
    depth += 1;
    try {
      const result = work();
      guarded(() => prepare('COMMIT').run());
      return result;
    } catch (error) {
      rollbacks += 1;
      // A failed COMMIT may already have rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    } finally {
      depth -= 1;
    }
  }

  async function onDisk(): Promise<void> {
    if (at === undefined) return;
    if (log === undefined) {
      log = openSync(`${at.file}-wal`, 'r+');
      // SQLite does so with its own first flush, which may not have come yet.
      syncFolder(dirname(at.file));
    }
    await syncData(log);
  }

  async function reclaim(isOver: () => boolean): Promise<void> {
    const free = (): number => Number(prepare('PRAGMA freelist_count').get()?.['freelist_count'] ?? 0);
    for (let before = Infinity, left = free(); left > PAGES_KEPT && left < before && !isOver();) {
      guarded(() => db.exec(`PRAGMA incremental_vacuum(${PAGES_A_TURN})`));
      [before, left] = [left, free()];
      await setImmediate();
    }
  }

  return {
    all: <Row extends object>(sql: string, ...values: SqlValue[]) =>
      guarded(() => prepare(sql).all(...values) as unknown as Row[]),
    get: <Row extends object>(sql: string, ...values: SqlValue[]) =>
      guarded(() => prepare(sql).get(...values) as unknown as Row | undefined),
    run,
    insert: (table, row, or) => run(...buildInsert(table, row, or)).rowid,
    update: (table, columns, where) => run(...change(table, columns, where)),
    remove: (table, where) => run(...buildDelete(table, where)),
    forgetLog: () => void guarded(() => prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()),
    transaction: (work) => transaction(work),
    transactionSoon: (work) => transaction(work, false),
    onDisk,
    reclaim,
    requireRoom: (bytes, use) => {
      if (at !== undefined) requireRoom(dirname(at.file), bytes, use);
    },
    rollbacks: () => rollbacks,
    view: () => guarded(() => openView(at?.file ?? '')),
    foreignVersion: () => guarded(() => Number(prepare('PRAGMA data_version').get()?.['data_version'] ?? 0)),
    dataDir: at === undefined ? undefined : dirname(at.file),
    setAside: at?.setAside,
    close: () => {
      statements.clear();
      if (log !== undefined) closeSync(log);
      log = undefined;
      if (db.isOpen) db.close();
    },
  };
}
