import { createDetail } from '#shared/details.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findOperation,
  readConstraints,
  validate,
  type Constraints,
  type Issue,
  type Payload,
  type Rule,
  type Condition,
} from '#protocol/index.ts';
import { choice, flag, float, int, json, list, object, opaque, text, when, xml } from './words.ts';

function codes(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ code, path }) => `${code} ${path}`);
}
function patch(payload: Payload, value: unknown, constraints?: Constraints): readonly string[] {
  return codes(validate(payload, value, { mode: 'patch', ...(constraints && { constraints }) }));
}
function whole(payload: Payload, value: unknown, constraints?: Constraints): readonly string[] {
  return codes(validate(payload, value, { mode: 'whole', ...(constraints && { constraints }) }));
}

const one = xml('Root', '1:1', [
  int('count', 'Count', { min: 1, max: 5, unit: 's' }),
  float('level', 'Level', { min: -1, decimals: 1 }),
  flag('on', 'On'),
  choice('mode', 'Mode', ['a', 'b']),
  choice('code', 'Code', [1, 2]),
  text('name', 'Name', { minLength: 2, maxLength: 4 }),
  text('doors', 'Doors', { csv: { min: 1, max: 8 } }),
  text('ip', 'Address', { pattern: '\\d+' }),
  when('time', 'at', 'At'),
  when('minutes', 'until', 'Until'),
  when('date', 'day', 'Day'),
  when('datetime', 'moment', 'Moment'),
  opaque('free', 'Free'),
  object('inner', 'Inner', [int('x', 'X', { required: true })]),
  list('items', 'Items', object('item', 'Item', [int('id', 'Id', { required: true, max: 9 })]), {
    minItems: 1,
    maxItems: 2,
  }),
  int('told', 'Told', { readOnly: true }),
]);

