/**
 * Counters of a gate over time. They are 32-bit and begin again at 0 after 0xFFFFFFFF (part 2, 2.12), so that
 * differences are modular; a fall that is no wrap is a restart, after which they count from 0.
 */
const MODULUS = 0x1_0000_0000;
/** More passages than this between two readings were never walked. */
const MOST_BETWEEN = 100_000;
const NAMES = ['inDoorPassCount', 'outDoorPassCount', 'inDoorAuthCount', 'outDoorAuthCount'] as const;
type Counter = (typeof NAMES)[number];
export type Counters = Readonly<Record<Counter, number>>;

/** Passages counted since the first reading. */
export interface Tally {
  readonly last: Counters;
  readonly counted: Counters;
  readonly wraps: number;
  readonly restarts: number;
}

/** Returns the four counters; undefined if one is absent or no 32-bit number. */
export function parseCounters(status: Readonly<Partial<Record<Counter, number>>>): Counters | undefined {
  const isCounter = (value: number | undefined): boolean =>
    Number.isInteger(value) && (value ?? -1) >= 0 && (value ?? MODULUS) < MODULUS;
  if (!NAMES.every((name) => isCounter(status[name]))) return undefined;
  return eachOf((name) => status[name] ?? 0);
}

export function createTally(counters: Counters): Tally {
  return { last: counters, counted: eachOf(() => 0), wraps: 0, restarts: 0 };
}

/** Adds a reading to the tally: all four counters go on, or the gate restarted and all count from 0. */
export function tallyWith(tally: Tally, now: Counters): Tally {
  const steps = eachOf((name) => (now[name] - tally.last[name] + MODULUS) % MODULUS);
  const hasRestarted = NAMES.some((name) => steps[name] > MOST_BETWEEN);
  const more = hasRestarted ? now : steps;
  return {
    last: now,
    counted: eachOf((name) => tally.counted[name] + (more[name] > MOST_BETWEEN ? 0 : more[name])),
    wraps: tally.wraps + (hasRestarted ? 0 : NAMES.filter((name) => now[name] < tally.last[name]).length),
    restarts: tally.restarts + (hasRestarted ? 1 : 0),
  };
}

type PassVerdict = 'right' | 'swapped' | 'wrong' | 'restarted';

/**
 * Compares `walked` passages in one direction with the count; a restart in between may have lost some of
 * them.
 */
export function passVerdict(
  direction: 'in' | 'out',
  walked: number,
  { counted, restarts }: Tally,
): PassVerdict {
  const { inDoorPassCount: entered, outDoorPassCount: left } = counted;
  const [own, other] = direction === 'in' ? [entered, left] : [left, entered];
  if (own === walked && other === 0) return 'right';
  if (restarts > 0) return 'restarted';
  return own === 0 && other === walked && walked > 0 ? 'swapped' : 'wrong';
}

/** Returns the passages a minute in each direction since the first reading, `elapsed` milliseconds ago. */
export function getPassesPerMinute(
  { counted }: Tally,
  elapsed: number,
): { readonly in: number; readonly out: number } {
  const perMinute = (count: number): number => (elapsed <= 0 ? 0 : (count * 60_000) / elapsed);
  return { in: perMinute(counted.inDoorPassCount), out: perMinute(counted.outDoorPassCount) };
}

function eachOf(value: (name: Counter) => number): Counters {
  return Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<Counter, number>;
}
