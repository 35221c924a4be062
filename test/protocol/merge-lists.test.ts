/** Items of lists are merged, not replaced: what a device keeps in them beside the specification is nobody else's to drop. */
import { describe, expect, it } from 'vitest';
import { decode, findResource, fulfils, matchItems, merge } from '../../src/protocol/index.ts';
import type { Payload } from '../../src/protocol/index.ts';
import { int, json, list, object, text } from './words.ts';

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

describe("fault 11: an item whose one field changes loses what the specification does not list (a vendor's part that is gone although the verdict says effective)", () => {
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
      return fulfils(...given);
    },
  );

  expect(compared).toBeGreaterThan(300);
  expect(compared).toBeLessThanOrEqual(300 * 300);
});