describe('single values', () => {
  it.each([
    [{ count: 1 }, []],
    [{ count: 5 }, []],
    [{ count: 0 }, ['out-of-range count']],
    [{ count: 6 }, ['out-of-range count']],
    [{ count: 1.5 }, ['wrong-type count']],
    [{ count: '1' }, ['wrong-type count']],
    [{ count: true }, ['wrong-type count']],
    [{ count: Number.NaN }, ['wrong-type count']],
    [{ count: [] }, ['wrong-type count']],
    [{ level: -1 }, []],
    [{ level: -1.1 }, ['out-of-range level']],
    [{ level: 0.25 }, ['out-of-range level']],
    [{ level: 36.6 }, []],
    [{ level: Infinity }, ['wrong-type level']],
    [{ on: true }, []],
    [{ on: 'true' }, ['wrong-type on']],
    [{ on: 1 }, ['wrong-type on']],
    [{ mode: 'a' }, []],
    [{ mode: 'A' }, ['not-allowed mode']],
    [{ mode: 1 }, ['not-allowed mode']],
    [{ mode: {} }, ['wrong-type mode']],
    [{ code: 2 }, []],
    [{ code: '2' }, ['not-allowed code']],
    [{ code: 3 }, ['not-allowed code']],
    [{ name: 'ab' }, []],
    [{ name: '漢😀漢😀' }, []],
    [{ name: 'a' }, ['out-of-range name']],
    [{ name: '' }, ['out-of-range name']],
    [{ name: 'abcde' }, ['too-long name']],
    [{ name: 5 }, ['wrong-type name']],
    [{ name: 'a\u0000b' }, ['not-allowed name']],
    [{ doors: '1,8' }, []],
    [{ doors: '' }, []],
    [{ doors: ' ' }, ['not-allowed doors']],
    [{ doors: '1, 2' }, []],
    [{ doors: '0' }, ['not-allowed doors']],
    [{ doors: '1,,2' }, ['not-allowed doors']],
    [{ doors: '1,x' }, ['not-allowed doors']],
    [{ doors: '9' }, ['not-allowed doors']],
    [{ ip: '12' }, []],
    [{ ip: '1a' }, ['not-allowed ip']],
    [{ at: '08:00:00' }, []],
    [{ at: '24:00:00' }, []],
    [{ at: '08:00:00+08:00' }, []],
    [{ at: '08:00:00Z' }, []],
    [{ at: '08:00' }, ['not-allowed at']],
    [{ at: '24:00:01' }, ['not-allowed at']],
    [{ at: '08:60:00' }, ['not-allowed at']],
    [{ at: '8:00:00' }, ['not-allowed at']],
    [{ at: '24:00:00.5' }, ['not-allowed at']],
    [{ at: '08:00:00+0800' }, ['not-allowed at']],
    [{ at: '08:00:00-14:30' }, ['not-allowed at']],
    [{ until: '24:00' }, []],
    [{ until: '23:59' }, []],
    [{ until: '24:01' }, ['not-allowed until']],
    [{ until: '12:00:00' }, ['not-allowed until']],
    [{ day: '2024-02-29' }, []],
    [{ day: '2023-02-29' }, ['not-allowed day']],
    [{ day: '2024-13-01' }, ['not-allowed day']],
    [{ moment: '2037-12-31T23:59:59' }, []],
    [{ moment: '2024-02-29T08:00:00+08:00' }, []],
    [{ moment: '2024-02-29' }, ['not-allowed moment']],
    [{ moment: 'now' }, ['not-allowed moment']],
    [{ moment: '2024-02-29 08:00:00' }, ['not-allowed moment']],
    [{ moment: '2024-02-29T24:00:00Z' }, []],
    [{ free: { any: [1] } }, []],
    [{ free: 1 }, ['wrong-type free']],
    [{ inner: 5 }, ['wrong-type inner']],
    [{ inner: [] }, ['wrong-type inner']],
    [{ inner: new Date(0) }, ['wrong-type inner']],
    [{ items: {} }, ['wrong-type items']],
    [{ items: [] }, ['out-of-range items']],
    [{ items: [{ id: 1 }, { id: 2 }, { id: 3 }] }, ['out-of-range items']],
    [{ items: [{}] }, ['missing-field items[0].id']],
    [{ items: [{ id: 10 }] }, ['out-of-range items[0].id']],
    [{ items: [null] }, ['wrong-type items[0]']],
    [{ items: [{ idd: 1, id: 1 }] }, ['unknown-field items[0].idd']],
  ])('%j gives %j', (value, expected) => {
    expect(patch(one, value)).toEqual(expected);
  });

  const OFF: readonly Condition[] = [{ path: 'on', oneOf: [false] }];
  const more = xml('Root', '1:1', [
    flag('on', 'On'),
    int('least', 'Least', { min: 1, unit: 's' }),
    int('most', 'Most', { max: 9, unit: 's' }),
    float('ratio', 'Ratio', { min: 0.5, max: 2 }),
    float('fine', 'Fine', { decimals: 2 }),
    text('rooms', 'Rooms', { csv: { min: 1 } }),
    text('floors', 'Floors', { csv: { min: 1, max: 8 } }),
    text('mark', 'Mark', { pattern: '.' }),
    text('word', 'Word', { minLength: 2, maxLength: 4 }),
    when('time', 'at', 'At'),
    when('date', 'day', 'Day'),
    when('datetime', 'zoned', 'Zoned', { zoned: true }),
    choice('speed', 'Speed', ['normal', 'fast'], { emptyWhen: OFF }),
    int('loud', 'Loud', { max: 5, maxAt: 'loudest' }),
    float('warm', 'Warm', { max: 5, maxAt: 'loudest' }),
    int('loudest', 'Loudest'),
    list('from', 'From', int('n', 'N'), { minItems: 2 }),
    list('upTo', 'Up to', int('n', 'N'), { maxItems: 2 }),
    list('some', 'Some', int('n', 'N'), { minItems: 2, maxItems: 3, emptyWhen: OFF }),
    list('days', 'Days', object('day', 'Day', [int('on', 'On'), int('x', 'X')]), {
      perDay: { day: 'on', most: 2 },
    }),
    list('usual', 'Usual', object('day', 'Day', [int('on', 'On')]), {
      perDay: { day: 'on', most: 1, usual: true },
    }),
    list(
      'keyed',
      'Keyed',
      object('item', 'Item', [int('id', 'Id'), int('need', 'Need', { required: true })]),
      {
        key: 'id',
      },
    ),
  ]);

  it.each([
    [{ least: 0 }, 'least must be at least 1 s.'],
    [{ most: 10 }, 'most must be at most 9 s.'],
    [{ ratio: 0.25 }, 'ratio must be 0.5 to 2.'],
    [{ ratio: 0.7512345 }, undefined],
    [{ fine: 1.005 }, /^fine .*\b2\b.*\b1\b/],
    [{ rooms: '1,12,123456789' }, undefined],
    [{ rooms: '0' }, /^rooms .*\b1\b.*commas/],
    [{ rooms: '1234567890' }, /^rooms /],
    [{ rooms: 'a1' }, /^rooms /],
    [{ rooms: '1a' }, /^rooms /],
    [{ floors: '9' }, /^floors .*\b1\b.*\b8\b.*commas/],
    [{ mark: '😀' }, undefined],
    [{ mark: 'ab' }, /^mark /],
    [{ word: 'abcde' }, /^word .*\b4\b/],
    [{ word: 'a' }, /^word .*\b2\b/],
    [{ word: 'a\u0000' }, /^word .*control/],
    [{ at: '08:00:60' }, /^at .*HH:MM:SS\(\+HH:MM\)/],
    [{ at: '25:00:00' }, /^at /],
    [{ day: '2024-04-31' }, /^day .*YYYY-MM-DD/],
    [{ day: '2024-01-00' }, /^day /],
    [{ day: '2024-00-10' }, /^day /],
    [{ zoned: '2024-01-01T08:00:00+08:00' }, undefined],
    [{ zoned: '2024-01-01T08:00:00' }, 'zoned needs its offset from UTC: YYYY-MM-DDTHH:MM:SS+HH:MM.'],
    [{ speed: {} }, 'speed must be one of its options.'],
    [{ on: false, speed: '' }, undefined],
    [{ on: true, speed: '' }, /^speed must be one of: normal, fast/],
    [{ on: false, speed: 'slow' }, /^speed must/],
    [{ loud: 99, warm: 99 }, undefined],
    [{ loud: 6, loudest: 7 }, undefined],
    [{ loud: 8, loudest: 7 }, /^loud must be at most 7/],
    [{ from: [1] }, /^from .*\b2\b/],
    [{ upTo: [1, 2, 3] }, /^upTo .*\b2\b/],
    [{ some: [1] }, /^some .*\b2\b.*\b3\b/],
    [{ on: false, some: [] }, undefined],
    [{ on: true, some: [] }, /^some /],
    [{ on: false, some: [1] }, /^some /],
    [{ some: 'text' }, 'some must be a list.'],
    [{ days: [{ on: 1 }, { on: 1 }, { on: 2 }, { on: 2 }, { x: 1 }, { x: 2 }, { x: 3 }] }, undefined],
    [{ days: [{ on: 2 }, { on: 1 }, { on: 1 }, { on: 1 }] }, /\b2\b/],
    [{ usual: [{ on: 1 }, { on: 1 }] }, undefined],
    [{ keyed: [{ id: 1 }] }, undefined],
    [{ keyed: [{ id: null }] }, 'keyed[0].need is required.'],
  ])('%j is told as: %s (a person who has to guess what the limit is)', (value, message) => {
    const said = validate(more, value, { mode: 'patch' }).map((issue) => issue.message);

    expect(said).toEqual(
      message === undefined ? [] : [message instanceof RegExp ? expect.stringMatching(message) : message],
    );
  });

  it('says which limits there are, as data for scripts', () => {
    const allowed = (value: object) => validate(more, value, { mode: 'patch' })[0]?.allowed;

    expect([allowed({ least: 0 }), allowed({ most: 10 }), allowed({ ratio: 3 })]).toEqual([
      { min: 1 },
      { max: 9 },
      { min: 0.5, max: 2 },
    ]);
    expect([allowed({ from: [1] }), allowed({ some: [1] })]).toEqual([{ min: 2 }, { min: 2, max: 3 }]);
    expect(validate(more, { speed: 'nomral' }, { mode: 'patch' })[0]).toMatchObject({ nearest: 'normal' });
    expect(validate(more, { speed: 'x' }, { mode: 'patch' })[0]).not.toHaveProperty('nearest');
    expect(validate(more, { zzzzzzzz: 1 }, { mode: 'patch' })[0]).not.toHaveProperty('nearest');
  });

  it('keeps short what it says of names that are anything but short, and of hundreds of them', () => {
    const many = Object.fromEntries([
      ['x'.repeat(10_000), 1],
      ...Array.from({ length: 199 }, (_, nth) => [`unknown ${nth}`, 1] as const),
      ['lest', 1],
    ]);
    const issues = validate(more, many, { mode: 'patch' });

    expect(issues[0]?.path).toHaveLength(100);
    expect(issues.at(-1)).toMatchObject({ path: 'lest', message: 'lest is not known.' });
    expect(issues.at(-1)).not.toHaveProperty('nearest');
    expect(validate(more, { lest: 1 }, { mode: 'patch' })[0]).toHaveProperty('nearest', 'least');
  });

  it('names a list that is the whole document', () => {
    const rows = xml('Rows', '1:1', [], { rootItem: int('n', 'N'), maxItems: 1 });

    expect(validate(rows, [1, 2], { mode: 'whole' })[0]?.message).toMatch(/^The list /);
    expect(validate(rows, 5, { mode: 'whole' })[0]?.message).toMatch(/^The value must be a list/);
    expect(whole(rows, [1])).toEqual([]);
  });

  it('names limits, and the nearest name of a mistyped field (a person who has to look it up)', () => {
    const [range, unknown, option, long] = validate(
      one,
      { count: 9, levl: 1, mode: 'c', name: 'abcde' },
      { mode: 'patch' },
    ).toSorted((a, b) => a.path.localeCompare(b.path));

    expect(range).toEqual({
      code: 'out-of-range',
      path: 'count',
      message: 'count must be 1 to 5 s.',
      detail: { id: 'range-between', values: { field: 'count', min: 1, max: '5 s' } },
      allowed: { min: 1, max: 5 },
    });
    expect(unknown).toMatchObject({ path: 'levl', nearest: 'level' });
    expect(option).toMatchObject({ allowed: { options: ['a', 'b'] }, message: 'mode must be one of: a, b.' });
    expect(long).toMatchObject({ code: 'too-long', allowed: { minLength: 2, maxLength: 4 } });
  });

  it.each([null, 5, 'x', [], undefined])('a payload must be an object, not %j', (value) => {
    expect(whole(one, value)).toEqual(['wrong-type ']);
  });

  it('never repeats a sensitive value (a password in a message)', () => {
    const secrets = xml('Root', '1:1', [
      text('passwd', 'Password', { sensitive: true, maxLength: 3 }),
      text('pin', 'Pin', { sensitive: true, pattern: '\\d+' }),
    ]);

    expect(
      JSON.stringify(validate(secrets, { passwd: 'hunter2', pin: 'hunter2' }, { mode: 'patch' })),
    ).not.toContain('hunter2');
  });

  it('survives any value whatever (a check that throws over a strange template)', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withNullPrototype: true,
          withMap: true,
          withDate: true,
          withBigInt: true,
          withSparseArray: true,
        }),
        (value) => {
          validate(one, value, { mode: 'whole' });
          validate(
            one,
            { inner: value, items: [value], count: value, at: value, free: value },
            { mode: 'patch' },
          );
        },
      ),
    );
  });
});

