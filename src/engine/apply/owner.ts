/** Which process works on a job: app and command line share a data folder. */
export interface Owner {
  readonly process: number;
  /** Random per engine: a number of a process is used again. */
  readonly engine: string;
}

/** True where another process of that number exists, or the engine is this one. */
export function isAlive(owner: Owner, self: Owner): boolean {
  if (owner.process === self.process) return owner.engine === self.engine;
  try {
    process.kill(owner.process, 0);
    return true;
  } catch (error) {
    // A process that may not be signalled exists all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
