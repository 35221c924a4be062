/**
 * How many sockets this process may have open to devices. Each is a file to the system, which allows a process
 * only so many: what does not fit waits for its turn instead of failing.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createQueue, type QueueTask } from '../queue.ts';

/** Files beside the sockets to devices: database, log, pages and their connections, searches of the network. */
const OTHER_FILES = 96;
/** Fewest sockets: with less nothing would work at all, so the system's refusal is reported. */
const FEWEST = 4;

export interface Sockets {
  /** Runs a request when there is a socket for it, in order of arrival. Rejects with the signal's reason when it aborts while waiting. */
  run<T>(task: () => Promise<T>, options: QueueTask): Promise<T>;
  /** Registers one transport; `drop` closes its sockets when they are unused. */
  holder(drop: () => void): SocketHolder;
}

export interface SocketHolder {
  /** Begins the use of the sockets by a request; `end` ends it. */
  begin(): void;
  end(): void;
  /**
   * Makes room for a new socket, after which it is `opened` or has `failed`; if there are too many, the
   * longest idle ones are closed.
   */
  opening(): void;
  opened(socket: Socket): void;
  failed(): void;
  /**
   * Resolves when a socket of ours was closed; called when the system is out of files. Returns undefined if
   * none is open.
   */
  whenOneCloses(): Promise<void> | undefined;
}

/** Creates the limit for all sockets. `most`: sockets at once. */
export function createSockets(most: number): Sockets {
  const places = createQueue(most);
  /** Holders with unused sockets, the longest idle first. */
  const idle = new Map<SocketHolder, () => void>();
  let open = 0;
  /**
   * Number of sockets at once that the system has proved to allow, and number opened since that was last
   * counted.
   */
  let allowed = most;
  let openedSince = 0;
  let waiting: (() => void)[] = [];

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  }
  function allow(wanted: number): void {
    allowed = Math.min(most, wanted);
    openedSince = 0;
    places.resize(allowed);
  }
  function dropIdle(): void {
    const [first] = idle;
    if (first === undefined) return;
    const [holder, drop] = first;
    idle.delete(holder);
    drop();
  }

  function createHolder(drop: () => void): SocketHolder {
    let own = 0;
    let busy = 0;
    /** Makes room for a request that waits: it may wait for the unused sockets of its own device, which has other requests. */
    function letGo(): void {
      if (idle.size > 0) dropIdle();
      else drop();
    }
    const holder: SocketHolder = {
      begin() {
        busy += 1;
        idle.delete(holder);
      },
      end() {
        busy -= 1;
        if (own === 0) return;
        if (busy === 0) idle.set(holder, drop);
        if (waiting.length > 0) letGo();
      },
      opening() {
        if (open >= most) dropIdle();
        open += 1;
      },
      failed() {
        open -= 1;
        // There is nothing more to wait for.
        if (open === 0) wake();
      },
      opened(socket) {
        own += 1;
        // The shortage may be over: one more is tried each time that all there may be were opened.
        if (allowed < most && ++openedSince >= allowed) allow(allowed + 1);
        socket.once('close', () => {
          own -= 1;
          if (own === 0) idle.delete(holder);
          open -= 1;
          wake();
        });
      },
      whenOneCloses() {
        if (open === 0) return undefined;
        // Other files took the place of some: from now on there are fewer at once.
        allow(open);
        letGo();
        return new Promise((resolve) => {
          waiting.push(resolve);
        });
      },
    };
    return holder;
  }

  return { run: (task, options) => places.run(task, options), holder: createHolder };
}

/**
 * Returns the number of sockets that the system allows; no limit if it reports none. Node itself has raised
 * it as far as it may.
 */
export function getMaxSockets(): number {
  // Windows has no such limit, and a report takes seconds there.
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY;
  const soft = process.platform === 'linux' ? softLimit() : reportedLimit();
  return typeof soft === 'number' ? Math.max(FEWEST, soft - OTHER_FILES) : Number.POSITIVE_INFINITY;
}

/** Reads the limit on Linux, in a hundredth of the time that a report takes. */
function softLimit(): unknown {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return reportedLimit();
  }
}

function reportedLimit(): unknown {
  // Otherwise the report looks up the name of every peer.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
  return report.userLimits?.open_files?.soft;
}