describe('what is required, told, removed', () => {
  const two = json('Root', '1:1', [
    int('need', 'Need', { required: true }),
    int('may', 'May'),
    int('told', 'Told', { required: true, readOnly: true }),
    object('in', 'In', [int('must', 'Must', { required: true })]),
  ]);

  it('a patch needs nothing, a whole needs what is required (a PUT without a required field)', () => {
    expect(patch(two, {})).toEqual([]);
    expect(patch(two, { in: {} })).toEqual([]);
    expect(whole(two, {})).toEqual(['missing-field need']);
    expect(whole(two, { need: 1, in: {} })).toEqual(['missing-field in.must']);
  });

  it('null removes optional fields only', () => {
    expect(patch(two, { may: null, in: null })).toEqual([]);
    expect(patch(two, { need: null, in: { must: null } })).toEqual([
      'missing-field need',
      'missing-field in.must',
    ]);
    expect(whole(two, { need: null, may: null })).toEqual(['missing-field need']);
    expect(whole(two, { need: 1, told: null })).toEqual([]);
    expect(patch(one, { told: null })).toEqual(['read-only-field told']);
  });

  it('a patch cannot set what the device tells, a whole object may carry it back', () => {
    expect(patch(two, { told: 1 })).toEqual(['read-only-field told']);
    expect(whole(two, { need: 1, told: 1 })).toEqual([]);
  });

  it('`touched` reports only what a patch names (a device blamed for its own oddities)', () => {
    const value = { need: 'x', may: 'x', in: {} };

    expect(codes(validate(two, value, { mode: 'whole', touched: { may: 1 } }))).toEqual(['wrong-type may']);
    expect(codes(validate(two, value, { mode: 'whole', touched: { in: null } }))).toEqual([
      'missing-field in.must',
    ]);
    expect(
      codes(validate(one, { items: [{}, { id: 10 }] }, { mode: 'whole', touched: { items: [{ id: 1 }] } })),
    ).toEqual(['missing-field items[0].id', 'out-of-range items[1].id']);
  });
});

