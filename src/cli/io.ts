/** Streams and environment of the command line; tests and the entry point give them. */
import type { Readable, Writable } from 'node:stream';

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  /** Name of the operating system user, for the journal. */
  readonly user: string;
  /** Calls `handler` at every SIGINT, SIGTERM or SIGHUP; answers a function that stops that. */
  onSignal(handler: () => void): () => void;
  /** Ends the process at once: the person insisted. */
  exitNow(code: number): void;
}

/** A person sits there: questions may be asked. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}
