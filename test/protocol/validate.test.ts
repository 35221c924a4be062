import { detailOf } from '../../src/shared/details.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOperation, readConstraints, validate } from '../../src/protocol/index.ts';
import type { Constraints, Issue, Payload, Rule } from '../../src/protocol/index.ts';
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
      Number(value['low']) > Number(value['high'])
        ? detailOf('lowest-above-highest', { low: 5, high: 1 })
        : undefined,
  };
  const four = json('Root', '1:1', [int('low', 'Low'), int('high', 'High')], { rules: [rule] });

  it('are asked once types are right, and in a patch only about what it names (a rule that judges half a value)', () => {
    expect(whole(four, { low: 5, high: 1 })).toEqual(['not-allowed low']);
    expect(patch(four, { low: 5, high: 1 })).toEqual(['not-allowed low']);
    expect(patch(four, { high: 1 })).toEqual([]);
    expect(whole(four, { low: 'x', high: 1 })).toEqual(['wrong-type low']);
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

  it('says so where they contradict each other (a range that reads backwards)', () => {
    const [issue] = validate(one, { level: 10 }, { mode: 'patch', constraints });

    expect(issue?.message).toBe('level has no value that both specification and device allow.');
  });
});
