/**
 * Signs of life of processes, for systems that do not tell when a process began (Windows): a file in the data folder that
 * its process keeps locked. The system frees the lock of a process that ends, however it ends.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../files/folders.ts';

interface Held {
  readonly name: string;
  readonly lock: DatabaseSync;
  /** Engines of this process that live by it. */
  readonly engines: Set<string>;
}

const NAME = /^sign:([0-9a-f-]{36})$/;
/** Another process that looks for left signs holds a new one for a moment. */
const PATIENCE_MS = 1_000;

/** Signs of this process, by data folder. */
const heldHere = new Map<string, Held>();

const folderOf = (dataDir: string): string => join(dataDir, 'alive');
const fileOf = (dataDir: string, id: string): string => join(folderOf(dataDir), `${id}.lock`);

/** Holds the sign of this process for one of its engines. Returns its name; undefined if the folder takes no files or has no locks. */
export function holdSign(dataDir: string, engine: string): string | undefined {
  const known = heldHere.get(dataDir);
  if (known !== undefined) {
    known.engines.add(engine);
    return known.name;
  }
  const id = randomUUID();
  try {
    makeFolder(folderOf(dataDir));
    removeLeftSigns(dataDir);
    const lock = takeLock(fileOf(dataDir, id), PATIENCE_MS);
    heldHere.set(dataDir, { name: `sign:${id}`, lock, engines: new Set([engine]) });
    return `sign:${id}`;
  } catch {
    return undefined;
  }
}

/** Lets go of the sign when the last engine of this process has ended. */
export function dropSign(dataDir: string, engine: string): void {
  const held = heldHere.get(dataDir);
  if (held?.engines.delete(engine) !== true || held.engines.size > 0) return;
  heldHere.delete(dataDir);
  held.lock.close();
  removeSign(fileOf(dataDir, held.name.replace(NAME, '$1')));
}

/** Returns whether the process that wrote this name still holds its sign; undefined if the text names none. */
export function isSignHeld(dataDir: string, name: string): boolean | undefined {
  const id = NAME.exec(name)?.[1];
  return id === undefined ? undefined : isLocked(fileOf(dataDir, id));
}

/** A file that cannot be looked at counts as locked: no work is taken away by mistake. */
function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    takeLock(file, 0).close();
    return false;
  } catch {
    return existsSync(file);
  }
}

/** @throws an error of SQLite if another process has the lock */
function takeLock(file: string, timeout: number): DatabaseSync {
  const lock = new DatabaseSync(file, { timeout });
  try {
    // Nothing is ever written to it, so it needs no journal beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Removes what killed processes left. */
function removeLeftSigns(dataDir: string): void {
  for (const name of readdirSync(folderOf(dataDir))) {
    const file = join(folderOf(dataDir), name);
    if (name.endsWith('.lock') && !isLocked(file)) removeSign(file);
  }
}

function removeSign(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its process has it open on Windows; a later start removes it.
  }
}
