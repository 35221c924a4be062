/** Worked examples: the same sums done by hand, in decimal fractions, to the digit. */
import { expect, it } from 'vitest';
import {
  computeCompensation,
  isWithin,
  findOutliers,
  computeResult,
  roundValue,
  toStep,
  type Series,
} from '#engine/flow/thermal/arithmetic.ts';
import { computeDeviation, computeDrift, computeMean } from '#shared/statistics.ts';
import {
  convertDifferenceFromCelsius,
  convertFromCelsius,
  guessUnit,
  convertToCelsius,
  toMeters,
} from '#engine/flow/thermal/temperature.ts';
import { updateWarmUp } from '#engine/flow/thermal/warm-up.ts';

const WARM = [35.3, 35.4, 35.4, 35.3, 35.4, 35.5, 35.4, 35.3, 35.4, 35.4];
const HOT = [37.4, 37.5, 37.4, 37.4, 37.5, 37.4, 37.3, 37.4, 37.5, 37.4];

function series(setPoint: number, readings: readonly number[]): Series {
  return { reference: { setPoint, uncertainty: 0.2 }, readings, resolution: 0.1 };
}

// Would catch: n instead of n − 1, U_ref not halved, a resolution that is not divided by √12, a slope per whole series.
it('computes mean, deviation, drift, error and expanded uncertainty', () => {
  const { mean, deviation, drift, error, uncertainty, count } = computeResult(series(35, WARM));

  expect({ count, mean, error }).toEqual({ count: 10, mean: 35.38, error: 0.38 });
  expect(deviation).toBe(0.063245553);
  expect(drift).toEqual({ slope: 0.004848485, uncertainty: 0.0071838, total: 0.043636364, isCertain: false });
  // 2·√(0.004/10 + 0.01 + 0.01/12)
  expect(uncertainty).toBe(0.211974841);
});

it('tells a drift from scatter, and knows how certain it is', () => {
  expect(computeDrift([36, 36.1, 36.2, 36.3, 36.4, 36.5], 0.1)).toEqual({
    slope: 0.1,
    uncertainty: 0,
    total: 0.5,
    isCertain: true,
  });
  const rising = computeDrift([35.0, 35.1, 35.1, 35.2, 35.3, 35.3, 35.4, 35.5, 35.5, 35.6], 0.1);
  expect([rising.slope, rising.uncertainty, rising.isCertain]).toEqual([0.065454545, 0.003149183, true]);
  // One step of the display is no drift.
  expect(computeDrift([36, 36, 36, 36.1, 36.1, 36.1], 0.1).isCertain).toBe(false);
  expect(computeDrift([36, 37], 0.1)).toEqual({ slope: 0, uncertainty: 0, total: 0, isCertain: false });
});

// Would catch: a rule of three deviations, which no value of ten readings can ever break.
it('names readings that do not belong to the rest', () => {
  expect(findOutliers([36.5, 36.5, 36.6, 36.5, 36.4, 36.5, 36.5, 36.6, 36.5, 38.5], 0.1)).toEqual([9]);
  expect(findOutliers(WARM, 0.1)).toEqual([]);
  expect(findOutliers([36.5, 36.5, 36.5, 36.8], 0.1)).toEqual([]);
});

// Would catch: another bound than 3.5 modified z scores, one that counts itself, and scores of the wrong deviation.
it('takes for an outlier what lies more than 3.5 modified z scores away', () => {
  // Median 36, median deviation 1: 3.5 scores are 3.5 / 0.6745 = 5.189 away.
  const readings = (last: number) => [34, 35, 35, 36, 36, 37, 37, 38, last];

  expect([41.18, 41.2, 30.82, 30.8].map((last) => findOutliers(readings(last), 0.01))).toEqual([
    [],
    [8],
    [],
    [8],
  ]);
});

// Would catch: a display that jumps by a step or two called a wrong reading; the fourth step is one.
it('takes three steps of the display for none', () => {
  expect([36.8, 36.9].map((last) => findOutliers([36.5, 36.5, 36.5, 36.5, last], 0.1))).toEqual([[], [4]]);
});

