/** Lists in part as the forms edit them: nothing of a `change` may get lost between the text and the form. */
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { findResource } from '#protocol/index.ts';
import {
  beginSetting,
  buildSettingTemplate,
  findSettings,
  listSettings,
} from '#renderer/features/apply/setting/setting-choice.ts';
import { readParts, writeParts } from '#renderer/common/forms/templates/form-parts.ts';
import { addWithControllers } from '#renderer/common/forms/templates/template-form.ts';

function payloadOf(set: string) {
  const payload = findResource(set)?.put.request;
  if (payload === undefined) throw new Error(set);
  return payload;
}
const tuesday = { dayOfWeek: 2, TimeRange: { beginTime: '06:00:00', endTime: '23:00:00' } };

describe('a section with a list in part', () => {
  it.each([
    [
      'days that come and go, with the choice to refuse',
      'events.thermometrySchedule',
      {
        value: { outputIOPortID: '1' },
        change: {
          TimeBlockList: {
            keep: 'others',
            missing: 'refuse',
            items: [tuesday, { remove: true, dayOfWeek: 7 }],
          },
        },
      },
    ],
    [
      'a list that is the whole document',
      'humanRecognition.regions',
      { value: undefined, change: { keep: 'others', items: [{ id: '2', regionName: 'Hall' }] } },
    ],
    [
      'days of a plan, whose key is inside',
      'passback.historyPlan',
      {
        value: undefined,
        change: {
          ScheduleActionList: {
            keep: 'others',
            items: [{ remove: true, ScheduleActionStartTime: { DayOfWeek: 'Sunday' } }],
          },
        },
      },
    ],
  ])('%s is the same after the form', (_what, set, section) => {
    const payload = payloadOf(set);

    expect(writeParts(payload, readParts(payload, section))).toEqual(section);
  });

  it('shows the items in the value, without those that only remove', () => {
    const { value, parts } = readParts(payloadOf('events.thermometrySchedule'), {
      value: undefined,
      change: { TimeBlockList: { items: [tuesday, { dayOfWeek: 7, remove: true }] } },
    });

    expect(value).toEqual({ TimeBlockList: [tuesday] });
    expect(parts).toEqual({ TimeBlockList: { missing: 'add', removed: [7] } });
  });
});

describe('one setting for a selection', () => {
  const settings = listSettings({}, ['thermal']);

  it('is found by words of its name and its section, those of the kind first', () => {
    const found = findSettings(settings, 'thermometry arming periods');

    expect(found[0]?.id).toBe('events.thermometrySchedule TimeBlockList');
    expect(settings[0]?.isExpected).toBe(true);
    expect(settings.at(-1)?.isExpected).toBe(false);
  });

  // Would catch: a list that begins with an id, which an installer never sets.
  it('offers nothing that only the interface needs', () => {
    const names = settings.map(({ path }) => path.replace(/.*[.]/, ''));

    expect(names).not.toContain('id');
    expect(names).not.toContain('eventType');
  });

  it('makes a template that the check accepts, with the other days left alone', () => {
    const [setting] = findSettings(settings, 'thermometry arming periods');
    if (setting === undefined) throw new Error('none');

    const text = buildSettingTemplate('Tuesday', setting, {
      ...beginSetting(setting),
      value: { TimeBlockList: [tuesday] },
    });

    expect(parseTemplate(text).errors).toEqual([]);
    expect(text).toContain('"keep": "others"');
  });

  it('comes with the setting that leaves it free (an emissivity that the mode fixes blocks the plan)', () => {
    const emissivity = settings.find(({ id }) => id === 'thermal.thermometryBasic emissivity');
    if (emissivity === undefined) throw new Error('none');

    expect(addWithControllers(emissivity.field, 'emissivity', { value: {}, initial: 0.9 })).toEqual({
      emissivityMode: 'customsettings',
      emissivity: 0.9,
    });
    expect(
      addWithControllers(emissivity.field, 'emissivity', {
        value: { emissivityMode: 'smooth' },
        initial: 0.9,
      }),
    ).toMatchObject({ emissivityMode: 'smooth' });
  });
});
