/** Cost of work to this process at once, whatever else the computer does meanwhile. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface Cost {
  /** Longest piece in which nothing else had a turn, in milliseconds of computing. */
  readonly pieceMs: number;
  /** Computing of the event loop's thread as a whole. */
  readonly wholeMs: number;
  /** Memory that came on top at the highest moment; undefined where the system does not tell. */
  readonly megabytes: number | undefined;
}

/** Other work of the same process counts too. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = startOfPeak();
  const first = computed();
  let last = first;
  let pieceMs = 0;
  const look = (): void => {
    const now = computed();
    pieceMs = Math.max(pieceMs, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  // Callbacks that are ready by the end of the work belong to it.
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
  clearInterval(timer);
  look();
  const peak = before === undefined ? undefined : memory('VmHWM');
  return {
    pieceMs,
    wholeMs: last - first,
    megabytes: peak === undefined || before === undefined ? undefined : peak - before,
  };
}

/** Milliseconds of this thread. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the memory held now, and lets the system measure the peak anew. */
function startOfPeak(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    globalThis.gc?.();
    writeFileSync('/proc/self/clear_refs', '5');
    return memory('VmRSS');
  } catch {
    // Not permitted everywhere, such as in some containers.
    return undefined;
  }
}

function memory(name: 'VmRSS' | 'VmHWM'): number {
  return (
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) /
    1024
  );
}