// Would catch: a compensation with the wrong sign, or an uncertainty that shrinks with the blackbody's own.
it('suggests the mean of −error, known no better than the blackbody', () => {
  const suggested = computeCompensation([series(35, WARM), series(37, HOT)]);

  // 2·√((0.0004 + 0.0004)/4 + 0.01 + 0.01/12)
  expect(suggested).toEqual({ value: -0.4, uncertainty: 0.21007935, spread: 0.04, isCertain: true });
  expect(computeCompensation([series(35, [35, 35.1, 35])]).isCertain).toBe(false);
});

// Would catch: a decision on error alone; a sum of shown numbers that contradicts the decision.
it.each([
  [0.3, 0.2, true],
  [-0.3, 0.2, true],
  [0.3, 0.201, false],
  [-0.31, 0.2, false],
  [0.3004, 0.2004, true],
])('error %f with U %f is within 0.5: %s', (error, uncertainty, within) => {
  expect(isWithin({ error, uncertainty }, 0.5)).toBe(within);
});

it('rounds to the resolution of a field, halves away from zero, and never to −0', () => {
  expect([toStep(-0.38, 0.1), toStep(0.25, 0.1), toStep(-0.25, 0.1), toStep(-0.04, 0.1)]).toEqual([
    -0.4, 0.3, -0.3, 0,
  ]);
  expect([toStep(1.5, 1), toStep(-0.49, 1), roundValue(0.211974841)]).toEqual([2, 0, 0.212]);
  expect([computeMean([0.1, 0.2]), computeDeviation([5])]).toEqual([0.15, 0]);
});

it.each([
  [97.7, 'degreeFahrenheit', 36.5],
  [-40, 'degreeFahrenheit', -40],
  [309.65, 'degreeKelvin', 36.5],
  [36.5, 'degreeCentigrade', 36.5],
] as const)('%f in %s is %f °C, and back', (value, unit, expected) => {
  expect(convertToCelsius(value, unit)).toBe(expected);
  expect(convertFromCelsius(expected, unit)).toBe(value);
});

it('keeps spans apart from temperatures, and knows feet', () => {
  expect(convertDifferenceFromCelsius(-0.5, 'degreeFahrenheit')).toBe(-0.9);
  expect(convertDifferenceFromCelsius(-0.5, 'degreeKelvin')).toBe(-0.5);
  expect([toMeters(10, 'feet'), toMeters(150, 'centimeter'), toMeters(3, undefined)]).toEqual([
    3.048, 1.5, 3,
  ]);
});

// Would catch: 97.7 that goes by as 97.7 °C; a hot industrial target that is called a mistake.
it.each([
  [97.7, 'degreeCentigrade', 36.5, 'degreeFahrenheit'],
  [36.5, 'degreeFahrenheit', 36.5, 'degreeCentigrade'],
  [309.7, 'degreeCentigrade', 36.5, 'degreeKelvin'],
  [36.9, 'degreeCentigrade', 36.5, undefined],
  [98.2, 'degreeCentigrade', 100, undefined],
  [600, 'degreeCentigrade', 36.5, undefined],
] as const)('%f in %s beside %f °C is meant in %s', (value, unit, expected, meant) => {
  expect(guessUnit(value, unit, expected)).toBe(meant);
});

// Would catch: a warm-up that ends at once, or never, because the clock was set; one that a sleep begins
// anew.
it('counts a warm-up through sleep, and not what a clock goes back', () => {
  const minute = 60_000;
  const begin = { elapsedMs: 0, lastMs: 100 * minute, backMs: 0, leapMs: 0 };

  const slept = updateWarmUp(updateWarmUp(begin, 101 * minute), 111 * minute);
  expect(slept).toEqual({ elapsedMs: 11 * minute, lastMs: 111 * minute, backMs: 0, leapMs: 10 * minute });
  const back = updateWarmUp(updateWarmUp(slept, 51 * minute), 52 * minute);
  expect(back).toEqual({
    elapsedMs: 12 * minute,
    lastMs: 52 * minute,
    backMs: 60 * minute,
    leapMs: 10 * minute,
  });
});
