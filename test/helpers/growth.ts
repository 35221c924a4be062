/** Costs of computing that hold on a busy machine too: by the processor's clock of this thread, and beside each other. */

/** Milliseconds that the thread computes for it. */
export function computing(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const PARTS = 8;
const ROUNDS = 3;
/** The clock is no finer on some systems; what takes less is quick however it grows. */
const TICK_MS = 10;

/**
 * How much longer one piece of `size` takes than as much in eight pieces: 1 where the time grows with the size,
 * near 8 where it grows with its square. Expect less than 3.
 */
export function growth(run: (size: number) => unknown, size: number): number {
  const part = Math.floor(size / PARTS);
  const best = { parts: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) {
    const parts = computing(() => {
      for (let nth = 0; nth < PARTS; nth += 1) run(part);
    });
    best.parts = Math.min(best.parts, parts);
    best.whole = Math.min(
      best.whole,
      computing(() => run(part * PARTS)),
    );
  }
  return (best.whole + TICK_MS) / (best.parts + TICK_MS);
}
