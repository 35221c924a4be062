/** Differences as people read them: by days, outlines and methods, never by the numbers of items. */
import { describe, expect, it } from 'vitest';
import { computeChanges, describeRegions, describeWeek, groupChanges } from '#protocol/index.ts';
import { createTranslator, ENGLISH, loadTranslation } from '#shared/details/languages.ts';
import { payloadOf } from '#test/engine/planning/pure/documents.ts';

const WEEK = 'events.thermometrySchedule';
const block = (dayOfWeek: number, begin: string, end: string) => ({
  dayOfWeek,
  TimeRange: { beginTime: `${begin}:00`, endTime: `${end}:00` },
});
const office = [1, 2, 3, 4, 5, 6, 7].map((day) => block(day, '06:30', '22:00'));

function difference(set: string, before: unknown, after: unknown) {
  return groupChanges(set, computeChanges(payloadOf(set), before, after));
}
async function inWords(set: string, before: unknown, after: unknown, language: 'en' | 'de' | 'zh-CN' = 'en') {
  const translation = language === 'en' ? ENGLISH : await loadTranslation(language);
  const words = { words: translation.fields, language, say: createTranslator(translation) };
  return difference(set, before, after).flatMap((one) => {
    if (one.kind === 'week') return describeWeek(set, one, words);
    if (one.kind === 'regions') return describeRegions(set, one, words);
    return `${one.change.label}: ${JSON.stringify(one.change.from)} → ${JSON.stringify(one.change.to)}`;
  });
}

describe('a week', () => {
  const before = { TimeBlockList: office };
  const after = { TimeBlockList: [block(2, '06:00', '23:00')] };

  it('is named by its days, also where only the begin of a period changes (Period 1 that is Monday in one line and Tuesday in the next)', async () => {
    expect(await inWords(WEEK, before, after)).toEqual([
      'Monday and Wednesday to Sunday removed',
      'Tuesday 06:30–22:00 → 06:00–23:00',
    ]);
    expect(
      await inWords(
        WEEK,
        { TimeBlockList: [block(2, '06:30', '22:00')] },
        { TimeBlockList: [block(2, '06:00', '22:00')] },
      ),
    ).toEqual(['Tuesday 06:30–22:00 → 06:00–22:00']);
  });

  it('has words in the other languages', async () => {
    expect(await inWords(WEEK, before, after, 'de')).toEqual([
      'Montag und Mittwoch bis Sonntag entfernt',
      'Dienstag 06:30–22:00 → 06:00–23:00',
    ]);
    expect(await inWords(WEEK, before, after, 'zh-CN')).toContain('星期二 06:30–22:00 → 06:00–23:00');
  });

  it('that the device did not have is told as added, and other settings stay beside it', async () => {
    expect(
      await inWords(
        WEEK,
        { videoInputChannelID: '1' },
        { videoInputChannelID: '2', TimeBlockList: [block(6, '08:00', '18:00')] },
      ),
    ).toEqual(['Video channel: "1" → "2"', 'Saturday added: 08:00–18:00']);
  });

  it('with all days, so that those that stay can be drawn quietly', () => {
    const [week] = difference(WEEK, before, { TimeBlockList: office.with(1, block(2, '06:00', '23:00')) });

    expect(week).toMatchObject({
      kind: 'week',
      days: office.map(({ dayOfWeek: day }) => ({ day, isChanged: day === 2, to: [{ day }] })),
    });
  });

  it('with a period past midnight is told field by field, for no day could hold it', async () => {
    const words = await inWords(
      WEEK,
      { TimeBlockList: [block(1, '22:00', '23:00')] },
      { TimeBlockList: [block(1, '22:00', '05:00')] },
    );

    expect(words).toEqual(['Arming periods › Period Monday › Time range › End: "23:00:00" → "05:00:00"']);
  });

  it('of a plan says what else a period is for, and does not lose a change beside its times', async () => {
    const period = (id: number, day: string, hour: string, eventType: string) => ({
      id,
      ScheduleActionStartTime: { DayOfWeek: day, TimeOfDay: `${hour}:00:00+00:00` },
      ScheduleActionEndTime: { DayOfWeek: day, TimeOfDay: '23:00:00+00:00' },
      eventType,
    });
    const plan = (...ScheduleActionList: readonly unknown[]) => ({ ScheduleActionList });

    const words = await inWords(
      'passback.historyPlan',
      plan(period(1, 'Monday', '08', 'alarmIn'), period(2, 'Friday', '08', 'alarmIn')),
      plan(period(1, 'Tuesday', '07', 'alarmIn'), period(2, 'Friday', '08', 'PIR')),
    );

    expect(words[0]).toBe('Monday removed');
    expect(words[1]).toMatch(/^Tuesday added: 07:00–23:00 \(Event Alarm input/);
    expect(words).toHaveLength(3);
    expect(words[2]).toMatch(/Event: "alarmIn" → "PIR"$/);
  });
});

describe('regions', () => {
  const SET = 'humanRecognition.regions';
  const region = (id: string, x: number, regionName = 'Hall') => ({
    id,
    regionName,
    RegionCoordinatesList: [
      { positionX: x, positionY: 0 },
      { positionX: 500, positionY: 0 },
      { positionX: 500, positionY: 500 },
    ],
  });

  it('have one outline each, before and after, instead of a line a corner; what else changes stays', async () => {
    const [before, after] = [
      [region('1', 0), region('2', 0)],
      [region('1', 0), region('2', 100, 'Lobby')],
    ];

    const [picture] = difference(SET, before, after);

    expect(picture).toMatchObject({
      kind: 'regions',
      regions: [{ name: '1' }, { name: '2', from: [{ x: 0 }, {}, {}], to: [{ x: 100 }, {}, {}] }],
    });
    const words = await inWords(SET, before, after);
    expect(words[0]).toMatch(/outline changed, 3 → 3 corners$/);
    expect(words[1]).toMatch(/name: "Hall" → "Lobby"$/);
    expect(words).toHaveLength(2);
  });

  it('that come or go are named, without their corners as text', async () => {
    const words = await inWords(SET, [region('1', 0)], [region('2', 0)]);

    expect(words.join('\n')).not.toContain('position');
    expect(words.filter((line) => /outline (?:added|removed)/.test(line))).toHaveLength(2);
  });
});

describe('linkages', () => {
  it('are called by their method, and by their id where two have the same', () => {
    const SET = 'events.severeHdFailureTrigger';
    const linkage = (id: string, notificationRecurrence: string, notificationMethod = 'email') => ({
      id,
      notificationMethod,
      notificationRecurrence,
    });
    const labels = (...others: readonly object[]) =>
      computeChanges(
        payloadOf(SET),
        { EventTriggerNotificationList: [linkage('17', 'beginning'), ...others] },
        { EventTriggerNotificationList: [linkage('17', 'recurring'), ...others] },
      ).map(({ label }) => label);

    expect(labels(linkage('18', 'beginning', 'beep'))).toEqual(['Linkages › Linkage E-mail › When']);
    expect(labels(linkage('18', 'beginning'))).toEqual(['Linkages › Linkage 17 › When']);
  });
});
