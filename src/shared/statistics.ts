/** A series of readings as numbers: mean, scatter, drift. Pure, in the unit of the readings. */

/** Binary fractions of decimal numbers differ by less than this. */
export const NOISE = 1e-9;

export interface Drift {
  /** Change from one reading to the next. */
  readonly slope: number;
  /** Standard uncertainty of the slope. */
  readonly uncertainty: number;
  /** Along the whole series. */
  readonly total: number;
  /** True if it is more than scatter and the display explain. */
  readonly isCertain: boolean;
}

export function computeMean(values: readonly number[]): number {
  return clean(sum(values) / values.length);
}

/** Returns the standard deviation of a sample (n − 1); 0 for a single value. */
export function computeDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = sum(values) / values.length;
  return clean(Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1)));
}

/** A single step of the display somewhere in a series tilts its line by so many steps at most. */
const TILT = 1.5;

/** Computes the line of least squares through equally spaced values. */
export function computeDrift(values: readonly number[], resolution: number): Drift {
  const n = values.length;
  if (n < 3) return { slope: 0, uncertainty: 0, total: 0, isCertain: false };
  const middle = (n - 1) / 2;
  const mean = sum(values) / n;
  const spread = sum(values.map((_value, at) => (at - middle) ** 2));
  const slope = sum(values.map((value, at) => (at - middle) * (value - mean))) / spread;
  const left = sum(values.map((value, at) => (value - mean - slope * (at - middle)) ** 2));
  const uncertainty = Math.sqrt(left / (n - 2) / spread);
  const total = slope * (n - 1);
  return {
    slope: clean(slope),
    uncertainty: clean(uncertainty),
    total: clean(total),
    isCertain: Math.abs(slope) > 2 * uncertainty + NOISE && Math.abs(total) > TILT * resolution + NOISE,
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Removes the noise of binary fractions, and −0. */
export function clean(value: number): number {
  return Number(value.toFixed(9)) + 0;
}
