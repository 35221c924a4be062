import { describe, expect, it } from 'vitest';
import { FieldwrightError, type ErrorCode, type ErrorShape } from '#shared/errors.ts';
import {
  buildPath,
  findOperation,
  findResource,
  findNearestName,
  resources,
  type Field,
  type Operation,
  type Param,
} from '#protocol/index.ts';
import {
  changeLabel,
  findOptionLabel,
  getReportedLabel,
  findSectionField,
  getSectionLabel,
  type FieldLabels,
} from '#protocol/field-labels.ts';
import { formatFieldTitle, describeField, describeParam, formatValueLabel } from '#protocol/field-text.ts';
import { choice, flag, float, int, list, object, opaque, text, when } from './words.ts';

function must(id: string): Operation {
  const found = findOperation(id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}
function refusal(act: () => unknown): ErrorShape {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof FieldwrightError) return thrown.shape;
    throw thrown;
  }
  throw new Error('nothing thrown');
}
describe('catalogue', () => {
  it('finds the resource of each read and write of one path (a section that no template can name)', () => {
    expect(resources).toHaveLength(17);
    for (const { name, put } of resources) expect(findResource(name)?.put).toBe(put);
    expect(findResource('passback.historyPlan')?.capability?.id).toBe(
      'passback.historyPlan.capabilities.get',
    );
    expect(findResource('thermal.thermometryMode')?.capability?.id).toBe(
      'thermal.thermometryMode.capabilities.get',
    );
    expect(findResource('thermal.fireDetection')).toBeUndefined();
    expect(findResource('constructor')).toBeUndefined();
  });
});

