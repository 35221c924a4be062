/** Series of readings at set points: typed or pasted, shown as they come, begun again where something moved. */
import { formatLocalTime } from '#engine/host/local-time.ts';
import type { Block, Fact, Plot, DocumentText } from '#shared/report-document.ts';
import type { FlowField, Question, StepContext, Values } from '../flow.ts';
import {
  DECIMALS,
  isWithin,
  computeMedian,
  computeResult,
  roundValue,
  type Result,
  type Series,
} from './arithmetic.ts';
import { findBlackbody, getLimits } from './prepare.ts';
import type { Limits } from './profiles.ts';
import { makeCelsiusValue, createField, numberIn, settleDoubts } from './questions.ts';
import {
  convertDifferenceToCelsius,
  guessUnit,
  SYMBOLS,
  convertToCelsius,
  parseTemperatureUnit,
  type TemperatureUnit,
} from './temperature.ts';

/** Readings as typed, with who and when. */
interface Batch {
  readonly readings: readonly number[];
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

/** A series at one set point as it is kept. */
export interface Taken {
  readonly setPoint: { readonly value: number; readonly unit: TemperatureUnit };
  readonly batches: readonly Batch[];
  readonly display: Display;
  /** Uncertainty of the blackbody, in °C. */
  readonly uncertainty: number;
  /** Why it was begun again, and how many readings went with that. */
  readonly restarts: readonly { readonly why: Restart; readonly readings: number }[];
}
type Restart = 'moved' | 'mistyped';

/** How readings are taken. */
export interface Display {
  readonly unit: TemperatureUnit;
  readonly setPointUnit: TemperatureUnit;
  /** Least step of the display, in `unit`. */
  readonly resolution: number;
  /** Seconds between two readings. */
  readonly interval: number;
}

function typed({ batches }: Pick<Taken, 'batches'>): readonly number[] {
  return batches.flatMap(({ readings }) => readings);
}

/** Converts a series to °C. */
export function toSeries(taken: Taken): Series {
  const { setPoint, display, uncertainty } = taken;
  return {
    reference: { setPoint: convertToCelsius(setPoint.value, setPoint.unit), uncertainty },
    readings: typed(taken).map((reading) => convertToCelsius(reading, display.unit)),
    resolution: convertDifferenceToCelsius(display.resolution, display.unit),
  };
}

/** Takes one series after another, until there are as many set points as the profile wants. */
export async function takeAll(step: StepContext, display: Display): Promise<readonly Taken[]> {
  const { points } = getLimits(step);
  const taken: Taken[] = [];
  for (let nth = 1; nth <= points; nth += 1) taken.push(await takeOne(step, nth, display, taken));
  step.save('series', taken);
  return taken;
}

async function takeOne(
  step: StepContext,
  nth: number,
  display: Display,
  others: readonly Taken[],
): Promise<Taken> {
  const limits = getLimits(step);
  const uncertainty = findBlackbody(step)?.uncertainty ?? 0;
  const restarts: Taken['restarts'][number][] = [];
  let last: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const batches: Batch[] = [];
    const named = attempt === 1 ? String(nth) : `${nth}-${attempt}`;
    let setPoint: Taken['setPoint'] | undefined;
    const proposed = last ?? proposeSetPoint(step, nth);
    for (let part = 1; ; part += 1) {
      const name = part === 1 ? named : `${named}.${part}`;
      const answer = await step.ask(
        `readings${name}`,
        readingsQuestion(name, { nth, limits, display, batches, setPoint, proposed, others }),
      );
      setPoint ??= { value: numberIn(answer, `setPoint${name}`) ?? NaN, unit: display.setPointUnit };
      const stamp = await step.once(`at${name}`, () => ({ at: step.now().toISOString(), by: step.user }));
      batches.push({ readings: answer[`readings${name}`] as readonly number[], ...stamp });
      const taken: Taken = { setPoint, batches, display, uncertainty, restarts };
      await settleDoubts(step, `sure${name}`, doubtsAbout(taken, limits, others));
      const next = await step.ask(`next${name}`, reviewQuestion(name, taken, limits));
      const way = next[`next${name}`];
      if (way === 'use') return taken;
      if (way === 'more') continue;
      last = setPoint.value;
      restarts.push({ why: way as Restart, readings: typed(taken).length });
      break;
    }
  }
}

/**
 * Returns the set point of the camera's first readings. Begins with the last one of the camera before: there the
 * blackbody stands now, and warming or cooling it takes the longest.
 */
function proposeSetPoint(step: StepContext, nth: number): number | undefined {
  const own = step.earlier<readonly Taken[]>('readings', 'series');
  const before =
    step.ofDeviceBefore<readonly Taken[]>('verification', 'series') ??
    step.ofDeviceBefore<readonly Taken[]>('readings', 'series');
  return (own?.[nth - 1] ?? before?.at(-nth))?.setPoint.value;
}