describe('conditions', () => {
  const three = xml('Root', '1:1', [
    choice('mode', 'Mode', ['normal', 'group']),
    int('interval', 'Interval', { when: [{ path: 'mode', oneOf: ['group'], absentAs: 'normal' }] }),
    int('plain', 'Plain', { when: [{ path: 'mode', oneOf: ['normal'], absentAs: 'normal' }] }),
    int('strict', 'Strict', { required: true, when: [{ path: 'mode', oneOf: ['group'] }] }),
    list(
      'actions',
      'Actions',
      object('action', 'Action', [
        choice('how', 'How', ['ptz', 'light']),
        int('speed', 'Speed', { when: [{ path: '^.how', oneOf: ['ptz'] }] }),
        int('wide', 'Wide', { when: [{ path: 'mode', oneOf: ['group'], absentAs: 'normal' }] }),
        object('deep', 'Deep', [int('up', 'Up', { when: [{ path: '^.^.how', oneOf: ['light'] }] })]),
      ]),
    ),
  ]);

  it('count in a patch only where the controlling field is in it (a template refused for what the device knows)', () => {
    expect(patch(three, { interval: 5 })).toEqual([]);
    expect(patch(three, { mode: 'group', interval: 5 })).toEqual([]);
    expect(patch(three, { mode: 'normal', interval: 5 })).toEqual(['condition-not-met interval']);
  });

  it('count in a whole with the default of the controlling field', () => {
    expect(whole(three, { interval: 5 })).toEqual(['condition-not-met interval']);
    expect(whole(three, { plain: 5 })).toEqual([]);
    expect(whole(three, { mode: 'group', strict: 1, plain: 5 })).toEqual(['condition-not-met plain']);
  });

  it('make a required field required only where they hold', () => {
    expect(whole(three, { mode: 'group' })).toEqual(['missing-field strict']);
    expect(whole(three, {})).toEqual([]);
    expect(whole(three, { strict: 1 })).toEqual(['condition-not-met strict']);
  });

  it('look at siblings with ^. and further out with ^.^. , also in lists of a patch', () => {
    expect(
      patch(three, { actions: [{ how: 'ptz', speed: 1 }, { how: 'light', speed: 1 }, { speed: 1 }] }),
    ).toEqual(['condition-not-met actions[1].speed', 'condition-not-met actions[2].speed']);
    expect(
      patch(three, {
        actions: [
          { how: 'ptz', deep: { up: 1 } },
          { how: 'light', deep: { up: 1 } },
        ],
      }),
    ).toEqual(['condition-not-met actions[0].deep.up']);
    expect(patch(three, { actions: [{ wide: 1 }] })).toEqual([]);
    expect(patch(three, { mode: 'normal', actions: [{ wide: 1 }] })).toEqual([
      'condition-not-met actions[0].wide',
    ]);
  });

  it("hold for the specification's own: capture interval in group mode only", () => {
    const config = findOperation('humanRecognition.config.put')?.request as Payload;

    expect(
      patch(config, { analysisParam: { analysisMode: 'individualBehavior', captureInterval: 12 } }),
    ).toEqual(['condition-not-met analysisParam.captureInterval']);
    expect(patch(config, { analysisParam: { analysisMode: 'groupBehavior', captureInterval: 12 } })).toEqual(
      [],
    );
  });
});

