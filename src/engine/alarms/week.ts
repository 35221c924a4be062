/** Arming periods of a schedule, and whether they hold at a time. Pure. */
import { getValueAt } from '#protocol/index.ts';
import { formatTimeOfDay } from '#protocol/week-shape.ts';
import type { ArmedPeriod } from '#shared/alarm-chain.ts';

const DAY = 1440;
const WEEK = 7 * DAY;

/** A period of the schedule; `zone` is the offset from UTC in minutes that its times carry, if they carry one. */
export interface SchedulePeriod extends ArmedPeriod {
  readonly zone?: number;
}

const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
/** A schedule has 7 days of 8 periods; a hostile one has no end. */
const MOST_PERIODS = 500;

/** Reads the periods; one that ends before it begins goes on until then on the next day. */
export function readPeriods(schedule: unknown): readonly SchedulePeriod[] {
  const blocks = getValueAt(schedule, 'TimeBlockList');
  if (!Array.isArray(blocks)) return [];
  return blocks.slice(0, MOST_PERIODS).flatMap((block: unknown) => {
    const day = Number(getValueAt(block, 'dayOfWeek'));
    const begin = readTime(getValueAt(block, 'TimeRange.beginTime'));
    const end = readTime(getValueAt(block, 'TimeRange.endTime'));
    if (!Number.isInteger(day) || day < 1 || day > 7 || begin === undefined || end === undefined) return [];
    const zone = begin.zone === undefined ? {} : { zone: begin.zone };
    if (begin.minute < end.minute) return [{ day, from: begin.minute, to: end.minute, ...zone }];
    return [
      { day, from: begin.minute, to: DAY, ...zone },
      { day: (day % 7) + 1, from: 0, to: end.minute, ...zone },
    ].filter(({ from, to }) => from < to);
  });
}

function readTime(value: unknown): { readonly minute: number; readonly zone?: number } | undefined {
  const match = typeof value === 'string' ? CLOCK.exec(value) : null;
  if (match === null) return undefined;
  // 23:59:59 is how many devices write the end of a day.
  const minute = Number(match[1]) * 60 + Number(match[2]) + (match[3] === '59' ? 1 : 0);
  if (minute > DAY) return undefined;
  const zone = match[4] === undefined ? undefined : readZone(match[4]);
  return { minute, zone };
}

function readZone(text: string): number {
  if (text === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith('-') ? -minutes : minutes;
}

/** Returns the minute of the week, from Monday 00:00, in a zone. `at` in milliseconds, `zone` in minutes from UTC. */
export function getWeekMinute(at: number, zone: number): number {
  const local = new Date(at + zone * 60_000);
  return ((local.getUTCDay() + 6) % 7) * DAY + local.getUTCHours() * 60 + local.getUTCMinutes();
}

/** Returns the period that holds; `zone` is that of times without one, `ignoresZones` reads all times in it. */
export function findPeriod(
  periods: readonly SchedulePeriod[],
  at: number,
  zone: number,
  ignoresZones = false,
): SchedulePeriod | undefined {
  return periods.find((period) => {
    const minute = getWeekMinute(at, ignoresZones ? zone : (period.zone ?? zone)) - (period.day - 1) * DAY;
    return minute >= period.from && minute < period.to;
  });
}

export function findNextPeriod(
  periods: readonly SchedulePeriod[],
  at: number,
  zone: number,
): SchedulePeriod | undefined {
  const wait = (period: SchedulePeriod): number =>
    (startOf(period) - getWeekMinute(at, period.zone ?? zone) + WEEK) % WEEK;
  return periods.toSorted((a, b) => wait(a) - wait(b))[0];
}

/** Returns the end of what is armed without a gap from this period on; undefined if that is the whole week. */
export function findArmedUntil(
  periods: readonly SchedulePeriod[],
  from: SchedulePeriod,
): { readonly day: number; readonly minute: number } | undefined {
  let end = startOf(from) - from.from + from.to;
  for (let steps = 0; steps <= periods.length; steps += 1) {
    const next = periods.find(
      (period) =>
        startOf(period) % WEEK <= end % WEEK && startOf(period) + period.to - period.from > end % WEEK,
    );
    if (next === undefined) break;
    const grown = end - (end % WEEK) + startOf(next) + next.to - next.from;
    if (grown - startOf(from) >= WEEK) return undefined;
    end = grown;
  }
  // Midnight is the end of a day, not the beginning of the next.
  const minute = end % DAY === 0 ? DAY : end % DAY;
  return { day: (Math.floor((end - minute) / DAY) % 7) + 1, minute };
}

function startOf({ day, from }: ArmedPeriod): number {
  return (day - 1) * DAY + from;
}

/** Formats an offset as `+02:00`. */
export function formatZone(minutes: number): string {
  return `${minutes < 0 ? '-' : '+'}${formatTimeOfDay(Math.abs(minutes))}`;
}
