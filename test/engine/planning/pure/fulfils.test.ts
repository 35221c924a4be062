/** Another spelling of the same value is no change: else a second run would write again. */
import { describe, expect, it } from 'vitest';
import { planSection } from '#engine/planning/pure/plan-section.ts';
import { section, shows } from './documents.ts';

const SET = 'events.thermometrySchedule';
const schedule = (blocks: string): string =>
  `<Schedule><id>thermometry-1</id><TimeBlockList size="8">${blocks}</TimeBlockList></Schedule>`;
const block = (day: number, begin: string, end: string, more = ''): string =>
  `<TimeBlock><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>${begin}</beginTime><endTime>${end}</endTime></TimeRange>${more}</TimeBlock>`;
const asked = (...days: number[]) => ({
  TimeBlockList: days.map((day) => ({
    dayOfWeek: day,
    TimeRange: { beginTime: '08:00:00', endTime: '18:00:00' },
  })),
});
const plan = (value: unknown, text: string) => planSection(section(SET, value), shows(SET, text), {}, 'd');

describe("adopting the device's spelling", () => {
  it.each([
    ['a zone that the device adds', schedule(block(1, '08:00:00+08:00', '18:00:00+08:00'))],
    ['fractions of a second', schedule(block(1, '08:00:00.000', '18:00:00'))],
    [
      'members that are not in the specification',
      schedule(block(1, '08:00:00', '18:00:00', '<vendor>1</vendor>')),
    ],
  ])('%s', (_what, text) => {
    expect(plan(asked(1), text)).toMatchObject({ plan: { state: 'unchanged' }, desired: { text } });
  });

  it('a zone that was asked for counts', () => {
    const value = {
      TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '08:00:00Z', endTime: '18:00:00Z' } }],
    };

    expect(plan(value, schedule(block(1, '08:00:00+08:00', '18:00:00+08:00'))).plan.state).toBe('changes');
  });

  it('an item that is there already keeps what the device added to it when another one changes', () => {
    const { desired } = plan(
      asked(1, 2),
      schedule(block(1, '08:00:00', '18:00:00', '<vendor>1</vendor>') + block(3, '08:00:00', '18:00:00')),
    );

    expect(desired?.text).toContain('<vendor>1</vendor>');
    expect(desired?.text).toContain('<dayOfWeek>2</dayOfWeek>');
  });

  it.each([
    ['fewer items', asked(1)],
    ['more items', asked(1, 2, 3)],
  ])('%s are a change: a list has the items that are asked for', (_what, value) => {
    expect(
      plan(value, schedule(block(1, '08:00:00', '18:00:00') + block(2, '08:00:00', '18:00:00'))).plan.state,
    ).toBe('changes');
  });

  it('another order is a change where nothing else tells the items apart, as with the corners of a region', () => {
    const SHIELD = 'peopleCounting.shield';
    const corner = (x: number) =>
      `<RegionCoordinates><positionX>${x}</positionX><positionY>0</positionY></RegionCoordinates>`;
    const shield = (corners: string) =>
      `<Shield><enabled>true</enabled><RegionList><Region><id>1</id><enabled>true</enabled><RegionCoordinatesList>${corners}</RegionCoordinatesList></Region></RegionList></Shield>`;
    const value = (...xs: number[]) => ({
      RegionList: [
        {
          id: '1',
          enabled: true,
          RegionCoordinatesList: xs.map((positionX) => ({ positionX, positionY: 0 })),
        },
      ],
    });
    const state = (asked: unknown) =>
      planSection(section(SHIELD, asked), shows(SHIELD, shield(corner(1) + corner(2) + corner(3))), {}, 'd')
        .plan.state;

    expect(state(value(1, 2, 3))).toBe('unchanged');
    expect(state(value(2, 1, 3))).toBe('changes');
    expect(
      plan(asked(2, 1), schedule(block(1, '08:00:00', '18:00:00') + block(2, '08:00:00', '18:00:00'))).plan
        .state,
    ).toBe('unchanged');
  });

  it('items with a key are found by it, and defaults that the device filled in are its own', () => {
    const basic =
      '<ThermometryBasicParam><AlarmOutputIOPortList><OutputIOPort><portID>2</portID><enabled>true</enabled></OutputIOPort><OutputIOPort><portID>1</portID><enabled>false</enabled></OutputIOPort></AlarmOutputIOPortList></ThermometryBasicParam>';
    const value = { AlarmOutputIOPortList: [{ portID: '1' }, { portID: '2', enabled: true }] };

    expect(
      planSection(
        section('thermal.thermometryBasic', value),
        shows('thermal.thermometryBasic', basic),
        {},
        'd',
      ).plan.state,
    ).toBe('unchanged');
  });
});