describe('rules', () => {
  const rule: Rule = {
    path: 'low',
    spec: '1:1',
    check: (value) =>
      Number(value['low'] ?? 5) > Number(value['high'])
        ? createDetail('lowest-above-highest', { low: 5, high: 1 })
        : undefined,
  };
  const four = json('Root', '1:1', [int('low', 'Low'), int('high', 'High')], {
    rules: [rule, { ...rule, path: 'high', warns: true }],
  });

  it('are asked once types are right, and in a patch only about what it names (a rule that judges half a value)', () => {
    expect(whole(four, { low: 5, high: 1 })).toEqual(['not-allowed low']);
    expect(patch(four, { low: 5, high: 1 })).toEqual(['not-allowed low']);
    expect(patch(four, { high: 1 })).toEqual([]);
    expect(whole(four, { high: 1 })).toEqual(['not-allowed low']);
    expect(whole(four, { low: '5', high: 1 })).toEqual(['wrong-type low']);
  });
});

describe('with the limits of a device', () => {
  const constraints = readConstraints(
    one,
    `<Root><count min="3" max="99"/><mode opt="b,c"/><code opt="2, 7"/><name min="1" max="3"/><on opt="false"/><inner><x opt="1,4"/></inner>
    <items size="1"><item><id max="5"/></item></items><ip opt="10,20"/><level min="50" max="2"/></Root>`,
  );

  it('only what both allow is allowed (a value that the device refuses)', () => {
    expect(patch(one, { count: 2 }, constraints)).toEqual(['out-of-range count']);
    expect(patch(one, { count: 6 }, constraints)).toEqual(['out-of-range count']);
    expect(
      patch(
        one,
        {
          count: 3,
          mode: 'b',
          code: 2,
          name: 'abc',
          on: false,
          ip: '10',
          inner: { x: 4 },
          items: [{ id: 5 }],
        },
        constraints,
      ),
    ).toEqual([]);
    expect(patch(one, { mode: 'a' }, constraints)).toEqual(['not-allowed mode']);
    expect(patch(one, { mode: 'c' }, constraints)).toEqual(['not-allowed mode']);
    expect(patch(one, { name: 'abcd' }, constraints)).toEqual(['too-long name']);
    expect(patch(one, { name: 'a' }, constraints)).toEqual(['out-of-range name']);
    expect(patch(one, { on: true }, constraints)).toEqual(['not-allowed on']);
    expect(patch(one, { inner: { x: 2 } }, constraints)).toEqual(['not-allowed inner.x']);
    expect(patch(one, { items: [{ id: 6 }, { id: 1 }] }, constraints)).toEqual([
      'out-of-range items',
      'out-of-range items[0].id',
    ]);
    expect(patch(one, { ip: '30' }, constraints)).toEqual(['not-allowed ip']);
  });

  it('flags are said as the device says them, and one that it says nothing of is free', () => {
    const of = (opt: string, value: boolean) =>
      validate(
        one,
        { on: value },
        { mode: 'patch', constraints: readConstraints(one, `<Root><on opt="${opt}"/></Root>`) },
      );

    expect([of('0', false), of('1', true), of('true,false', true), of('', true)]).toEqual([[], [], [], []]);
    expect(of('0', true)).toMatchObject([
      {
        code: 'not-allowed',
        message: expect.stringMatching(/^on .*\b0\b/) as unknown,
        allowed: { options: ['0'] },
      },
    ]);
    expect(patch(one, { on: true }, readConstraints(one, '<Root><count min="3"/></Root>'))).toEqual([]);
  });

  it('says so where nothing is left to choose', () => {
    const none = readConstraints(one, '<Root><code opt="7"/></Root>');

    expect(validate(one, { code: 1 }, { mode: 'patch', constraints: none })[0]?.message).toBe(
      'code has no value that both specification and device allow.',
    );
  });

  it('says so where they contradict each other (a range that reads backwards)', () => {
    const [issue] = validate(one, { level: 10 }, { mode: 'patch', constraints });

    expect(issue?.message).toBe('level has no value that both specification and device allow.');
  });
});
