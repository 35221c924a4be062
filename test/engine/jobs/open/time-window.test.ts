/** Windows of time by the clock on the wall, over midnight and over changes of summer time. */
import { describe, expect, it } from 'vitest';
import { findNextOpening, isInWindow } from '#engine/jobs/open/time-window.ts';

const NIGHT = { from: '22:00', to: '05:00' };
const at = (time: string) => new Date(`2026-11-26T${time}:00`);

describe('a window of time', () => {
  // Would catch: work that goes on into the morning, or never begins because the window goes over midnight.
  it.each([
    ['21:59', false],
    ['22:00', true],
    ['00:00', true],
    ['04:59', true],
    ['05:00', false],
  ])('over midnight: %s %s', (time, isIn) => {
    expect(isInWindow(NIGHT, at(time))).toBe(isIn);
  });

  it.each([
    ['11:59', false],
    ['12:00', true],
    ['13:00', false],
  ])('within a day: %s %s', (time, isIn) => {
    expect(isInWindow({ from: '12:00', to: '13:00' }, at(time))).toBe(isIn);
  });

  it('opens next today, or tomorrow where that is over', () => {
    expect(findNextOpening(NIGHT, at('13:00'))).toEqual(at('22:00'));
    expect(findNextOpening(NIGHT, at('22:00'))).toEqual(new Date('2026-11-27T22:00:00'));
  });

  // Would catch: an hour that is added as 3,600 seconds. The zone of this computer need not have summer time.
  it('opens at the same time of the day on each day of a year', () => {
    const days = Array.from({ length: 365 }, (_, day) => new Date(2026, 0, 1 + day, 13));

    expect(days.map((day) => findNextOpening(NIGHT, day)).filter((time) => time.getHours() !== 22)).toEqual(
      [],
    );
  });
});
