import { describe, expect, it } from 'vitest';
import { findOperation, operations, type Field, type Payload } from '#protocol/index.ts';
import chinese from '../../resources/locales/zh-CN/fields.json';
import help from '../../resources/locales/zh-CN/help.json';
import params from '../../resources/locales/zh-CN/params.json';
import { findField } from '#protocol/fields/field-at.ts';
import {
  formatCondition,
  getFieldLabel,
  issueText,
  formatLimits,
  buildLabelKey,
} from '#renderer/common/forms/model/form-labels.ts';
import { getFieldLimits } from '#renderer/common/forms/model/limits.ts';

function allHelp(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (field: Field): void => {
    if (field.help !== undefined) found.add(field.help);
    if (field.kind === 'object') field.fields.forEach(visit);
    if (field.kind === 'list') visit(field.item);
  };
  for (const { request, response } of operations) {
    for (const payload of [request, response]) {
      payload?.fields.forEach(visit);
      if (payload?.rootItem !== undefined) visit(payload.rootItem);
    }
  }
  return found;
}
const t = (key: string, named: object = {}): string => `${key}${JSON.stringify(named)}`;

describe('Chinese words', () => {
  // Catches a help text that was changed and would stay English on a Chinese screen.
  it('are there for every help text, and for no other', () => {
    expect(new Set(Object.keys(help))).toEqual(allHelp());
  });

  it('are there for every variable of a path', () => {
    const labels = new Set(operations.flatMap((operation) => operation.params.map((param) => param.label)));

    expect(new Set(Object.keys(params))).toEqual(labels);
  });
});

describe('words of fields', () => {
  const payload = findOperation('humanRecognition.config.put')?.request as Payload;
  const interval = findField(payload, 'analysisParam.captureInterval') as Field;

  it('are found for entries of lists and for a root that is a list', () => {
    expect(buildLabelKey('Schedule', 'TimeBlockList[3].dayOfWeek')).toBe(
      'Schedule.TimeBlockList[].dayOfWeek',
    );
    expect(buildLabelKey('HumanRecognitionRegionList', '[0].id')).toBe('HumanRecognitionRegionList[].id');
    expect(chinese).toHaveProperty([buildLabelKey('HumanRecognitionRegionList', '[0].id')]);
    expect(getFieldLabel(chinese, 'HumanRecognition', 'analysisParam.captureInterval', interval)).toBe(
      chinese['HumanRecognition.analysisParam.captureInterval'],
    );
  });

  it('say when a field counts, with the words of the field that decides', () => {
    const [condition] = interval.when ?? [];

    expect(
      condition &&
        formatCondition(condition, 'analysisParam.captureInterval', {
          payload,
          root: 'HumanRecognition',
          words: {},
          t,
        }),
    ).toBe('forms.onlyWhen{"field":"Analysis mode","values":"Group behavior"}');
  });

  it('give both limits where the device is narrower', () => {
    const limits = getFieldLimits(
      interval,
      'analysisParam.captureInterval',
      new Map([['analysisParam.captureInterval', { state: 'reported', min: 10, max: 60 }]]),
    );

    expect(formatLimits(limits, t)).toMatch(/^forms\.bothLimits/);
    expect(formatLimits(getFieldLimits(interval, 'x', undefined), t)).toMatch(
      /^forms\.span\.value\.between.*3600.* s$/,
    );
  });

  it.each([
    [
      { code: 'out-of-range', path: 'a', message: 'm', allowed: { min: 1, max: 3 } },
      'forms.mustBetween{"min":1,"max":3}',
    ],
    [{ code: 'out-of-range', path: 'a', message: 'm', allowed: { min: 5, max: 3 } }, 'forms.nothingLeft{}'],
    [{ code: 'out-of-range', path: 'a', message: 'm', allowed: { minLength: 2 } }, 'forms.tooShort{"min":2}'],
    [{ code: 'wrong-type', path: 'a', message: 'm' }, 'forms.type.int{}'],
    // A rule between fields has no words of its own.
    [
      { code: 'not-allowed', path: 'a', message: 'Individual behavior allows one region.' },
      'Individual behavior allows one region.',
    ],
  ] as const)('complain in the words of the screen: %o', (issue, said) => {
    expect(issueText(issue, interval, t)).toBe(said);
  });
});
