/** Limit of the room that V8 takes for recent allocations. */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const MB = 1024 * 1024;
/** Both halves together. Twice as much spares a job of 500 devices no time, and costs it 30 MB. */
const YOUNG_GENERATION_MB = 32;

/**
 * Keeps the young generation at `YOUNG_GENERATION_MB`, once in each process that hosts the engine. V8 doubles
 * it up to 128 MB while a job runs, although hardly anything of a request outlives it. V8 reads its own limit
 * when the process starts, and Electron allows no change before that, so growth is switched off when the size
 * is reached (a long task without a pause may pass it once), and on again after V8 has shrunk it in an idle
 * hour. Node and Electron's main process both leave V8's switches open after the start
 * (`--no-freeze-flags-after-init`); if V8 has no such space or switch, nothing changes.
 */
export function boundYoungGeneration(): void {
  let bounded = false;
  const observer = new PerformanceObserver(() => {
    const reached = measureYoungGeneration() >= YOUNG_GENERATION_MB;
    if (reached === bounded) return;
    bounded = reached;
    setFlagsFromString(`--semi-space-growth-factor=${reached ? 1 : 2}`);
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** Returns the size of both halves in MB. */
export function measureYoungGeneration(): number {
  return (
    (getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0) / MB
  );
}
