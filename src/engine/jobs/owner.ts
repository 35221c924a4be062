/** Identifies the process that works on a job: app and command line share a data folder. */
import { readFileSync } from 'node:fs';
import { dropSign, holdSign, isSignHeld } from './sign-of-life.ts';

export interface Owner {
  readonly process: number;
  /** Random per engine: one process may hold several, one after the other. */
  readonly engine: string;
  /**
   * Start time of the process, in the system's own words: its number is given to another process later. Where the system
   * does not tell it, the name of the process's sign of life.
   */
  readonly started?: string;
}

/** Engines of this process that may be working. */
const enginesHere = new Set<string>();

/** Marks jobs of this engine as being worked on, until `release`. `dataDir`: absent for a database in memory. */
export function takeOwnership(engine: string, dataDir?: string): Owner {
  enginesHere.add(engine);
  const started = startOf(process.pid) ?? (dataDir === undefined ? undefined : holdSign(dataDir, engine));
  return { process: process.pid, engine, started };
}

export function release({ engine }: Owner, dataDir?: string): void {
  enginesHere.delete(engine);
  if (dataDir !== undefined) dropSign(dataDir, engine);
}

/** Returns true if that very process still exists and, if it is this one, its engine is open. */
export function isAlive(owner: Owner, dataDir?: string): boolean {
  if (owner.process === process.pid) return enginesHere.has(owner.engine);
  const isHeld =
    dataDir === undefined || owner.started === undefined ? undefined : isSignHeld(dataDir, owner.started);
  if (isHeld !== undefined) return isHeld;
  if (!exists(owner.process)) return false;
  if (owner.started === undefined) return true;
  const started = startOf(owner.process);
  return started === undefined || started === owner.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process that may not be signalled exists all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns the start time of a process; undefined if the system does not report it: then only the number is
 * compared.
 */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      // proc(5): the command name in parentheses may hold anything, the 20th word after it is the start in ticks since boot.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      return ticks === undefined
        ? undefined
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
    }
    if (process.platform === 'darwin')
      // Not imported: a start on another system need not load it.
      return (
        process
          .getBuiltinModule('node:child_process')
          .execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
            encoding: 'utf8',
            timeout: 2_000,
            env: { LC_ALL: 'C' },
          })
          .trim() || undefined
      );
  } catch {
    // The process has ended meanwhile, or is not visible.
  }
  return undefined;
}
