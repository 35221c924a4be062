/** A walk-test of infrared beams: each must have been seen interrupted, and clear after that. */

export interface BeamTally {
  readonly triggered: readonly number[];
  readonly cleared: readonly number[];
}

export const NO_BEAMS: BeamTally = { triggered: [], cleared: [] };

/** Adds a reading to the tally; returns the same tally if nothing is new. */
export function addBeamReading(tally: BeamTally, interrupted: readonly number[]): BeamTally {
  const triggered = interrupted.filter((id) => !tally.triggered.includes(id));
  const cleared = tally.triggered.filter((id) => !interrupted.includes(id) && !tally.cleared.includes(id));
  if (triggered.length === 0 && cleared.length === 0) return tally;
  return { triggered: [...tally.triggered, ...triggered], cleared: [...tally.cleared, ...cleared] };
}

export interface BeamResults {
  readonly passed: readonly number[];
  /** Never seen interrupted. */
  readonly untested: readonly number[];
  /** Beams that are interrupted although the passage is empty. */
  readonly stuck: readonly number[];
}

/**
 * Returns the results of the fitted beams; `still`: those interrupted all the time while the passage was
 * empty.
 */
export function getBeamResults(
  fitted: readonly number[],
  tally: BeamTally,
  still: readonly number[],
): BeamResults {
  const stuck = fitted.filter((id) => still.includes(id));
  const passed = fitted.filter((id) => tally.cleared.includes(id) && !stuck.includes(id));
  return {
    stuck,
    passed,
    untested: fitted.filter((id) => !passed.includes(id) && !stuck.includes(id)),
  };
}
