/**
 * Items of lists are merged, not replaced: a device's own fields in them, outside the specification, must not
 * be dropped.
 */
import { describe, expect, it } from 'vitest';
import {
  decode,
  findResource,
  isFulfilled,
  matchItems,
  merge,
  buildReplacingPatch,
  type Field,
  type ListField,
  type Payload,
} from '#protocol/index.ts';
import { float, int, json, list, object, opaque, text, when } from './words.ts';

function payload(set: string): Payload {
  const found = findResource(set)?.put.request;
  if (found === undefined) throw new Error(`no payload for ${set}`);
  return found;
}
const merged = (of: Payload, document: string, patch: unknown) =>
  merge(decode(of, document).document, of, patch);

const TRIGGER = payload('events.severeHdFailureTrigger');
const linkage = (id: string, more: string) => `
    <EventTriggerNotification vendor:use="1">
      <CustomExtension a='1'><deep>  x </deep></CustomExtension>
      <id>${id}</id>${more}
      <lightAudioOutID>007</lightAudioOutID><!-- ours -->
    </EventTriggerNotification>`;
const trigger = (...items: string[]) =>
  `<EventTrigger xmlns:vendor="urn:v"><id>a-1</id><eventType>a</eventType><EventTriggerNotificationList size="8">${items.join('')}\n  </EventTriggerNotificationList></EventTrigger>`;
const beep = (how: string) =>
  `<notificationMethod>beep</notificationMethod><notificationRecurrence>${how}</notificationRecurrence>`;

