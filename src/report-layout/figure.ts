/** Drawings and plots as the few marks that SVG and PDF both draw. Colour alone never carries a meaning. */
import { encodeQR } from 'qr';
import type { Drawing, Plot } from '#shared/report-document.ts';
import type { Reader } from './reader.ts';

/** The colours; both renderers have one for each. */
export const INKS = [
  'plain',
  'off',
  'good',
  'warning',
  'bad',
  'grid',
  'one',
  'two',
  'three',
  'four',
] as const;
type Ink = (typeof INKS)[number];
type Point = readonly [x: number, y: number];

interface Inked {
  readonly ink: Ink;
}
export interface Outlined extends Inked {
  readonly filled?: boolean;
  /** Lengths of dash and gap. */
  readonly dash?: readonly [number, number];
}
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Mark =
  | (Outlined & Box & { readonly mark: 'rect' })
  | (Outlined & { readonly mark: 'circle'; readonly x: number; readonly y: number; readonly r: number })
  | (Outlined & { readonly mark: 'path'; readonly points: readonly Point[]; readonly closed?: boolean })
  | (Inked & {
      readonly mark: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly anchor: 'start' | 'middle' | 'end';
    })
  /** A machine-readable code: a white square, by day and by night, with a black path as SVG has it. */
  | {
      readonly mark: 'code';
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly path: string;
    };

export interface Figure {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

const MODULE = 4;
/** Modules of white around a code. */
const QUIET = 4;

/** Draws a QR code; dark modules beside each other are one rectangle. */
export function drawQrCode(text: string): Figure {
  const mark = drawCodeAt(text, { x: 0, y: 0 });
  return { width: mark.size, height: mark.size, marks: [mark] };
}

/** `size`: side of the square; absent: as many units as its modules need. */
function drawCodeAt(
  text: string,
  { x: left, y: top, size }: { readonly x: number; readonly y: number; readonly size?: number },
): Extract<Mark, { readonly mark: 'code' }> {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const module = size === undefined ? MODULE : size / rows.length;
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue;
      const from = x;
      while (row[x + 1] === true) x += 1;
      const width = round((x - from + 1) * module);
      path += `M${round(left + from * module)} ${round(top + y * module)}h${width}v${round(module)}h-${width}z`;
    }
  });
  return { mark: 'code', x: left, y: top, size: size ?? rows.length * MODULE, path };
}

/** Labels that stand beside each other. */
export const LABELS_A_ROW = 2;
const LABEL = { width: 304, height: 132, pad: 6 };
const [NAME_SIZE, LINE_SIZE] = [13, 9];
/** Lines of a name, and of each other text, at most. */
const [MOST_NAME_LINES, MOST_TEXT_LINES] = [3, 2];

/** Draws labels to cut out: the code, and beside it its title and its lines. */
export function drawLabels(
  labels: readonly { readonly title: string; readonly text: string; readonly lines: readonly string[] }[],
): Figure {
  const { width, height, pad } = LABEL;
  const marks = labels.flatMap(({ title, text, lines }, nth): readonly Mark[] => {
    const left = nth * (width + 2 * pad);
    const code = height - 2 * pad;
    const x = left + code + 2 * pad;
    const room = width - code - 3 * pad;
    let y = pad;
    const written = [
      [title, NAME_SIZE, MOST_NAME_LINES] as const,
      ...lines.filter((line) => line !== title).map((line) => [line, LINE_SIZE, MOST_TEXT_LINES] as const),
    ].flatMap(([words, size, most]) =>
      wrapText(words, room / size, most).flatMap((line): readonly Mark[] => {
        y += size * 1.25;
        return y > height - pad
          ? []
          : [{ mark: 'text', x, y, text: line, size, anchor: 'start', ink: 'plain' }];
      }),
    );
    return [
      { mark: 'rect', x: left, y: 0, width, height, ink: 'grid', dash: [4, 4] },
      drawCodeAt(text, { x: left + pad, y: pad, size: code }),
      ...written,
    ];
  });
  return { width: LABELS_A_ROW * width + (LABELS_A_ROW - 1) * 2 * pad, height, marks };
}