describe('buildPath', () => {
  it('replaces only the leading segment (a device whose own path holds /API later)', () => {
    expect(buildPath(must('accessControl.deployInfo.get'), {}, '/Device/v1/')).toBe(
      '/Device/v1/AccessControl/DeployInfo',
    );
    expect(buildPath(must('accessControl.deployInfo.get'), {}, '/API')).toBe('/API/AccessControl/DeployInfo');
    expect(buildPath(must('accessControl.deployInfo.get'), {}, '')).toBe('/AccessControl/DeployInfo');
  });

  it('percent-encodes variables and query values (an id with a slash that names another resource)', () => {
    const path = buildPath(must('aiPlatform.modelProgress.get'), { MPID: 'a/b ?ü#%' }, '/API');
    expect(path).toBe(
      '/API/Intelligent/AIOpenPlatform/algorithmModel/progress/a%2Fb%20%3F%C3%BC%23%25?format=json',
    );
    expect(
      buildPath(must('passback.historyPlan.get'), { streamID: 'x&Channel=9', channelID: 2 }, '/API'),
    ).toBe('/API/ContentMgmt/record/passback/historyPlanCfg?StreamID=x%26Channel%3D9&Channel=2');
  });

  it('takes whole numbers as text, and defaults (a value from a command line)', () => {
    expect(buildPath(must('thermal.thermometryBasic.get'), { channelID: '3' }, '/API')).toContain(
      '/channels/3/',
    );
    expect(buildPath(must('system.capabilities.get'), {}, '/API')).toBe('/API/System/capabilities?type=all');
  });

  it('takes the last of what is allowed (a channel, an id or a byte that no one can ask for)', () => {
    const path = (id: string, params: Record<string, string | number>) => buildPath(must(id), params, '/API');

    expect(path('accessControl.localController.get', { localControllerID: 64 })).toContain('/64');
    expect(path('accessControl.localController.get', { localControllerID: '1' })).toContain('/1');
    expect(path('aiPlatform.engine.reset', { engineID: 0 })).toContain('/0');
    expect(path('aiPlatform.engine.reset', { engineID: '9'.repeat(15) })).toContain('9'.repeat(15));
    expect(path('aiPlatform.modelProgress.get', { MPID: 'x'.repeat(64) })).toContain('x'.repeat(64));
    expect(path('system.capabilities.get', { type: 'y'.repeat(1024) })).toContain('y'.repeat(1024));
    expect(path('aiPlatform.modelProgress.get', { MPID: '...' })).toContain('/...?');
  });

  const BASIC = 'thermal.thermometryBasic.get';
  const PROGRESS = 'aiPlatform.modelProgress.get';
  const CONTROLLER = 'accessControl.localController.get';
  const WHOLE = 'must be a whole number.';
  it.each<[ErrorCode, string, Record<string, string | number>, string, string]>([
    ['missing-parameter', BASIC, {}, 'channelID', `"${BASIC}" needs the parameter "channelID".`],
    ['out-of-range', BASIC, { channelID: -1 }, 'channelID', 'channelID must be at least 0.'],
    ['out-of-range', CONTROLLER, { localControllerID: 65 }, 'localControllerID', 'must be 1 to 64.'],
    ['out-of-range', CONTROLLER, { localControllerID: 0 }, 'localControllerID', 'must be 1 to 64.'],
    ['out-of-range', 'aiPlatform.engine.reset', { engineID: -1 }, 'engineID', 'must be at least 0.'],
    ['wrong-type', BASIC, { channelID: '1.5' }, 'channelID', WHOLE],
    ['wrong-type', BASIC, { channelID: 'x1' }, 'channelID', WHOLE],
    ['wrong-type', BASIC, { channelID: '' }, 'channelID', WHOLE],
    ['wrong-type', BASIC, { channelID: '1'.repeat(16) }, 'channelID', WHOLE],
    ['wrong-type', BASIC, { channelID: 2 ** 53 }, 'channelID', WHOLE],
    ['wrong-type', BASIC, { channelID: Number.NaN }, 'channelID', WHOLE],
    ['too-long', PROGRESS, { MPID: 'x'.repeat(65) }, 'MPID', 'must not be longer than 64 characters.'],
    [
      'too-long',
      'system.capabilities.get',
      { type: 'x'.repeat(1025) },
      'type',
      'longer than 1024 characters.',
    ],
    ['out-of-range', PROGRESS, { MPID: '' }, 'MPID', 'MPID must have at least 1 character.'],
    ['not-allowed', PROGRESS, { MPID: '.' }, 'MPID', 'MPID is not allowed in a path.'],
    ['not-allowed', PROGRESS, { MPID: '..' }, 'MPID', 'MPID is not allowed in a path.'],
    ['not-allowed', PROGRESS, { MPID: '\ud800' }, 'MPID', 'MPID is not allowed in a path.'],
  ])(
    'refuses %s and says of what (a wrong request that reaches the device): %s %j',
    (code, operation, params, name, says) => {
      expect(refusal(() => buildPath(must(operation), params, '/API'))).toMatchObject({
        code,
        source: 'user',
        operation,
        path: `params.${name}`,
        message: expect.stringContaining(says) as string,
      });
    },
  );

  it('names the parameter that was meant, if one is near (a hint that leads astray)', () => {
    const told = (params: Record<string, number>) =>
      refusal(() => buildPath(must(BASIC), { channelID: 1, ...params }, '/API'));

    expect(told({ chanelID: 1 })).toMatchObject({
      code: 'unknown-parameter',
      path: 'params.chanelID',
      nearest: 'channelID',
      message: `${BASIC} has no parameter chanelID.`,
    });
    const far = told({ ['y'.repeat(70)]: 1 });
    expect(far).not.toHaveProperty('nearest');
    expect(far.message).toBe(`${BASIC} has no parameter ${'y'.repeat(60)}.`);
  });

  it('does not take inherited names for parameters (a polluted object)', () => {
    expect(
      refusal(() => buildPath(must(BASIC), Object.create({ channelID: 1 }) as Record<string, number>, '/API'))
        .code,
    ).toBe('missing-parameter');
  });
});

