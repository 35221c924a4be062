/** How far work is, how fast it goes, and an honest guess of what is left. */
export interface Pace {
  readonly done: number;
  readonly total: number;
  /** Undefined until there is enough to say it. */
  readonly perSecond?: number;
  readonly secondsLeft?: number;
}

/** A rate from less than this is noise. */
const ENOUGH_MS = 800;

/** `doneBefore`: what was done when the clock began to count. Work that goes on after all was counted has no pace: its rest is unknown. */
export function estimatePace(work: {
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
  readonly doneBefore?: number;
}): Pace {
  const { done, total, elapsedMs, doneBefore = 0 } = work;
  if (done <= doneBefore || done >= total || elapsedMs < ENOUGH_MS) return { done, total };
  const perSecond = ((done - doneBefore) * 1000) / elapsedMs;
  return { done, total, perSecond, secondsLeft: (total - done) / perSecond };
}

/** Nothing is called stalled before this. */
const PATIENCE_MS = 3_000;

/** Returns true if nothing was done for three times as long as one step takes: a guess of what is left would be untrue. */
export function isStalled({ perSecond, done, total }: Pace, idleMs: number): boolean {
  if (perSecond === undefined || done >= total) return false;
  return idleMs > Math.max(PATIENCE_MS, 3_000 / perSecond);
}
