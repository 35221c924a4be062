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

/** `doneBefore`: what was done when the clock began to count. */
export function paceOf(work: {
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
  readonly doneBefore?: number;
}): Pace {
  const { done, total, elapsedMs, doneBefore = 0 } = work;
  if (done <= doneBefore || elapsedMs < ENOUGH_MS) return { done, total };
  const perSecond = ((done - doneBefore) * 1000) / elapsedMs;
  return { done, total, perSecond, secondsLeft: (total - done) / perSecond };
}