describe('nearestName', () => {
  it.each([
    ['emisivity', ['emissivity', 'emissivityMode'], 'emissivity'],
    ['coutingremove', ['coutingRemove'], 'coutingRemove'],
    ['distance', ['alarm', 'alert'], undefined],
    ['', ['a'], undefined],
    ['DISTANCE', ['distances', 'Distance'], 'Distance'],
    ['abc', ['xbc', 'abx'], 'xbc'],
    // Two letters of a short name, a third of a long one, eight of any.
    ['abc', ['abcdef', 'abcde'], 'abcde'],
    ['abc', ['xyc', 'xyz'], 'xyc'],
    ['abcdef', ['xyzdef'], undefined],
    ['abcdefghi', ['xyzdefghi'], 'xyzdefghi'],
    ['abcdefghi', ['xyzwefghi'], undefined],
    ['defghi', ['abcdefghi', 'defghiab'], 'defghiab'],
    ['ab', ['cd', 'b'], 'b'],
    ['ab', ['ba', 'cd'], undefined],
    ['a'.repeat(30), [`${'b'.repeat(9)}${'a'.repeat(21)}`], undefined],
    ['a'.repeat(30), [`${'b'.repeat(8)}${'a'.repeat(22)}`], `${'b'.repeat(8)}${'a'.repeat(22)}`],
    ['a'.repeat(150), ['a'.repeat(100)], 'a'.repeat(100)],
  ])('%j among %j is %j (a hint that leads astray)', (name, candidates, nearest) => {
    expect(findNearestName(name, candidates)).toBe(nearest);
  });
});

// Would catch: a comment of a template that leaves out a limit, or tells one that is none.
describe('what a field takes, in words', () => {
  const many = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);

  it.each<[Field, string]>([
    [int('f', 'F'), 'F'],
    [int('f', 'F', { min: 1, max: 9 }), 'F: 1 to 9'],
    [
      int('f', 'F', { min: 1, unit: 's', default: 5, required: true }),
      'F: at least 1 s; default 5; required',
    ],
    [float('f', 'F', { max: 1.5, unit: 'm' }), 'F: at most 1.5 m'],
    [int('f', 'F', { unit: 's' }), 'F: s'],
    [
      int('f', 'F', { max: 5, unitFrom: { path: 'u', absent: 'meter' } }),
      'F: at most 5; unit: u (meter where absent)',
    ],
    [int('f', 'F', { unit: 'm', unitFrom: { path: 'u', absent: 'meter' } }), 'F: m'],
    [text('f', 'F', { minLength: 0, maxLength: 8, sensitive: true }), 'F: at most 8 characters; secret'],
    [text('f', 'F', { minLength: 2 }), 'F: at least 2 characters'],
    [text('f', 'F', { minLength: 0 }), 'F'],
    [text('f', 'F', { csv: { min: 1, max: 4 } }), 'F: numbers (1 to 4) separated by commas'],
    [flag('f', 'F', { default: false }), 'F: true or false; default false'],
    [choice('f', 'F', many(12)), `F: ${many(12).join(', ')}`],
    [choice('f', 'F', many(14)), `F: ${many(12).join(', ')} and 2 others`],
    [when('datetime', 'f', 'F'), 'F: YYYY-MM-DDTHH:MM:SS'],
    [when('date', 'f', 'F'), 'F: YYYY-MM-DD'],
    [when('time', 'f', 'F'), 'F: HH:MM:SS'],
    [when('time', 'f', 'F', { zoned: true }), 'F: HH:MM:SS+HH:MM'],
    [when('minutes', 'f', 'F'), 'F: HH:MM'],
    [list('f', 'F', int('i', 'I'), { minItems: 0, maxItems: 3 }), 'F: at most 3 entries'],
    [list('f', 'F', int('i', 'I'), { minItems: 1 }), 'F: at least 1 entries'],
    [list('f', 'F', int('i', 'I')), 'F'],
    [object('f', 'F', [int('i', 'I')]), 'F'],
    [opaque('f', 'F', { required: true }), 'F: required'],
    [
      int('f', 'F', {
        when: [
          { path: 'a.b', oneOf: ['x', 'y'] },
          { path: 'c', oneOf: [1], given: { path: 'd', oneOf: [true] } },
        ],
      }),
      'F: only when a.b is x or y, when d is true only when c is 1',
    ],
  ])('%# %o', (field, words) => {
    expect(describeField(field)).toBe(words);
  });

  it('its title has its unit, or where that stands', () => {
    const unitFrom = { path: 'u', absent: 'meter' };

    expect(
      [{}, { unit: 'm' }, { unitFrom }, { unit: 's', unitFrom }].map((extra) =>
        formatFieldTitle(int('f', 'F', extra)),
      ),
    ).toEqual(['F', 'F (m)', 'F (unit: u)', 'F (s)']);
    expect(formatFieldTitle(flag('f', 'F'))).toBe('F');
  });

  it('a value has a label where that says more', () => {
    const field = choice('f', 'F', [['a', 'First'], 'b']);

    expect(['a', 'b', 'c'].map((value) => formatValueLabel(field, value))).toEqual(['First', '', '']);
    expect(formatValueLabel(text('f', 'F'), 'a')).toBe('');
  });

  it.each<[Partial<Param>, string]>([
    [{ type: 'int' }, 'P'],
    [{ type: 'int', min: 1, max: 4 }, 'P: 1 to 4'],
    [{ type: 'string', maxLength: 8 }, 'P: at most 8 characters'],
    [{ type: 'string', min: 1 }, 'P'],
  ])('a parameter of %j is %s', (param, words) => {
    expect(describeParam({ name: 'p', label: 'P', type: 'int', ...param })).toBe(words);
  });
});

