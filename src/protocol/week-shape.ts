/** Lists whose entries are periods of a week, in the three spellings of the interface. */
import type { ListField } from './definition.ts';
import { getValueAt, setAt } from './fields/values.ts';
import { findField } from './fields/field-at.ts';

export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const DAY_MINUTES = 1440;
const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** One period of one day, in minutes from midnight; the end is not part of it. */
export interface Period {
  /** 1 is Monday. */
  readonly day: number;
  readonly from: number;
  readonly to: number;
  /** The entry it stands for: kept as it is while the period is not changed. */
  readonly item?: unknown;
}

interface WeekShape {
  /** Paths inside an entry that say day, begin and end. */
  readonly paths: readonly string[];
  /**
   * Reads an entry as a period; undefined if it is no whole period of one day, which the grid does not touch.
   */
  read(item: unknown): Period | undefined;
  /**
   * Returns the parts of an entry that goes past midnight on its two days, or on one if it ends at midnight;
   * else nothing.
   */
  overnight(item: unknown): readonly Period[];
  /** The entry of a period; what else `period.item` holds stays. */
  write(period: Period): unknown;
}

interface Paths {
  readonly day: string;
  readonly from: string;
  readonly to: string;
  /** Path of the day of the end, in entries that name it again. */
  readonly endDay?: string;
  readonly names?: boolean;
  readonly seconds: boolean;
}

const SPELLINGS: readonly Paths[] = [
  { day: 'dayOfWeek', from: 'TimeRange.beginTime', to: 'TimeRange.endTime', seconds: true },
  { day: 'week', from: 'beginTime', to: 'endTime', seconds: false },
  {
    day: 'ScheduleActionStartTime.DayOfWeek',
    from: 'ScheduleActionStartTime.TimeOfDay',
    to: 'ScheduleActionEndTime.TimeOfDay',
    endDay: 'ScheduleActionEndTime.DayOfWeek',
    names: true,
    seconds: true,
  },
];

/** How the list spells its periods; undefined where it is no week. New periods have the zone of `items` where one is needed. */
export function findWeekShape(list: ListField, items: readonly unknown[] = []): WeekShape | undefined {
  const paths = SPELLINGS.find(({ day, from, to }) =>
    [day, from, to].every((path) => findField(list.item, path) !== undefined),
  );
  if (paths === undefined) return undefined;
  return {
    paths: [paths.day, paths.from, paths.to, ...(paths.endDay === undefined ? [] : [paths.endDay])],
    read: (item) => readPeriod(item, paths),
    overnight: (item) => readOvernight(item, paths),
    write: (period) => writePeriod(period, paths, usualZone(list, paths, items)),
  };
}

/**
 * Returns the time zone of the existing entries, else that of this computer, which is the device's more often
 * than not.
 */
function usualZone(list: ListField, { from }: Paths, items: readonly unknown[]): string {
  const field = findField(list.item, from);
  if (field === undefined || !('zoned' in field) || !field.zoned) return '';
  return items.map((item) => zoneOf(getValueAt(item, from))).find((zone) => zone !== undefined) ?? zoneHere();
}

function zoneHere(): string {
  const east = -new Date().getTimezoneOffset();
  return `${east < 0 ? '-' : '+'}${formatTimeOfDay(Math.abs(east))}`;
}

interface Span extends Period {
  readonly endDay: number;
}

function readSpan(item: unknown, paths: Paths): Span | undefined {
  const day = dayNumber(getValueAt(item, paths.day));
  const endDay = paths.endDay === undefined ? day : dayNumber(getValueAt(item, paths.endDay));
  const from = minutesOf(getValueAt(item, paths.from));
  const to = minutesOf(getValueAt(item, paths.to));
  return day === undefined || endDay === undefined || from === undefined || to === undefined
    ? undefined
    : { day, endDay, from, to, item };
}

function readPeriod(item: unknown, paths: Paths): Period | undefined {
  const span = readSpan(item, paths);
  if (span === undefined || span.endDay !== span.day || span.to <= span.from) return undefined;
  const { endDay: _, ...period } = span;
  return period;
}

function readOvernight(item: unknown, paths: Paths): readonly Period[] {
  const span = readSpan(item, paths);
  if (span === undefined) return [];
  const { day, endDay, from, to } = span;
  const next = (day % DAYS.length) + 1;
  // An end before its beginning is on the next day if the entry names no day for the end.
  if (paths.endDay === undefined ? to >= from : endDay !== next) return [];
  return [
    { day, from, to: DAY_MINUTES },
    { day: next, from: 0, to },
  ].filter((part) => part.from < part.to);
}

function writePeriod(period: Period, paths: Paths, usual: string): unknown {
  const zone = zoneOf(getValueAt(period.item, paths.from)) ?? usual;
  const day = paths.names === true ? DAY_NAMES[period.day - 1] : period.day;
  let item = setAt(period.item ?? {}, paths.day, day);
  item = setAt(item, paths.from, formatTimeOfDay(period.from, paths.seconds) + zone);
  item = setAt(item, paths.to, formatTimeOfDay(period.to, paths.seconds) + zone);
  return paths.endDay === undefined ? item : setAt(item, paths.endDay, day);
}

function dayNumber(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^[A-Z]/.test(value)
      ? DAY_NAMES.findIndex((name) => name === value) + 1
      : Number(value);
  return Number.isInteger(number) && number >= 1 && number <= 7 ? number : undefined;
}

const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Minutes since midnight, whole ones: seconds count as part of their minute's end. */
function minutesOf(value: unknown): number | undefined {
  const match = typeof value === 'string' ? CLOCK.exec(value) : null;
  if (match === null) return undefined;
  // 23:59:59 is how many devices write the end of a day.
  const minutes = Number(match[1]) * 60 + Number(match[2]) + (match[3] === '59' ? 1 : 0);
  return minutes <= DAY_MINUTES ? minutes : undefined;
}

function zoneOf(value: unknown): string | undefined {
  return typeof value === 'string' ? CLOCK.exec(value)?.[4] : undefined;
}

/** `08:00:00` or `08:00`; 1440 is `24:00`. */
export function formatTimeOfDay(minutes: number, seconds = false): string {
  const text = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return seconds ? `${text}:00` : text;
}