/** Breaks a text into lines of `room` sizes of its letters; what is beyond `most` lines is cut off. */
function wrapText(text: string, room: number, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/[^\s-]*[\s-]?/g)?.filter((part) => part !== '') ?? []) {
    if (measureText(line + word) <= room) {
      line += word;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    for (const letter of word) {
      if (measureText(line + letter) > room) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${[...(lines[most - 1] ?? '')].slice(0, -1).join('')}…`];
}

/** Returns the width of a text in sizes of its letters, as wide as they may be. */
function measureText(text: string): number {
  return [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? WIDE_LETTER : LETTER), 0);
}

/**
 * Draws shapes so that their tone shows without colour: off is dashed, good is filled, a warning is struck
 * through once, bad is crossed out.
 */
export function drawFigure({ width, height, shapes }: Drawing, reader: Reader): Figure {
  const marks = shapes.flatMap((shape): readonly Mark[] => {
    if (shape.shape === 'text') {
      const { x, y, size = 12, anchor = 'start' } = shape;
      return [{ mark: 'text', x, y, size, anchor, ink: 'plain', text: reader.words(shape.text) }];
    }
    const { state = 'plain' } = shape;
    const look: Outlined = {
      ink: state,
      filled: state === 'good' || state === 'bad' || state === 'warning',
      ...(state === 'off' && { dash: [3, 3] as const }),
    };
    if (shape.shape === 'path')
      return [
        {
          mark: 'path',
          points: shape.points,
          closed: shape.closed === true,
          ...look,
          filled: look.filled === true && shape.closed === true,
        },
      ];
    const mark: Mark =
      shape.shape === 'rect'
        ? { mark: 'rect', ...boxOf(shape), ...look }
        : { mark: 'circle', x: shape.x, y: shape.y, r: shape.r, ...look };
    return [mark, ...strokesThrough(boxOf(shape), state === 'bad' ? 2 : state === 'warning' ? 1 : 0)];
  });
  return framed({ width, height, marks });
}

/** Widest letters of the fonts in use, in parts of their size: those of Latin, and those as wide as high. */
const LETTER = 0.62;
const WIDE_LETTER = 1;
const WIDE = /[\u1100-\u{10ffff}]/u;
/** Half of a line, so that none is cut along its length. */
const EDGE = 1;

/** Returns the figure with a frame that holds all of its marks; one that holds them already is not changed. */
function framed(figure: Figure): Figure {
  const boxes = figure.marks.map(measureBounds);
  const left = least([0, ...boxes.map(({ x }) => x)]);
  const top = least([0, ...boxes.map(({ y }) => y)]);
  const right = greatest([figure.width, ...boxes.map(({ x, width }) => x + width)]);
  const bottom = greatest([figure.height, ...boxes.map(({ y, height }) => y + height)]);
  const marks = left < 0 || top < 0 ? figure.marks.map((mark) => moved(mark, -left, -top)) : figure.marks;
  return { width: Math.ceil(right - left), height: Math.ceil(bottom - top), marks };
}

/** Returns the room that a mark takes, of a text as wide as its letters may be. */
export function measureBounds(mark: Mark): Box {
  switch (mark.mark) {
    case 'code':
      return { x: mark.x, y: mark.y, width: mark.size, height: mark.size };
    case 'rect':
    case 'circle': {
      const { x, y, width, height } = boxOf(mark);
      return { x: x - EDGE, y: y - EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
    }
    case 'path': {
      const xs = mark.points.map(([x]) => x);
      const ys = mark.points.map(([, y]) => y);
      if (xs.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
      const [x, y] = [least(xs) - EDGE, least(ys) - EDGE];
      return { x, y, width: greatest(xs) + EDGE - x, height: greatest(ys) + EDGE - y };
    }
    case 'text': {
      const width = measureText(mark.text) * mark.size;
      const share = { start: 0, middle: 0.5, end: 1 }[mark.anchor];
      return { x: mark.x - share * width, y: mark.y - mark.size, width, height: 1.25 * mark.size };
    }
  }
}

function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}
function greatest(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
}

function moved(mark: Mark, dx: number, dy: number): Mark {
  if (mark.mark === 'path') return { ...mark, points: mark.points.map(([x, y]): Point => [x + dx, y + dy]) };
  return { ...mark, x: mark.x + dx, y: mark.y + dy };
}

function boxOf(shape: Box | { readonly x: number; readonly y: number; readonly r: number }): Box {
  if ('r' in shape)
    return { x: shape.x - shape.r, y: shape.y - shape.r, width: 2 * shape.r, height: 2 * shape.r };
  return { x: shape.x, y: shape.y, width: shape.width, height: shape.height };
}

function strokesThrough({ x, y, width, height }: Box, count: number): readonly Mark[] {
  const strokes: readonly (readonly Point[])[] = [
    [
      [x, y + height],
      [x + width, y],
    ],
    [
      [x, y],
      [x + width, y + height],
    ],
  ];
  return strokes.slice(0, count).map((points) => ({ mark: 'path', points, ink: 'plain' }));
}

const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 64;
const RIGHT = 24;
const TOP = 16;
const BOTTOM = 48;
const LEGEND_LINE = 18;
const TICKS = 6;
/** More points would look the same. */
const MOST_DRAWN = 2000;
const SERIES_INKS: readonly Ink[] = ['one', 'two', 'three', 'four'];
const DASHES: readonly (readonly [number, number] | undefined)[] = [undefined, [6, 3], [2, 3], [9, 4]];

/** Draws a plot with its axes, limits and a legend below. */
export function plotFigure(plot: Plot, reader: Reader): Figure {
  const drawn = plot.series.map((series) => thinned(series.points));
  const limits = plot.limits ?? [];
  const xs = ticksOf(drawn.flatMap((points) => points.map(([x]) => x)));
  const ys = ticksOf([...drawn.flatMap((points) => points.map(([, y]) => y)), ...limits.map(({ at }) => at)]);
  const right = WIDTH - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  const x = (value: number): number => place(value, xs, LEFT, right);
  const y = (value: number): number => place(value, ys, bottom, TOP);
  const label = (axis: Plot['x']): string =>
    reader.words(axis.label) + (axis.unit === undefined ? '' : ` (${reader.words(axis.unit)})`);
  const marks: Mark[] = [
    ...xs.map((tick): Mark =>
      line(
        [
          [x(tick), TOP],
          [x(tick), bottom],
        ],
        'grid',
      ),
    ),
    ...ys.map((tick): Mark =>
      line(
        [
          [LEFT, y(tick)],
          [right, y(tick)],
        ],
        'grid',
      ),
    ),
    ...xs.map((tick): Mark => text(x(tick), bottom + 16, tickText(tick, xs), 'middle')),
    ...ys.map((tick): Mark => text(LEFT - 6, y(tick) + 4, tickText(tick, ys), 'end')),
    line(
      [
        [LEFT, TOP],
        [LEFT, bottom],
        [right, bottom],
      ],
      'plain',
    ),
    text((LEFT + right) / 2, bottom + 36, label(plot.x), 'middle'),
    ...limits.flatMap(({ at, label: name }): readonly Mark[] => [
      {
        ...line(
          [
            [LEFT, y(at)],
            [right, y(at)],
          ],
          'bad',
        ),
        dash: [8, 4],
      },
      text(right - 4, y(at) - 4, reader.words(name), 'end'),
    ]),
  ];
  const legend: Mark[] = [text(LEFT, HEIGHT + 4, label(plot.y), 'start')];
  plot.series.forEach((series, nth) => {
    const ink = SERIES_INKS[nth % SERIES_INKS.length] ?? 'one';
    const points = drawn[nth]?.map(([px, py]): Point => [x(px), y(py)]) ?? [];
    const dash = DASHES[nth % DASHES.length];
    const path = (along: readonly Point[]): Mark => ({ ...line(along, ink), ...(dash && { dash }) });
    const row = HEIGHT + 4 + LEGEND_LINE * (nth + 1);
    if (series.draw === 'line') {
      marks.push(path(points));
      legend.push(
        path([
          [LEFT, row - 4],
          [LEFT + 28, row - 4],
        ]),
      );
    } else {
      marks.push(...points.map((point) => dot(point, nth, ink)));
      legend.push(dot([LEFT + 14, row - 4], nth, ink));
    }
    legend.push(text(LEFT + 36, row, reader.words(series.label), 'start'));
  });
  return framed({
    width: WIDTH,
    height: HEIGHT + LEGEND_LINE * (plot.series.length + 1),
    marks: [...marks, ...legend],
  });
}

function line(points: readonly Point[], ink: Ink): Mark & { readonly mark: 'path' } {
  return { mark: 'path', points, ink };
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): Mark {
  return { mark: 'text', x, y, text: words, size: 12, anchor, ink: 'plain' };
}

/**
 * Returns a circle, square, triangle or hollow circle, so that series differ by shape as well as by colour.
 */
function dot([x, y]: Point, nth: number, ink: Ink): Mark {
  const filled = nth % 4 !== 3;
  if (nth % 4 === 1) return { mark: 'rect', x: x - 3, y: y - 3, width: 6, height: 6, ink, filled };
  if (nth % 4 === 2)
    return {
      mark: 'path',
      points: [
        [x, y - 4],
        [x + 4, y + 3],
        [x - 4, y + 3],
      ],
      closed: true,
      ink,
      filled,
    };
  return { mark: 'circle', x, y, r: 3.5, ink, filled };
}

function thinned(points: readonly Point[]): readonly Point[] {
  const step = Math.ceil(points.length / MOST_DRAWN);
  return step <= 1 ? points : points.filter((_point, at) => at % step === 0 || at === points.length - 1);
}

/** Returns round numbers from below the least to above the greatest. */
function ticksOf(values: readonly number[]): readonly number[] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = [0, 1];
  if (low === high)
    [low, high] = [low - 0.5 * Math.max(1, Math.abs(low)), high + 0.5 * Math.max(1, Math.abs(high))];
  const rough = Math.max((high - low) / TICKS, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Numbers so close that a step is lost in them, or too great to be counted.
  if (
    !Number.isFinite(step) ||
    !Number.isSafeInteger(first) ||
    !Number.isSafeInteger(last) ||
    last - first > 4 * TICKS
  )
    return [low, high];
  return Array.from({ length: last - first + 1 }, (_none, at) => (first + at) * step);
}

function place(value: number, ticks: readonly number[], from: number, to: number): number {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const share = high === low ? 0.5 : value / (high - low) - low / (high - low);
  return Math.round((from + share * (to - from)) * 100) / 100;
}

function tickText(tick: number, ticks: readonly number[]): string {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  const decimals = Math.min(9, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9)));
  return Math.abs(tick) >= 1e7 || (step > 0 && step < 1e-6) ? tick.toExponential(2) : tick.toFixed(decimals);
}