// Would catch: a screen that names another field, or leaves a hole where a word is missing.
describe('words of a language', () => {
  const SET = 'events.thermometrySchedule';
  const root = findResource(SET)?.put.request?.root ?? '';
  const words = {
    [`${SET}.put`]: 'Put',
    [`${SET}.get`]: 'Get',
    [`${root}.TimeBlockList`]: 'Blocks',
    [`${root}.TimeBlockList[]`]: 'Block',
    [`${root}.TimeBlockList[].dayOfWeek`]: 'Day',
    [`${root}.TimeBlockList[].dayOfWeek=1`]: 'Monday!',
  };

  it('name sections', () => {
    const some: FieldLabels[] = [words, { [`${SET}.get`]: 'Get' }, {}];

    expect(some.map((known) => getSectionLabel(known, SET, 'x'))).toEqual(['Put', 'Get', 'x']);
  });

  it('name what changes with all that holds it, or nothing of it', () => {
    const label = (path: string, set = SET) => changeLabel(words, set, { path, label: 'x' });

    expect(
      ['TimeBlockList[1].dayOfWeek', 'TimeBlockList', 'TimeBlockList[0].id', ''].map((path) => label(path)),
    ).toEqual(['Blocks › Block 2 › Day', 'Blocks', 'x', 'x']);
    expect([
      label('TimeBlockList', 'no.such'),
      label('TimeBlockList', 'events.thermometrySchedule.put'),
    ]).toEqual(['x', 'Blocks']);
    expect(label('x', 'system.time.get')).toBe('x');
  });

  it('name choices', () => {
    const word = (some: Readonly<Record<string, string>>, path: string, value: unknown, set = SET) =>
      findOptionLabel(some, set, path, value);
    const path = 'TimeBlockList[3].dayOfWeek';

    expect([
      word(words, path, 1),
      word(words, path, '1'),
      word({}, path, 99),
      word(words, path, 1, 'no.such'),
    ]).toEqual(['Monday!', 'Monday!', undefined, undefined]);
    expect(word({}, path, 2)).toBe(word({}, path, '2'));
    expect(word({}, path, 2)).toBeTypeOf('string');
    expect(word({ [`${root}.id=1`]: 'no choice' }, 'id', 1)).toBeUndefined();
    expect(findSectionField(SET, path)?.name).toBe('dayOfWeek');
  });

  it('name what is reported', () => {
    const operation = 'thermal.capabilities.get';
    const report = findOperation(operation)?.response?.root ?? '';
    const label = (of: string, path: string) =>
      getReportedLabel({ [`${report}.a[].b`]: 'B', 'no.such.a': 'A' }, { operation: of, path, label: 'x' });

    expect([label(operation, 'a[2].b'), label(operation, 'c'), label('no.such', 'a')]).toEqual([
      'B',
      'x',
      'A',
    ]);
  });
});
