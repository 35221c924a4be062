import { describe, expect, it } from 'vitest';
import { parsePath } from '#protocol/fields/path.ts';
import chinese from '../../resources/locales/zh-CN/fields.json';
import {
  changeLabel,
  formatComposite,
  findOptionLabel,
  findSectionField,
  getSectionLabel,
} from '#renderer/common/labels/field-labels.ts';

const SCHEDULE = 'events.thermometrySchedule';

describe('field words', () => {
  it('reads a path as its steps', () => {
    expect(parsePath('TimeBlockList[10].TimeRange.beginTime')).toEqual([
      'TimeBlockList',
      10,
      'TimeRange',
      'beginTime',
    ]);
    expect(parsePath('')).toEqual([]);
  });

  it('finds the definition behind a path, and nothing behind a wrong one', () => {
    expect(findSectionField(SCHEDULE, 'TimeBlockList[0].dayOfWeek')?.name).toBe('dayOfWeek');
    expect(findSectionField(SCHEDULE, 'TimeBlockList[0].constructor')).toBeUndefined();
    expect(findSectionField('no.such', 'x')).toBeUndefined();
  });

  it('names section, holder and field in Chinese', () => {
    expect(getSectionLabel(chinese, 'thermal.thermometryBasic', 'x')).toBe('测温基本参数');
    expect(changeLabel(chinese, SCHEDULE, { path: 'TimeBlockList[1].TimeRange.beginTime', label: 'x' })).toBe(
      '布防时段 › 时段 2 › 时间范围 › 开始',
    );
    expect(findOptionLabel(chinese, SCHEDULE, 'TimeBlockList[0].dayOfWeek', 1)).toBe('星期一');
  });

  it('leaves the label of the engine where a word is missing', () => {
    expect(changeLabel({}, SCHEDULE, { path: 'TimeBlockList[1]', label: 'Time block 2' })).toBe(
      'Time block 2',
    );
    expect(changeLabel(chinese, 'no.such', { path: 'x', label: 'X' })).toBe('X');
  });

  it('says a choice in words also without a locale', () => {
    expect(
      findOptionLabel({}, 'thermal.thermometryBasic', 'emissivityMode', 'customsettings'),
    ).not.toBeUndefined();
    expect(findOptionLabel({}, 'thermal.thermometryBasic', 'distance', 3)).toBeUndefined();
  });

  const leaf = (path: string, value: unknown) =>
    findOptionLabel(chinese, SCHEDULE, path, value) ?? String(value);

  // Would catch: names of the wire in braces on a screen, in the middle of Chinese.
  it('says an object and a list by what their fields are called', () => {
    const monday = { dayOfWeek: 1, TimeRange: { beginTime: '08:00:00', endTime: '18:00:00' } };
    expect(formatComposite(chinese, SCHEDULE, 'TimeBlockList[3]', monday, leaf)).toBe(
      '星期 星期一 · 开始 08:00:00 · 结束 18:00:00',
    );
    expect(formatComposite({}, SCHEDULE, 'TimeBlockList', [monday, { dayOfWeek: 2 }], leaf)).toBe(
      'Day 星期一 · Begin 08:00:00 · End 18:00:00; Day 星期二',
    );
  });

  it('leaves single values, unknown fields and long lists to those who show them as they are', () => {
    const told = (value: unknown) => formatComposite(chinese, SCHEDULE, 'TimeBlockList', value, leaf);
    expect([
      told('08:00:00'),
      told([]),
      told([{ dayOfWeek: 1, vendor: 'x' }]),
      told(Array.from({ length: 200 }, () => ({ dayOfWeek: 1 }))),
      formatComposite(chinese, 'no.such', 'x', { y: 1 }, leaf),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