interface Asking extends Pick<Taken, 'display' | 'batches'> {
  readonly nth: number;
  readonly limits: Limits;
  readonly setPoint: Taken['setPoint'] | undefined;
  /** Set point proposed from the series before, in the unit of set points. */
  readonly proposed: number | undefined;
  readonly others: readonly Taken[];
}

/** Set points lie at least so far apart, in °C, or they are one. */
const APART = 0.5;
const LOWEST = -500;
const HIGHEST = 6000;

function readingsQuestion(name: string, asking: Asking): Question {
  const { nth, limits, display, batches, setPoint, proposed, others } = asking;
  const { from, to, readings, points } = limits;
  const range: readonly DocumentText[] =
    from === undefined || to === undefined ? [] : [{ id: 'flow-thermal-range-text', values: { from, to } }];
  const left = Math.max(0, readings - typed(asking).length);
  const setPointField: FlowField = createField(`setPoint${name}`, 'flow-thermal-set-point', 'number', {
    required: true,
    unit: SYMBOLS[display.setPointUnit],
    min: LOWEST,
    max: HIGHEST,
    ...(proposed !== undefined && { value: proposed }),
  });
  return {
    text: [{ id: 'flow-thermal-readings-text', values: { nth, points, left } }, ...range],
    fields: [
      ...(setPoint === undefined ? [setPointField] : []),
      createField(`readings${name}`, 'flow-thermal-readings', 'numbers', {
        required: true,
        unit: SYMBOLS[display.unit],
        minLength: 1,
        min: LOWEST,
        max: HIGHEST,
      }),
    ],
    shows:
      setPoint === undefined && others.length === 0
        ? []
        : [
            plotOf(
              [...others, ...(setPoint === undefined ? [] : [{ setPoint, batches, display }])],
              limits.limit,
            ),
          ],
  };
}

function reviewQuestion(name: string, taken: Taken, limits: Limits): Question {
  const result = computeResult(toSeries(taken));
  const isEnough = result.count >= limits.readings;
  const options = (['use', 'more', 'moved', 'mistyped'] as const)
    .filter((value) => value !== 'use' || isEnough)
    .map((value) => ({ value, label: { id: `flow-thermal-next-${value}` as const } }));
  return {
    text: [
      ...(isEnough
        ? [{ id: 'flow-thermal-review' as const }]
        : [
            {
              id: 'flow-thermal-too-few' as const,
              values: { count: result.count, least: limits.readings },
            },
          ]),
      ...remarksOn(result),
    ],
    fields: [
      createField(`next${name}`, 'flow-thermal-next', 'choice', {
        required: true,
        value: isEnough ? 'use' : 'more',
        options,
      }),
    ],
    shows: [plotOf([taken], limits.limit), { block: 'facts', facts: resultFacts(taken, limits) }],
    ...(remarksOn(result).length > 0 && { tone: 'warning' as const }),
  };
}

function doubtsAbout(taken: Taken, { from, to }: Limits, others: readonly Taken[]): readonly DocumentText[] {
  const { setPoint, display } = taken;
  const [low, high] = [from ?? -Infinity, to ?? Infinity];
  const at = convertToCelsius(setPoint.value, setPoint.unit);
  const meant = (value: number, unit: TemperatureUnit, expected: number): readonly DocumentText[] => {
    const other = guessUnit(value, unit, expected);
    return other === undefined
      ? []
      : [{ id: 'flow-thermal-meant', values: { value, unit: SYMBOLS[unit], meant: SYMBOLS[other] } }];
  };
  // The same mistake is reported once.
  if (taken.batches.length > 1)
    return meant(computeMedian(taken.batches.at(-1)?.readings ?? []), display.unit, at);
  const ofSetPoint =
    from === undefined || to === undefined ? [] : meant(setPoint.value, setPoint.unit, (from + to) / 2);
  if (ofSetPoint.length > 0) return ofSetPoint;
  return [
    ...(at < low || at > high
      ? [{ id: 'flow-thermal-out-of-range' as const, values: { value: roundValue(at) } }]
      : []),
    ...(others.some((other) => Math.abs(toSeries(other).reference.setPoint - at) < APART)
      ? [{ id: 'flow-thermal-same-point' as const }]
      : []),
    ...meant(computeMedian(typed(taken)), display.unit, at),
  ];
}

/**
 * Returns the remarks that a person should see before the series counts. The computation omits no reading.
 */
function remarksOn({ outliers, drift }: Result): readonly DocumentText[] {
  return [
    ...(outliers.length > 0
      ? [
          {
            id: 'flow-thermal-outliers' as const,
            values: { places: outliers.map((at) => at + 1).join(', ') },
          },
        ]
      : []),
    ...(drift.isCertain
      ? [{ id: 'flow-thermal-unsteady' as const, values: { total: roundValue(drift.total) } }]
      : []),
  ];
}

