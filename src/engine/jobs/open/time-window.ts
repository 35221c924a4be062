/** Windows of time in which the devices of a job may be begun, by the clock on the wall of this computer; pure. */
import type { TimeWindow } from '#shared/model.ts';

/** Returns whether a time lies in the window; the end is outside, and equal times mean the whole day. */
export function isInWindow({ from, to }: TimeWindow, at: Date): boolean {
  const now = toMinutes(at);
  const [start, end] = [parseMinutes(from), parseMinutes(to)];
  if (start === end) return true;
  return start < end ? now >= start && now < end : now >= start || now < end;
}

/**
 * Returns when the window opens next. Where the clock is put forward over that time, it is the first minute after the
 * gap; where it is put back, the first time that it shows the minute.
 */
export function findNextOpening(window: TimeWindow, after: Date): Date {
  const minutes = parseMinutes(window.from);
  const opening = new Date(after);
  opening.setHours(Math.floor(minutes / 60), minutes % 60, 0, 0);
  if (opening.getTime() <= after.getTime()) {
    opening.setDate(opening.getDate() + 1);
    opening.setHours(Math.floor(minutes / 60), minutes % 60, 0, 0);
  }
  return opening;
}

function toMinutes(at: Date): number {
  return at.getHours() * 60 + at.getMinutes();
}

function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