describe("an item whose one field changes loses what the specification does not list (a vendor's part that is gone although the verdict says effective)", () => {
  it('XML: everything else of the item stays byte for byte, attributes, order, comments and strangers', () => {
    const before = trigger(linkage('1', beep('beginning')), linkage('2', beep('beginning')));

    const { text: after, lost } = merged(TRIGGER, before, {
      EventTriggerNotificationList: [
        { id: '1', notificationMethod: 'beep' },
        { id: '2', notificationMethod: 'beep', notificationRecurrence: 'recurring' },
      ],
    });

    expect(after).toBe(trigger(linkage('1', beep('beginning')), linkage('2', beep('recurring'))));
    expect(lost).toEqual([]);
  });

  it('items are found by their key wherever they stand, keep their order, and a new one comes where it was asked for', () => {
    const before = trigger(linkage('2', beep('beginning')), linkage('1', beep('beginning')));
    const wanted = [
      { id: '1', notificationMethod: 'beep', notificationRecurrence: 'recurring' },
      { id: '9', notificationMethod: 'center' },
      { id: '2', notificationMethod: 'beep' },
    ];

    const { text: after } = merged(TRIGGER, before, { EventTriggerNotificationList: wanted });

    expect(after).toContain(linkage('2', beep('beginning')) + linkage('1', beep('recurring')));
    expect(decode(TRIGGER, after).value).toMatchObject({
      EventTriggerNotificationList: [{ id: '2' }, { id: '1' }, { id: '9', notificationMethod: 'center' }],
    });
  });

  it('an item of another key is another thing: the old one goes, and what goes with it is told', () => {
    const before = trigger(linkage('1', beep('beginning')), linkage('2', beep('beginning')));

    const { text: after, lost } = merged(TRIGGER, before, {
      EventTriggerNotificationList: [
        { id: '3', notificationMethod: 'beep', notificationRecurrence: 'beginning' },
        { id: '2', notificationMethod: 'beep' },
      ],
    });

    expect(after.match(/CustomExtension a/g)).toHaveLength(1);
    expect(lost).toEqual([
      'EventTriggerNotificationList[0].CustomExtension',
      'EventTriggerNotificationList[0].lightAudioOutID',
    ]);
  });

  it('items that share a key are told apart by what else is alike', () => {
    const SCHEDULE = payload('events.thermometrySchedule');
    const block = (begin: string, end: string, vendor: string) =>
      `<TimeBlock><dayOfWeek>1</dayOfWeek><v>${vendor}</v><TimeRange><beginTime>${begin}:00:00</beginTime><endTime>${end}:00:00</endTime></TimeRange></TimeBlock>`;
    const period = (begin: string, end: string) => ({
      dayOfWeek: 1,
      TimeRange: { beginTime: `${begin}:00:00`, endTime: `${end}:00:00` },
    });
    const schedule = (...blocks: string[]) =>
      `<Schedule><id>x-1</id><TimeBlockList>${blocks.join('')}</TimeBlockList></Schedule>`;
    const before = schedule(block('08', '10', 'a'), block('11', '12', 'b'), block('13', '18', 'c'));

    expect(
      merged(SCHEDULE, before, { TimeBlockList: [period('08', '10'), period('13', '20')] }),
    ).toMatchObject({
      text: schedule(block('08', '10', 'a'), block('13', '20', 'c')),
      lost: ['TimeBlockList[1].v'],
    });
    expect(
      merged(SCHEDULE, before, {
        TimeBlockList: [period('08', '10'), period('11', '12'), period('14', '19')],
      }).text,
    ).toBe(schedule(block('08', '10', 'a'), block('11', '12', 'b'), block('14', '19', 'c')));
  });

  it('lists inside items, groups inside them and single values are merged the same way', () => {
    const PLAN = payload('passback.historyPlan');
    const action = (inputs: string, day = 'Monday') =>
      `<ScheduleAction><id>1</id><vendor/><ScheduleActionStartTime><DayOfWeek>${day}</DayOfWeek></ScheduleActionStartTime><eventType>alarmIn</eventType><AlarmInParam><more>x</more><alarmInIDList><v/>${inputs}</alarmInIDList></AlarmInParam></ScheduleAction>`;
    const plan = (inputs: string, day?: string) =>
      `<RecordPassBackHistoryPlanCfg><enable>true</enable><ScheduleActionList>${action(inputs, day)}</ScheduleActionList></RecordPassBackHistoryPlanCfg>`;
    const input = (id: number, more = '') => `<alarmInID${more}>${id}</alarmInID>`;
    const before = plan(input(1, ' v="a"') + input(2, ' v="b"'));

    expect(
      merged(PLAN, before, { ScheduleActionList: [{ id: 1, AlarmInParam: { alarmInIDList: [2, 3] } }] }).text,
    ).toBe(plan(input(2, ' v="b"') + input(3)));
    expect(
      merged(PLAN, before, {
        ScheduleActionList: [{ id: 1, ScheduleActionStartTime: { DayOfWeek: 'Friday' } }],
      }).text,
    ).toBe(before.replace('Monday', 'Friday'));
    expect(merged(PLAN, before, { ScheduleActionList: [{ id: 1, AlarmInParam: null }] })).toMatchObject({
      lost: ['ScheduleActionList[0].AlarmInParam.alarmInIDList.v', 'ScheduleActionList[0].AlarmInParam.more'],
    });
  });

  it('JSON: the same, and single values are spelled as their neighbours are', () => {
    const of = json('Root', '1:1', [
      list(
        'Items',
        'Items',
        object('item', 'Item', [
          int('id', 'Id'),
          text('name', 'Name'),
          list('nums', 'Numbers', int('item', 'Number')),
        ]),
        { key: 'id' },
      ),
    ]);
    const root = (...items: string[]) => `{"Root": {"Items": [ ${items.join(' ,\n ')} ]}}`;
    const item = (id: number, name: string, nums = '["1", "02"]') =>
      `{ "vendor": {"a": [1.0]}, "id": ${id}, "name": "${name}", "id2": 1, "nums": ${nums} }`;
    const before = root(item(1, 'a'), item(2, 'b'));

    expect(merged(of, before, { Items: [{ id: 1 }, { id: 2, name: 'c' }] })).toMatchObject({
      text: root(item(1, 'a'), item(2, 'c')),
      lost: [],
    });
    expect(merged(of, before, { Items: [{ id: 1, nums: [2, 3] }, { id: 2 }] }).text).toBe(
      root(item(1, 'a', '["02", "3"]'), item(2, 'b')),
    );
    expect(merged(of, before, { Items: [{ id: 2 }] })).toMatchObject({
      text: root(item(2, 'b')),
      lost: ['Items[0].vendor', 'Items[0].id2'],
    });
    expect(merged(of, before, { Items: [{ id: 2 }, { id: 1 }] }).text).toBe(before);
  });
});

