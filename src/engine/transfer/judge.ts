/** Judges a transfer at one moment, from what was served and what the device reports. Pure. */

/** Milliseconds. */
export const PATIENCE = {
  /** Wait for a request after the device was asked; then the doctor is asked why there is none. */
  firstCall: 15_000,
  /**
   * Wait without a request before the device is asked again; after `neverCalled` the transfer is given up.
   */
  secondAsk: 30_000,
  neverCalled: 60_000,
  /** Longest pause between two requests of an incomplete transfer. */
  stall: 30_000,
  /** Pause after the last request until the device's report that it has everything is accepted. */
  quiet: 10_000,
  /** Wait from the last byte until the device reports 100 percent. */
  settle: 120_000,
  /** It does not answer at all. */
  away: 180_000,
  /** It says that it knows no such download. */
  dropped: 5_000,
} as const;
/** How often a device is asked to fetch in one run. */
export const MOST_ASKS = 4;
/** Number of times that a device is asked while it refuses because it is still busy. */
const MOST_REFUSED_ASKS = 12;

export interface TransferLook {
  readonly now: number;
  /** Time when the device was last asked, or when this run began to serve again. */
  readonly askedAt: number;
  /** Number of times that this run asked. */
  readonly asks: number;
  /** An earlier run served some of it; what that was may be known in part only. */
  readonly servedBefore: boolean;
  readonly complete: boolean;
  /** Every byte was handed over; whether the last ones arrived does not show. */
  readonly handedOver: boolean;
  /** Since this run serves. */
  readonly requests: number;
  readonly open: number;
  /** Time of the last request or byte of this run. */
  readonly lastAt?: number;
  readonly completeAt?: number;
  /** Percentage that the device reports; absent if it reports none. */
  readonly percent?: number;
  /** Time when the percentage last changed. */
  readonly percentAt?: number;
  /** Since when it does not answer. */
  readonly awaySince?: number;
  /** Since when it says that it knows no such download. */
  readonly droppedSince?: number;
  readonly examined: boolean;
  /** It would not be asked again: it may still try the address that it was given before. */
  readonly refused: boolean;
}

/**
 * `received`: fetched, and the device says so. `received-unseen`: it says so, and an earlier run may have served what
 * this one did not. `received-unproved`: it says so, and all of it was handed over, on a connection whose end did not show
 * whether it arrived. `lies`: it says so, and did not fetch it. `stuck`: fetched, and it never says so.
 */
export type Judgement =
  | 'wait'
  | 'examine'
  | 'ask'
  | 'received'
  | 'received-unseen'
  | 'received-unproved'
  | 'lies'
  | 'never-called'
  | 'stalled'
  | 'stuck'
  | 'dropped'
  | 'away';

export function judge(look: TransferLook): Judgement {
  const { now, asks, percent, awaySince, droppedSince, lastAt, askedAt } = look;
  const since = (moment: number | undefined): number => (moment === undefined ? 0 : now - moment);
  if (awaySince !== undefined) return since(awaySince) >= PATIENCE.away ? 'away' : 'wait';
  // A device that has not called yet may know nothing of the download.
  const wasAtIt = look.requests > 0 && look.open === 0;
  if (droppedSince !== undefined && wasAtIt && since(droppedSince) >= PATIENCE.dropped)
    return asks < MOST_ASKS ? 'ask' : 'dropped';
  if (look.complete) {
    if (percent === 100) return 'received';
    const still = Math.max(look.completeAt ?? 0, look.percentAt ?? 0);
    return since(still) >= PATIENCE.settle ? 'stuck' : 'wait';
  }
  if (look.open > 0) return 'wait';
  if (percent === 100 && (look.requests > 0 || look.servedBefore)) {
    if (since(Math.max(lastAt ?? 0, askedAt)) < PATIENCE.quiet) return 'wait';
    if (look.handedOver) return 'received-unproved';
    return look.servedBefore ? 'received-unseen' : 'lies';
  }
  if (look.requests === 0) return judgeSilence(look, since(askedAt));
  if (look.handedOver && since(Math.max(lastAt ?? 0, look.percentAt ?? 0)) < PATIENCE.settle) return 'wait';
  if (since(Math.max(lastAt ?? 0, askedAt)) < PATIENCE.stall) return 'wait';
  return asks < (look.refused ? MOST_REFUSED_ASKS : MOST_ASKS) ? 'ask' : 'stalled';
}

function judgeSilence({ asks, servedBefore, examined, refused }: TransferLook, silent: number): Judgement {
  if (refused && asks < MOST_REFUSED_ASKS) return silent >= PATIENCE.secondAsk ? 'ask' : 'wait';
  if (silent >= PATIENCE.neverCalled) return 'never-called';
  // A fetch from an earlier run ended with that run, so the device has to be asked.
  if (servedBefore && asks === 0 && silent >= PATIENCE.firstCall) return 'ask';
  if (silent >= PATIENCE.firstCall && !examined) return 'examine';
  if (silent >= PATIENCE.secondAsk && asks < 2) return 'ask';
  return 'wait';
}
