/** Regions and weeks of an answer, drawn: a person sees at once what rows of numbers hide. */
import type { Drawing, Fact, Shape, DocumentText } from '#shared/report-document.ts';
import { createDetail } from '#shared/details.ts';
import type { DeviceCapabilities } from '#shared/model.ts';

/** Highest X and Y of a region; the origin is at the bottom left. */
export interface Plane {
  readonly width: number;
  readonly height: number;
}

/** Size of the plane if the device reports none. */
const USUAL: Plane = { width: 1000, height: 1000 };
const WIDTH = 400;
const HEIGHT = 225;
const DAYS = 7;
/** Room for the name of a day. */
const LABELS = 80;
const ROW = 20;
const DAY_WIDTH = 480;
const DAY_MINUTES = 1440;
/** A week with more of them is not drawn, because it could not be read. */
const MOST_PERIODS = 500;

interface Placed {
  readonly path: string;
  readonly fact: Fact;
}

interface Drawn {
  readonly drawings: readonly Drawing[];
  /** Facts that the drawings show, each with its numbers below them. */
  readonly drawn: ReadonlySet<Fact>;
}

export function buildDrawings(title: DocumentText, facts: readonly Fact[], plane: Plane = USUAL): Drawn {
  const placed = facts.flatMap((fact): Placed[] => {
    const { label } = fact;
    return typeof label === 'object' && 'root' in label && label.path !== undefined
      ? [{ path: label.path, fact }]
      : [];
  });
  const parts = [drawRegions(title, placed, plane), drawWeek(title, placed)];
  return {
    drawings: parts.flatMap(({ drawings }) => drawings),
    drawn: new Set(parts.flatMap(({ drawn }) => [...drawn])),
  };
}

const NOTHING: Drawn = { drawings: [], drawn: new Set() };

/** Returns the plane that the area of `operation` reports: its screen size, else its greatest coordinate. */
export function resolvePlane(operation: string, limits: DeviceCapabilities['limits']): Plane {
  const area = operation.slice(0, operation.indexOf('.') + 1);
  const own = limits.filter((limit) => limit.operation.startsWith(area));
  const side = (screen: string, coordinate: string, usual: number): number =>
    own.find(({ path }) => path.endsWith(screen))?.count ??
    own.find(({ path }) => path.endsWith(`[].${coordinate}`))?.max ??
    usual;
  return {
    width: side('normalizedScreenWidth', 'positionX', USUAL.width),
    height: side('normalizedScreenHeight', 'positionY', USUAL.height),
  };
}

function numberOf({ value }: Fact): number | undefined {
  return value !== null && typeof value === 'object' && 'number' in value ? value.number : undefined;
}

/** One picture with all regions of the answer; one that leaves the plane is not drawn as something else. */
function drawRegions(title: DocumentText, placed: readonly Placed[], { width, height }: Plane): Drawn {
  const regions = new Map<string, Map<number, { x?: number; y?: number }>>();
  const corner = new Map<Fact, string>();
  for (const { path, fact } of placed) {
    const found = /^(.*)\[(\d+)\]\.position([XY])$/.exec(path);
    const number = numberOf(fact);
    if (found === null || number === undefined) continue;
    const [, region = '', nth = '', axis] = found;
    corner.set(fact, region);
    const points = regions.get(region) ?? new Map<number, { x?: number; y?: number }>();
    regions.set(region, points);
    const point = points.get(Number(nth)) ?? {};
    points.set(Number(nth), axis === 'X' ? { ...point, x: number } : { ...point, y: number });
  }
  const drawn = [...regions].flatMap(([name, points]) => {
    const corners = [...points.values()].flatMap(({ x, y }) =>
      x === undefined || y === undefined ? [] : [[x, y] as const],
    );
    const isOnPlane = corners.every(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height);
    return corners.length < 3 || !isOnPlane ? [] : [{ name, corners }];
  });
  if (drawn.length === 0) return NOTHING;
  const most = 50;
  const names = new Set(drawn.slice(0, most).map(({ name }) => name));
  const shapes = drawn.slice(0, most).flatMap(({ corners }, nth): Shape[] => {
    const points = corners.map(
      ([x, y]) => [(x / width) * WIDTH, HEIGHT - (y / height) * HEIGHT] as [number, number],
    );
    const [first = [0, 0]] = points;
    return [
      { shape: 'path', closed: true, points, state: 'good' },
      { shape: 'text', x: first[0] + 4, y: Math.max(12, first[1] - 4), text: String(nth + 1) },
    ];
  });
  const drawing: Drawing = {
    block: 'drawing',
    title,
    width: WIDTH,
    height: HEIGHT,
    shapes: [{ shape: 'rect', x: 0, y: 0, width: WIDTH, height: HEIGHT, state: 'off' }, ...shapes],
    twin: drawn.slice(0, most).map(({ corners }, nth) => ({
      label: createDetail('reports.region', { number: nth + 1 }),
      value: corners.map(([x, y]) => `(${x}, ${y})`).join(' '),
    })),
  };
  return {
    drawings: [drawing],
    drawn: new Set([...corner].flatMap(([fact, region]) => (names.has(region) ? [fact] : []))),
  };
}