function resultFacts(taken: Taken, { limit }: Limits): readonly Fact[] {
  const result = computeResult(toSeries(taken));
  const { setPoint, display } = taken;
  const perMinute = 60 / display.interval;
  const { slope, uncertainty } = result.drift;
  const rate = (value: number): Fact['value'] => ({
    number: roundValue(value * perMinute),
    decimals: DECIMALS,
    unit: '°C/min',
  });
  return [
    {
      label: { id: 'flow-thermal-set-point' },
      value: { number: setPoint.value, unit: SYMBOLS[setPoint.unit] },
      proof: 'attested',
    },
    { label: { id: 'flow-thermal-number' }, value: { number: result.count } },
    { label: { id: 'flow-thermal-mean' }, value: makeCelsiusValue(result.mean) },
    { label: { id: 'flow-thermal-deviation' }, value: makeCelsiusValue(result.deviation) },
    { label: { id: 'flow-thermal-drift' }, value: rate(slope) },
    { label: { id: 'flow-thermal-drift-u' }, value: rate(uncertainty) },
    { label: { id: 'flow-thermal-drift-total' }, value: makeCelsiusValue(result.drift.total) },
    { label: { id: 'flow-thermal-error' }, value: makeCelsiusValue(result.error) },
    { label: { id: 'flow-thermal-u' }, value: makeCelsiusValue(result.uncertainty) },
    {
      label: { id: 'flow-thermal-within', values: { limit } },
      value: { result: isWithin(result, limit) ? 'done' : 'failed' },
    },
  ];
}

/** Deviations from the set points over time, with the limits of the profile. */
export function plotOf(all: readonly Pick<Taken, 'setPoint' | 'batches' | 'display'>[], limit: number): Plot {
  const series = all.map(({ setPoint, batches, display }) => {
    const at = convertToCelsius(setPoint.value, setPoint.unit);
    const readings = typed({ batches });
    return {
      label: {
        id: 'flow-thermal-at' as const,
        values: { value: setPoint.value, unit: SYMBOLS[setPoint.unit] },
      },
      draw: 'points' as const,
      points: readings.map(
        (reading, nth) =>
          [
            roundValue((nth * display.interval) / 60),
            roundValue(convertToCelsius(reading, display.unit) - at),
          ] as const,
      ),
    };
  });
  return {
    block: 'plot',
    title: { id: 'flow-thermal-plot' },
    x: { label: { id: 'flow-thermal-time' }, unit: 'min', decimals: 2 },
    y: { label: { id: 'flow-thermal-off' }, unit: '°C', decimals: 2 },
    series,
    limits: [
      { label: { id: 'flow-thermal-upper' }, at: limit },
      { label: { id: 'flow-thermal-zero' }, at: 0 },
      { label: { id: 'flow-thermal-lower' }, at: -limit },
    ],
    twin: {
      id: 'flow-thermal-plot-twin',
      values: {
        count: series.reduce((count, { points }) => count + points.length, 0),
        points: all.length,
        limit,
      },
    },
  };
}

export function buildSeriesBlocks(all: readonly Taken[], limits: Limits): readonly Block[] {
  return [
    ...all.map((taken): Block => {
      const { setPoint, restarts, display, batches } = taken;
      const remarks = remarksOn(computeResult(toSeries(taken)));
      return {
        block: 'group',
        title: { id: 'flow-thermal-at', values: { value: setPoint.value, unit: SYMBOLS[setPoint.unit] } },
        blocks: [
          { block: 'facts', facts: resultFacts(taken, limits) },
          ...[
            ...remarks,
            ...restarts.map(({ why, readings }) => ({
              id: `flow-thermal-was-${why}` as const,
              values: { readings },
            })),
          ].map((text) => ({ block: 'paragraph' as const, text, tone: 'notice' as const })),
          {
            block: 'table',
            title: { id: 'flow-thermal-readings' },
            columns: [
              { label: { id: 'flow-thermal-nth' }, type: 'number' },
              { label: { id: 'flow-thermal-reading' }, type: 'number', unit: SYMBOLS[display.unit] },
              { label: { id: 'flow-thermal-by' }, type: 'text' },
              { label: { id: 'flow-thermal-when' }, type: 'time' },
            ],
            rows: batches
              .flatMap(({ readings, at, by }) => readings.map((reading) => ({ reading, at, by })))
              .map(({ reading, at, by }, nth) => [
                { number: nth + 1 },
                { number: reading, unit: SYMBOLS[display.unit], decimals: decimalsOf(reading, display) },
                by,
                { time: formatLocalTime(new Date(at)) },
              ]),
          },
        ],
      };
    }),
    plotOf(all, limits.limit),
  ];
}

/** Returns the decimals of a reading: as many as the display has, or more if more were typed. */
function decimalsOf(reading: number, { resolution }: Display): number {
  const decimals = (value: number): number => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Math.min(9, Math.max(decimals(reading), decimals(resolution)));
}

export function displayOf(answer: Values): Display {
  return {
    unit: parseTemperatureUnit(answer['unit']),
    setPointUnit: parseTemperatureUnit(answer['setPointUnit']),
    resolution: numberIn(answer, 'resolution') ?? 0,
    interval: numberIn(answer, 'interval') ?? 1,
  };
}
