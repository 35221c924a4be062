/**
 * Readings of a radiation thermometer against a blackbody, as numbers: everything in °C (or kelvin, for differences).
 * Pure. Results are not rounded; `rounded` gives them as a record holds them.
 */
import {
  NOISE,
  clean,
  computeDeviation,
  computeDrift,
  computeMean,
  sum,
  type Drift,
} from '#shared/statistics.ts';

/** Decimals that a record gives of a temperature: enough to check the arithmetic by hand. */
export const DECIMALS = 3;

interface Reference {
  readonly setPoint: number;
  /** Expanded uncertainty of the blackbody, k = 2. */
  readonly uncertainty: number;
}

export interface Series {
  readonly reference: Reference;
  /** Readings in the order in which they were taken. */
  readonly readings: readonly number[];
  /** Least step of the display. */
  readonly resolution: number;
}

export interface Result {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation of a sample: n − 1. */
  readonly deviation: number;
  readonly drift: Drift;
  /** Mean less set point. */
  readonly error: number;
  /** Expanded uncertainty, k = 2: U = 2·√(s²/n + (U_ref/2)² + resolution²/12). */
  readonly uncertainty: number;
  /** Places of readings that do not belong to the rest, from 0. */
  readonly outliers: readonly number[];
}

/** Modified z score above which a reading is an outlier, and what makes the median deviation comparable with a standard one. */
const FAR = 3.5;
const OF_NORMAL = 0.6745;
/** A display jumps by a step now and then: nothing within so many steps is an outlier. */
const STEPS = 3;

/** Finds outliers by the median, which a few wrong readings do not move. */
export function findOutliers(values: readonly number[], resolution: number): readonly number[] {
  const middle = computeMedian(values);
  const usual = computeMedian(values.map((value) => Math.abs(value - middle)));
  const most = Math.max((FAR * usual) / OF_NORMAL, STEPS * resolution) + NOISE;
  return values.flatMap((value, at) => (Math.abs(value - middle) > most ? [at] : []));
}

export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = sorted.length / 2;
  return ((sorted[Math.ceil(at) - 1] ?? NaN) + (sorted[Math.floor(at)] ?? NaN)) / 2;
}

/** Needs one reading at least. */
export function computeResult({ reference, readings, resolution }: Series): Result {
  const mean = computeMean(readings);
  const deviation = computeDeviation(readings);
  return {
    count: readings.length,
    mean,
    deviation,
    drift: computeDrift(readings, resolution),
    error: clean(mean - reference.setPoint),
    uncertainty: expanded([deviation ** 2 / readings.length], reference, resolution),
    outliers: findOutliers(readings, resolution),
  };
}

/**
 * Returns true if |error| + U is within the limit, the rule of every profile. It uses the values as the
 * record shows them, so that recomputing them gives the same result.
 */
export function isWithin(
  { error, uncertainty }: Pick<Result, 'error' | 'uncertainty'>,
  limit: number,
): boolean {
  return roundValue(Math.abs(error)) + roundValue(uncertainty) <= limit + NOISE;
}

export interface Compensation {
  /** Amount to add to what the camera shows. */
  readonly value: number;
  /** Expanded, k = 2. */
  readonly uncertainty: number;
  /** Greatest less least error of the set points: what one number cannot compensate. */
  readonly spread: number;
  /** More than its own uncertainty: it is known in which direction to go. */
  readonly isCertain: boolean;
}

/**
 * Computes the mean of −error over the set points. All of them rest on one blackbody: its uncertainty, and
 * that of the display, do not become less with their number. Needs one set point at least.
 */
export function computeCompensation(series: readonly Series[]): Compensation {
  const results = series.map(computeResult);
  const errors = results.map(({ error }) => error);
  const value = clean(-sum(errors) / errors.length);
  const scatter = results.map(({ deviation, count }) => deviation ** 2 / count / series.length ** 2);
  const worst = Math.max(...series.map(({ reference }) => reference.uncertainty));
  const resolution = Math.max(...series.map((one) => one.resolution));
  const uncertainty = expanded(scatter, { uncertainty: worst }, resolution);
  return {
    value,
    uncertainty,
    spread: clean(Math.max(...errors) - Math.min(...errors)),
    isCertain: Math.abs(value) > uncertainty,
  };
}

/** Rounds to a multiple of `step`; halves go away from zero. */
export function toStep(value: number, step: number): number {
  return clean(Math.sign(value) * Math.round(Math.abs(value) / step + NOISE) * step);
}

/** Rounds a value as a record holds it. */
export function roundValue(value: number): number {
  return toStep(value, 10 ** -DECIMALS);
}

function expanded(
  variances: readonly number[],
  { uncertainty }: Pick<Reference, 'uncertainty'>,
  resolution: number,
): number {
  return clean(2 * Math.sqrt(sum(variances) + (uncertainty / 2) ** 2 + resolution ** 2 / 12));
}
