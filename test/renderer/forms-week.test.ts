import { describe, expect, it } from 'vitest';
import { findField, findOperation, type ListField } from '#protocol/index.ts';
import { createFirstItems } from '#renderer/common/forms/lists/first-items.ts';
import { findColumns, listShape } from '#renderer/common/forms/lists/list-shape.ts';
import { copyDay, isPainted, paint } from '#renderer/common/forms/weeks/week-paint.ts';
import { formatTimeOfDay, findWeekShape, type Period } from '#protocol/week-shape.ts';

function listAt(operation: string, path: string): ListField {
  const payload = findOperation(operation)?.request;
  return (payload && findField(payload, path)) as ListField;
}
const schedule = listAt('events.thermometrySchedule.put', 'TimeBlockList');
const passback = listAt('passback.historyPlan.put', 'ScheduleActionList');
const task = listAt('aiPlatform.picturePollingTasks.create', 'TimeRange');

describe('the three spellings of a week', () => {
  it.each([
    [
      schedule,
      { dayOfWeek: 2, TimeRange: { beginTime: '08:00:00', endTime: '24:00:00' } },
      { day: 2, from: 480, to: 1440 },
    ],
    [task, { week: 7, beginTime: '00:00', endTime: '12:30' }, { day: 7, from: 0, to: 750 }],
    [
      passback,
      {
        id: 1,
        eventType: 'VMD',
        ScheduleActionStartTime: { DayOfWeek: 'Monday', TimeOfDay: '08:00:00+08:00' },
        ScheduleActionEndTime: { DayOfWeek: 'Monday', TimeOfDay: '09:00:00+08:00' },
      },
      { day: 1, from: 480, to: 540 },
    ],
  ])('%# are read and written back unchanged', (list, item, period) => {
    const shape = findWeekShape(list);
    const read = shape?.read(item);

    expect(read).toMatchObject(period);
    expect(read && shape?.write(read)).toEqual(item);
  });

  it('leave alone what is no period of one day', () => {
    const overnight = {
      ScheduleActionStartTime: { DayOfWeek: 'Monday', TimeOfDay: '22:00:00' },
      ScheduleActionEndTime: { DayOfWeek: 'Tuesday', TimeOfDay: '06:00:00' },
    };

    expect(findWeekShape(passback)?.read(overnight)).toBeUndefined();
    expect(
      findWeekShape(schedule)?.read({
        dayOfWeek: 1,
        TimeRange: { beginTime: '00:00:00', endTime: '00:00:00' },
      }),
    ).toBeUndefined();
  });

  // Would catch: an invisible night, or one that goes on from Sunday to nowhere.
  it.each([
    [
      schedule,
      { dayOfWeek: 7, TimeRange: { beginTime: '22:00:00', endTime: '06:00:00' } },
      [7, 1320, 1440, 1, 0, 360],
    ],
    [schedule, { dayOfWeek: 1, TimeRange: { beginTime: '22:00:00', endTime: '00:00:00' } }, [1, 1320, 1440]],
    [schedule, { dayOfWeek: 1, TimeRange: { beginTime: '06:00:00', endTime: '22:00:00' } }, []],
    [schedule, { dayOfWeek: 1, TimeRange: { beginTime: '06:00:00', endTime: '06:00:00' } }, []],
    [
      passback,
      {
        ScheduleActionStartTime: { DayOfWeek: 'Monday', TimeOfDay: '06:00:00' },
        ScheduleActionEndTime: { DayOfWeek: 'Tuesday', TimeOfDay: '07:00:00' },
      },
      [1, 360, 1440, 2, 0, 420],
    ],
    [
      passback,
      {
        ScheduleActionStartTime: { DayOfWeek: 'Monday', TimeOfDay: '22:00:00' },
        ScheduleActionEndTime: { DayOfWeek: 'Friday', TimeOfDay: '06:00:00' },
      },
      [],
    ],
  ])('%# past midnight are shown on both days', (list, item, parts) => {
    const shown = findWeekShape(list)?.overnight(item) ?? [];

    expect(shown.flatMap(({ day, from, to }) => [day, from, to])).toEqual(parts);
  });

  it('take 23:59:59 for the end of the day, as devices mean it', () => {
    expect(
      findWeekShape(schedule)?.read({
        dayOfWeek: 1,
        TimeRange: { beginTime: '00:00:00', endTime: '23:59:59' },
      }),
    ).toMatchObject({ to: 1440 });
    expect(formatTimeOfDay(1440, true)).toBe('24:00:00');
  });
});

describe('painting', () => {
  const item = { marker: 1 };
  const morning: Period = { day: 1, from: 480, to: 600, item };

  it('joins what touches and keeps the first entry', () => {
    expect(paint([morning], { day: 1, from: 600, to: 660, on: true })).toEqual([
      { day: 1, from: 480, to: 660, item },
    ]);
  });

  it('cuts a hole, and leaves other days the very same objects', () => {
    const other: Period = { day: 2, from: 0, to: 60 };
    const after = paint([morning, other], { day: 1, from: 510, to: 540, on: false });

    expect(after.map(({ day, from, to }) => [day, from, to])).toEqual([
      [1, 480, 510],
      [1, 540, 600],
      [2, 0, 60],
    ]);
    expect(after[2]).toBe(other);
  });

  it('changes nothing where nothing changes', () => {
    const periods = [morning];

    expect(paint(periods, { day: 1, from: 490, to: 500, on: true })).toBe(periods);
    expect(paint(periods, { day: 3, from: 0, to: 30, on: false }).map(({ day }) => day)).toEqual([1]);
  });

  it('copies a day onto others instead of what they had', () => {
    const copied = copyDay([morning, { day: 3, from: 0, to: 30 }], 1, [1, 2, 3]);

    expect(copied.map(({ day, from }) => [day, from])).toEqual([
      [1, 480],
      [2, 480],
      [3, 480],
    ]);
    expect(isPainted(copied, { day: 2, from: 480, to: 510 })).toBe(true);
  });
});

describe('a week that had no periods', () => {
  it.each([schedule, passback, task])('%# begins with one that breaks no rule', (list) => {
    const items = createFirstItems(list, '', undefined);
    const periods = items.map((item) => findWeekShape(list)?.read(item));

    expect(periods.map((period) => [period?.day, period?.from, period?.to])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((day) => [day, 0, 1440]),
    );
  });
});

describe('shape of lists', () => {
  it.each([
    ['events.thermometrySchedule.put', 'TimeBlockList', 'week'],
    ['peopleCounting.shield.put', 'RegionList', 'cards'],
    ['peopleCounting.shield.put', 'RegionList.RegionCoordinatesList', 'region'],
    ['aiPlatform.picturePollingTasks.create', 'channel', 'table'],
    ['aiPlatform.picturePollingTasks.create', 'EventTrigger', 'table'],
    ['events.hdBadBlockTrigger.put', 'EventTriggerNotificationList', 'cards'],
  ])('%s %s is laid out as %s', (operation, path, shape) => {
    expect(listShape(listAt(operation, path))).toBe(shape);
  });

  it('flattens groups of an entry into columns', () => {
    expect(findColumns(schedule.item)?.map((column) => column.path)).toEqual([
      'dayOfWeek',
      'TimeRange.beginTime',
      'TimeRange.endTime',
    ]);
  });
});