interface Period {
  readonly day: number;
  readonly from: number;
  readonly to: number;
}

/** Names of day, begin and end of a period in the areas of the interface. */
const SPELLINGS = [
  ['dayOfWeek', 'TimeRange.beginTime', 'TimeRange.endTime'],
  ['week', 'beginTime', 'endTime'],
  [
    'ScheduleActionStartTime.DayOfWeek',
    'ScheduleActionStartTime.TimeOfDay',
    'ScheduleActionEndTime.TimeOfDay',
  ],
] as const;
const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function drawWeek(title: DocumentText, placed: readonly Placed[]): Drawn {
  const facts = new Map(placed.map(({ path, fact }) => [path, fact]));
  const drawn = new Set<Fact>();
  const texts = new Map(placed.map(({ path, fact }) => [path, textOf(fact)]));
  const periods = placed.flatMap(({ path }): Period[] => {
    for (const [day, from, to] of SPELLINGS) {
      if (!path.endsWith(`].${day}`)) continue;
      const item = path.slice(0, -day.length);
      const period = {
        day: dayOf(texts.get(path)),
        from: minutesOf(texts.get(item + from)),
        to: minutesOf(texts.get(item + to)),
      };
      if (period.day <= 0 || period.to <= period.from) return [];
      for (const name of [day, from, to]) {
        const fact = facts.get(item + name);
        if (fact !== undefined) drawn.add(fact);
      }
      return [period];
    }
    return [];
  });
  if (periods.length === 0 || periods.length > MOST_PERIODS) return NOTHING;
  const x = (minutes: number): number => LABELS + (minutes / DAY_MINUTES) * DAY_WIDTH;
  const shapes: Shape[] = [
    ...Array.from({ length: DAYS }, (_none, day): Shape[] => [
      { shape: 'text', x: 2, y: 14 + day * ROW, text: dayName(day + 1) },
      { shape: 'rect', x: LABELS, y: 2 + day * ROW, width: DAY_WIDTH, height: ROW - 6, state: 'off' },
    ]).flat(),
    ...periods.map(({ day, from, to }): Shape => ({
      shape: 'rect',
      x: x(from),
      y: 2 + (day - 1) * ROW,
      width: x(to) - x(from),
      height: ROW - 6,
      state: 'good',
    })),
    ...[0, 6, 12, 18, 24].map((hour): Shape => ({
      shape: 'text',
      x: x(hour * 60),
      y: DAYS * ROW + 14,
      text: `${hour}:00`,
      anchor: 'middle',
    })),
  ];
  const days = Map.groupBy(periods, ({ day }) => day);
  const drawing: Drawing = {
    block: 'drawing',
    title,
    width: LABELS + DAY_WIDTH + 20,
    height: DAYS * ROW + 20,
    shapes,
    twin: Array.from({ length: DAYS }, (_none, nth) => ({
      label: dayName(nth + 1),
      value:
        days
          .get(nth + 1)
          ?.map(({ from, to }) => `${clock(from)}–${clock(to)}`)
          .join(', ') ?? null,
    })),
  };
  return { drawings: [drawing], drawn };
}

function textOf({ value }: Fact): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return undefined;
  if ('option' in value) return value.option;
  return 'number' in value ? String(value.number) : undefined;
}

function dayOf(text = ''): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= DAYS
    ? number
    : NAMES.indexOf(text.toLowerCase()) + 1;
}

/** Converts `HH:MM` or `HH:MM:SS` to minutes; returns NaN for any other text. */
function minutesOf(text = ''): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined ? Number.NaN : Math.min(DAY_MINUTES, Number(hours) * 60 + Number(minutes));
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** 1 is Monday. */
function dayName(day: number): DocumentText {
  return { id: `reports.day-${day as 1 | 2 | 3 | 4 | 5 | 6 | 7}` };
}
