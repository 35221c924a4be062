import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/protocol/fields/path.ts';
import chinese from '../../resources/locales/zh-CN.fields.json';
import {
  changeLabel,
  optionLabel,
  sectionField,
  sectionLabel,
} from '../../src/renderer/common/labels/field-labels.ts';

const SCHEDULE = 'events.thermometrySchedule';

describe('field words', () => {
  it('reads a path as its steps', () => {
    expect(stepsOf('TimeBlockList[10].TimeRange.beginTime')).toEqual([
      'TimeBlockList',
      10,
      'TimeRange',
      'beginTime',
    ]);
    expect(stepsOf('')).toEqual([]);
  });

  it('finds the definition behind a path, and nothing behind a wrong one', () => {
    expect(sectionField(SCHEDULE, 'TimeBlockList[0].dayOfWeek')?.name).toBe('dayOfWeek');
    expect(sectionField(SCHEDULE, 'TimeBlockList[0].constructor')).toBeUndefined();
    expect(sectionField('no.such', 'x')).toBeUndefined();
  });

  it('names section, holder and field in Chinese', () => {
    expect(sectionLabel(chinese, 'thermal.thermometryBasic', 'x')).toBe('测温基本参数');
    expect(changeLabel(chinese, SCHEDULE, { path: 'TimeBlockList[1].TimeRange.beginTime', label: 'x' })).toBe(
      '布防时段 › 时段 2 › 时间范围 › 开始',
    );
    expect(optionLabel(chinese, SCHEDULE, 'TimeBlockList[0].dayOfWeek', 1)).toBe('星期一');
  });

  it('leaves the label of the engine where a word is missing', () => {
    expect(changeLabel({}, SCHEDULE, { path: 'TimeBlockList[1]', label: 'Time block 2' })).toBe(
      'Time block 2',
    );
    expect(changeLabel(chinese, 'no.such', { path: 'x', label: 'X' })).toBe('X');
  });

  it('says a choice in words also without a locale', () => {
    expect(
      optionLabel({}, 'thermal.thermometryBasic', 'emissivityMode', 'customsettings'),
    ).not.toBeUndefined();
    expect(optionLabel({}, 'thermal.thermometryBasic', 'distance', 3)).toBeUndefined();
  });
});