// Would catch: items that fit in many places, for each of which all of those are compared again: 3,400,000 comparisons.
it('each of hundreds of items is compared with each other one at most once', () => {
  const field = list('l', 'L', object('i', 'I', [int('id', 'Id'), int('a', 'A')]), { key: 'id' });
  const held = Array.from({ length: 300 }, (_, id) => ({ id, a: id < 150 ? 1 : 0 }));
  let compared = 0;

  matchItems(
    field,
    held,
    Array.from({ length: 300 }, () => ({ a: 1 })),
    (...given) => {
      compared += 1;
      return isFulfilled(...given);
    },
  );

  expect(compared).toBeGreaterThan(300);
  expect(compared).toBeLessThanOrEqual(300 * 300);
});

// Would catch: a write for what a device holds already in other words, or none for what it does not hold.
describe('what is shown fulfils what is asked', () => {
  const number = int('n', 'N');
  const group = object('o', 'O', [int('a', 'A'), int('b', 'B')]);
  const items = list('l', 'L', group);
  const keyed = list('l', 'L', group, { key: 'a' });

  it.each<[Field, unknown, unknown, boolean]>([
    [number, undefined, 5, true],
    [number, null, undefined, true],
    [number, null, null, true],
    [number, null, 0, false],
    [number, 0, undefined, false],
    [number, 0, null, false],
    [number, 0.95, 0.9500001, true],
    [number, 0, 1e-7, true],
    [number, 0, 1e-5, false],
    [number, 1e9, 1e9 + 900, true],
    [number, 1e9 + 900, 1e9, true],
    [number, 1e9, 1e9 + 2000, false],
    [number, 5, '5', true],
    [number, 5, 'x', false],
    [number, 1, true, false],
    [float('f', 'F', { decimals: 1 }), 37.54, 37.5, true],
    [float('f', 'F', { decimals: 1 }), 37.56, 37.5, false],
    [float('f', 'F'), 37.54, 37.5, false],
    [text('s', 'S'), '08:00:00', '08:00:00Z', false],
    [text('s', 'S'), 'a', 'a', true],
    ...(['datetime', 'date', 'time', 'minutes'] as const).flatMap(
      (kind): [Field, unknown, unknown, boolean][] => [
        [when(kind, 't', 'T'), '08:00:00', '08:00:00+08:00', true],
        [when(kind, 't', 'T'), '08:00:00', '09:00:00', false],
      ],
    ),
    [when('time', 't', 'T'), '08:00:00Z', '08:00:00+08:00', false],
    [when('time', 't', 'T'), '08:00:00+08:00', '08:00:00', false],
    [when('time', 't', 'T'), '08:00:00.000', '08:00:00Z', true],
    [when('time', 't', 'T'), '08:00:00Z', '08:00:00.00Z', true],
    [when('time', 't', 'T'), '08:00:00', '08:00:00.5', false],
    [group, { a: 1, z: 1 }, { a: 1, b: 2 }, true],
    [group, { a: null }, {}, true],
    [group, { a: 1, b: 2 }, { a: 1 }, false],
    [group, {}, 5, false],
    [group, 5, {}, false],
    [list('l', 'L', number), [1, 2], [1, 2], true],
    [list('l', 'L', number), [1, 2], [2, 1], false],
    [list('l', 'L', number), [1], [1, 2], false],
    [list('l', 'L', number), [], 5, false],
    [list('l', 'L', number), 5, [], false],
    [list('l', 'L', number), [null], [null], false],
    [list('l', 'L', text('s', 'S')), ['a'], 'a', false],
    [items, [{ a: 1 }], [{ a: 1, b: 2 }], true],
    [items, [{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], false],
    [keyed, [{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], true],
    [keyed, [{ a: 1 }, { a: 1 }], [{ a: 1 }, { a: 2 }], false],
    // An item that fits in several places takes the one that is free, and no two of them the same one.
    [
      keyed,
      [{ a: 1 }, { b: 1 }, { a: 5 }],
      [
        { a: 1, b: 1 },
        { a: 5, b: 9 },
        { a: 7, b: 1 },
      ],
      true,
    ],
    [
      keyed,
      [{ b: 1 }, { b: 1 }, { a: 5 }],
      [
        { a: 5, b: 9 },
        { a: 6, b: 9 },
        { a: 7, b: 1 },
      ],
      false,
    ],
    [
      keyed,
      [{ b: 1 }, { a: 1 }],
      [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
      ],
      true,
    ],
  ])('%# asked %o %o', (field, asked, shown, is) => {
    expect(isFulfilled(field, asked, shown)).toBe(is);
  });

  it.each<[Field, unknown, unknown, unknown]>([
    [number, 1, 2, 2],
    [number, 1, undefined, null],
    [number, 1, null, null],
    [group, { a: 1, b: 2 }, { a: 3 }, { a: 3, b: null }],
    [group, { a: 1, z: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }],
    [group, {}, {}, {}],
    [group, 5, { a: 1 }, { a: 1 }],
    [group, { a: 1 }, 5, 5],
    [
      items,
      [{ a: 1 }, { b: 2 }],
      [{ a: 5 }, {}],
      [
        { a: 5, b: null },
        { a: null, b: null },
      ],
    ],
    [items, [], [{ a: 5 }], [{ a: 5 }]],
    [items, 5, [{ a: 5 }], [{ a: 5 }]],
    [items, [{ a: 1 }], 5, 5],
    [opaque('p', 'P'), { a: 1 }, { b: 2 }, { b: 2 }],
    [opaque('p', 'P'), [1], [2], [2]],
  ])('%# what makes it so takes away what only the device has', (field, held, wanted, patch) => {
    expect(buildReplacingPatch(field, held, wanted)).toStrictEqual(patch);
  });

  it.each<[ListField, readonly unknown[], readonly unknown[], readonly (number | undefined)[]]>([
    // The most alike first, then the nearest.
    [
      items,
      [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
        { a: 3, b: 3 },
      ],
      [
        { a: 2, b: 9 },
        { a: 9, b: 9 },
      ],
      [1, 0],
    ],
    [items, [{ a: 1 }, { a: 2 }, { a: 3 }], [{ a: 7 }, { a: 8 }], [0, 1]],
    [items, [{ a: 1 }, { a: 2 }, { a: 3 }], [{ a: 2 }, 7, { a: 9 }], [1, undefined, 2]],
    // An ordered list makes no room.
    [
      items,
      [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
      ],
      [{ b: 1 }, { a: 1 }],
      [0, 1],
    ],
    [
      items,
      [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
      ],
      [{ a: 2 }, { a: 1 }],
      [1, 0],
    ],
    [items, [5, { a: 1 }], [{ a: 2 }, 7], [1, undefined]],
    [keyed, [{ a: 1, b: 1 }], [{ a: 2, b: 1 }], [undefined]],
    [keyed, [{ a: '1', b: 1 }], [{ a: 1, b: 2 }], [0]],
    [
      keyed,
      [{ b: 1 }, { a: null, b: 3 }],
      [
        { a: 1, b: 2 },
        { a: 2, b: 4 },
      ],
      [0, 1],
    ],
    [
      keyed,
      [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
      ],
      [{ b: 7 }, { a: null, b: 8 }],
      [0, 1],
    ],
    [list('l', 'L', number), [1, 2, 3], [3, 9, 1], [2, undefined, 0]],
  ])('%# an item goes on as the one that it was', (field, held, wanted, places) => {
    const matched = [...matchItems(field, held, wanted)].sort((one, other) => one.want - other.want);

    expect(matched).toEqual(places.map((from, want) => ({ want, held: from })));
  });

  it('a list longer than any of the specification keeps its places', () => {
    const moved = (count: number) => {
      const numbers = Array.from({ length: count + 1 }, (_, nth) => nth);
      return matchItems(list('l', 'L', number), numbers.slice(0, count), numbers.slice(1))[0]?.held;
    };
    const turned = (count: number) => {
      const held = Array.from({ length: count }, (_, a) => ({ a, b: 0 }));
      return matchItems(
        items,
        held,
        held.toReversed().map(({ a }) => ({ a, b: 1 })),
      )[0]?.held;
    };

    expect([moved(300), moved(301)]).toEqual([1, undefined]);
    expect([turned(100), turned(101)]).toEqual([99, 0]);
  });
});
