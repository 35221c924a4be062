/** `change:` in a template: what is accepted, what is refused and where. */
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { resolveTemplate } from '#engine/template/values/resolve.ts';

const HEAD = 'fieldwright: template/1\nname: Test\n';
const SCHEDULE = `set: events.thermometrySchedule
params: { channelID: 1 }
`;
const TUESDAY = '{ dayOfWeek: 2, TimeRange: { beginTime: "06:00:00", endTime: "23:00:00" } }';

function check(lines: string, variables = '') {
  const text = `${HEAD}${variables}sections:\n  - ${lines.trim().split('\n').join('\n    ')}\n`;
  return parseTemplate(text, { file: 't.yaml' });
}
function week(...items: readonly string[]): string {
  return `${SCHEDULE}change:\n  TimeBlockList:\n    keep: others\n    items:\n${items.map((item) => `      - ${item}`).join('\n')}`;
}

describe('a list that is changed in part', () => {
  it('is accepted with several periods of a day, days that go, and other settings beside it', () => {
    const { errors, warnings } = check(
      `${week(TUESDAY, TUESDAY.replace('06', '01').replace('23', '05'), '{ dayOfWeek: 7, remove: true }')}\nvalue: { outputIOPortID: "1" }`,
    );

    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('needs no "value" beside it, and one of the two is needed', () => {
    expect(check(week(TUESDAY)).errors).toEqual([]);
    expect(check(SCHEDULE).errors).toMatchObject([{ code: 'missing-field', detail: { id: 'needs-value' } }]);
  });

  it('takes a list at the root of a document, and a list inside an object', () => {
    expect(
      check(
        'set: humanRecognition.regions\nparams: { channelID: 1 }\nchange: { items: [{ id: "2", regionName: Hall }] }',
      ).errors,
    ).toEqual([]);
    expect(
      check(
        'set: humanRecognition.regions\nparams: { channelID: 1 }\nvalue: []\nchange: { items: [{ id: "2" }] }',
      ).errors,
    ).toMatchObject([{ detail: { id: 'changed-and-set' } }]);
  });

  it.each([
    ['a key twice', '{ id: "1", notificationMethod: beep }', 'key-twice', 'items[1].id'],
    ['a key that is set and removed', '{ id: "1", remove: true }', 'key-twice', 'items[1].id'],
    ['an item without its key', '{ notificationMethod: email }', 'item-needs-key', 'items[1].id'],
    ['remove: false', '{ id: "2", remove: false }', 'remove-is-true', 'items[1].remove'],
    [
      'a removed item with more',
      '{ id: "2", remove: true, notificationMethod: IO }',
      'removed-and-set',
      'items[1].notificationMethod',
    ],
  ])('%s is an error at its place', (_what, item, id, path) => {
    const { errors } = check(
      `set: events.severeHdFailureTrigger\nchange:\n  EventTriggerNotificationList:\n    items:\n      - { id: "1", notificationMethod: email }\n      - ${item}`,
    );

    expect(errors).toMatchObject([
      {
        detail: { id },
        path: `sections[0].change.EventTriggerNotificationList.${path}`,
        file: 't.yaml',
        line: 9,
      },
    ]);
  });

  it.each([
    [
      'a list that also stands below value',
      `${week(TUESDAY)}\nvalue: { TimeBlockList: [] }`,
      'changed-and-set',
    ],
    ['a field that is no list', `${SCHEDULE}change: { outputIOPortID: { items: [] } }`, 'change-takes-lists'],
    ['a list without a key', `${SCHEDULE}change: { HolidayBlockList: { items: [] } }`, 'change-takes-lists'],
    ['a list written whole', `${SCHEDULE}change: { TimeBlockList: [] }`, 'change-shape'],
    ['no items', `${SCHEDULE}change: { TimeBlockList: { keep: others } }`, 'change-needs-items'],
    ['another word for keep', week(TUESDAY).replace('others', 'nothing'), 'one-of'],
    ['an unknown member', week(TUESDAY).replace('keep: others', 'kept: others'), 'unknown-member-known'],
    ['a day removed and set', week(TUESDAY, '{ dayOfWeek: 2, remove: true }'), 'key-twice'],
  ])('%s is an error', (_what, lines, id) => {
    expect(check(lines).errors).toMatchObject([{ detail: { id } }]);
  });

  it('an unknown name, an unknown day and an unknown field of an item are told as below value', () => {
    expect(check(`${SCHEDULE}change: { TimeBlocklist: { items: [] } }`).errors).toMatchObject([
      { code: 'unknown-field', nearest: 'TimeBlockList', path: 'sections[0].change.TimeBlocklist' },
    ]);
    expect(check(week('{ dayOfWeek: 8 }')).errors).toMatchObject([
      { code: 'not-allowed', path: 'sections[0].change.TimeBlockList.items[0].dayOfWeek', line: 10 },
    ]);
    expect(check(week('{ dayOfWeek: 1, from: 2 }')).errors).toMatchObject([
      { code: 'unknown-field', path: 'sections[0].change.TimeBlockList.items[0].from' },
    ]);
  });

  it('periods of a plan are named by their day, never by a number that differs from device to device', () => {
    const plan = (item: string) =>
      check(
        `set: passback.historyPlan\nparams: { channelID: 1, streamID: 101 }\nchange: { ScheduleActionList: { items: [${item}] } }`,
      );
    const times =
      'ScheduleActionStartTime: { DayOfWeek: Tuesday, TimeOfDay: "01:00:00+00:00" }, ScheduleActionEndTime: { DayOfWeek: Tuesday, TimeOfDay: "02:00:00+00:00" }';

    expect(plan(`{ ${times} }`).errors).toEqual([]);
    expect(plan(`{ id: 4, ${times} }`).errors).toMatchObject([{ detail: { id: 'item-number-given' } }]);
  });

  it('a variable in an item counts as used, and two that come to the same key are told with the values', () => {
    const { document, errors } = check(
      'set: events.severeHdFailureTrigger\nchange: { EventTriggerNotificationList: { items: [{ id: "${one}", notificationMethod: email }, { id: "${two}", notificationMethod: beep }] } }',
      'variables: { one: { type: string }, two: { type: string } }\n',
    );
    if (document === undefined) throw new Error(errors[0]?.message);

    const resolve = (two: string) =>
      resolveTemplate(document, { values: { one: '1', two }, secrets: {}, needSecrets: false });

    expect(resolve('2')).toMatchObject({ ok: true });
    expect(resolve('1')).toMatchObject({
      ok: false,
      errors: [{ path: 'sections[0].change.EventTriggerNotificationList.items[1].id' }],
    });
  });
});
