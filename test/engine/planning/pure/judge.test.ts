/** Values of the template may stop it; values already on the device never do, wherever they end up. */
import { describe, expect, it } from 'vitest';
import { listCautions, judge } from '#engine/planning/pure/judge.ts';
import { computeDesiredState } from '#engine/planning/pure/desired.ts';
import { choice, decode, int, json, list, object, text, type Constraints } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';

const x = int('x', 'X', { min: 0, max: 5 });
const item = object('item', 'Item', [
  text('id', 'Id'),
  x,
  object('deep', 'Deep', [x]),
  choice('power', 'Power', ['on', 'off']),
  text('note', 'Note', { when: [{ path: '^.power', oneOf: ['on'] }] }),
]);
const order = {
  path: 'low',
  spec: '1:1',
  check: ({ low, high }: Readonly<Record<string, unknown>>) =>
    Number(low) > Number(high) ? createDetail('range-up-to', { field: 'low', max: String(high) }) : undefined,
};
const isMany = {
  path: 'level',
  spec: '1:1',
  warns: true,
  check: ({ level }: Readonly<Record<string, unknown>>) =>
    Number(level) > 7 ? createDetail('above-usual', { field: 'level', max: 7 }) : undefined,
};
const PAYLOAD = json(
  undefined,
  '1:1',
  [
    int('level', 'Level', { min: 1, max: 10 }),
    int('other', 'Other', { min: 1, max: 10 }),
    choice('mode', 'Mode', ['day', 'night']),
    text('name', 'Name', { when: [{ path: 'mode', oneOf: ['day'] }] }),
    list('keyed', 'Keyed', item, { key: 'id', maxItems: 2 }),
    list('placed', 'Placed', item),
    int('low', 'Low'),
    int('high', 'High'),
  ],
  { rules: [order, isMany] },
);

function planned(held: unknown, patch: unknown) {
  const state = decode(PAYLOAD, JSON.stringify(held));
  return { state, desired: computeDesiredState(PAYLOAD, patch, state) };
}
function judged(held: unknown, patch: unknown, constraints?: Constraints): string[] {
  const { state, desired } = planned(held, patch);
  return judge(PAYLOAD, state, desired, constraints).map(({ code, path }) => `${code} ${path}`);
}

describe('what the template brings', () => {
  it.each([
    ['a value out of range', { level: 3 }, { level: 11 }, ['out-of-range level']],
    ['another wrong value for a wrong one', { level: 99 }, { level: 98 }, ['out-of-range level']],
    [
      'a field that counts in another mode only',
      { mode: 'night' },
      { name: 'n' },
      ['condition-not-met name'],
    ],
    ['a broken rule, once', { low: 1, high: 2 }, { low: 5 }, ['not-allowed low']],
    ['a rule broken by the other field', { low: 1, high: 2 }, { high: 0 }, ['not-allowed low']],
    [
      'a broken rule on a device that is odd elsewhere',
      { level: 99, low: 1, high: 2 },
      { low: 5 },
      ['not-allowed low'],
    ],
    ['a rule that is broken further', { low: 5, high: 2 }, { high: 1 }, ['not-allowed low']],
    [
      'another wrong value in an item that takes the place of one',
      { keyed: [{ id: 'a' }, { id: 'b', x: 9 }] },
      { keyed: [{ id: 'b', x: 8 }] },
      ['out-of-range keyed[0].x'],
    ],
    [
      'a wrong value in a new item, as wrong as that of one that goes',
      { keyed: [{ id: 'a', x: 9 }] },
      { keyed: [{ id: 'c', x: 9 }] },
      ['out-of-range keyed[0].x'],
    ],
    [
      'a wrong value in a list that was not there',
      {},
      { keyed: [{ id: 'c', x: 9 }] },
      ['out-of-range keyed[0].x'],
    ],
    [
      'a right value moved to where it is wrong',
      { keyed: [{ id: 'a' }, { id: 'b', deep: { x: 1 } }] },
      { keyed: [{ id: 'b', deep: { x: 9 } }] },
      ['out-of-range keyed[0].deep.x'],
    ],
    [
      'more entries than before, where there are too many already',
      { keyed: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
      { keyed: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }] },
      ['out-of-range keyed'],
    ],
    [
      'a note where the power is off, in an item that moves',
      { keyed: [{ id: 'a' }, { id: 'b', power: 'off' }] },
      { keyed: [{ id: 'b', note: 'n' }] },
      ['condition-not-met keyed[0].note'],
    ],
  ])('stops it: %s', (_what, held, patch, expected) => {
    expect(judged(held, patch)).toEqual(expected);
  });
});

describe('what the device holds', () => {
  it.each([
    ['a value out of range elsewhere', { level: 99 }, { other: 3 }],
    ['a field that a new mode makes meaningless', { mode: 'day', name: 'n' }, { mode: 'night' }],
    ['a field that means nothing already', { mode: 'night', name: 'n' }, { level: 2 }],
    ['a rule that is broken already', { low: 5, high: 2 }, { level: 2 }],
    [
      'a wrong value in an item that takes the place of one that goes',
      { keyed: [{ id: 'a' }, { id: 'b', x: 9, deep: { x: 8 } }] },
      { keyed: [{ id: 'b', x: 9, deep: { x: 8 } }] },
    ],
    [
      'a wrong value in an item that only changes its place',
      { placed: [{ x: 9 }, { x: 1 }, { x: 2 }] },
      { placed: [{ x: 1 }, { x: 9 }, { x: 2 }] },
    ],
    [
      'too many entries, where one of them changes',
      { keyed: [{ id: 'a', x: 1 }, { id: 'b' }, { id: 'c' }] },
      { keyed: [{ id: 'a', x: 2 }, { id: 'b' }, { id: 'c' }] },
    ],
    [
      'too many entries, where one takes the place of another',
      { keyed: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
      { keyed: [{ id: 'a' }, { id: 'b' }, { id: 'd' }] },
    ],
    [
      'a note where the power is off, in an item that moves',
      { keyed: [{ id: 'a' }, { id: 'b', power: 'off', note: 'n' }] },
      { keyed: [{ id: 'b' }] },
    ],
  ])('does not: %s', (_what, held, patch) => {
    expect(planned(held, patch).desired.changes).not.toEqual([]);
    expect(judged(held, patch)).toEqual([]);
  });
});

// Would catch: two devices that answer the same and allow different things, judged as one.
it('devices with the same document are judged by the limits of each', () => {
  const upTo = (max: number): Constraints => new Map([['level', { state: 'reported', max }]]);
  const { state, desired } = planned({ level: 1 }, { level: 8 });
  const judgedUnder = (limits?: Constraints) => judge(PAYLOAD, state, desired, limits).length;

  expect([upTo(5), upTo(9), undefined].map(judgedUnder)).toEqual([1, 0, 0]);
});

describe('what is unusual', () => {
  const cautioned = (held: unknown, patch: unknown) =>
    listCautions(PAYLOAD, planned(held, patch).desired, undefined).map(({ path }) => path);

  it.each([
    ['where the template asks for it', { level: 1 }, { level: 9 }, ['level']],
    ['not where the device holds it', { level: 9 }, { other: 2 }, []],
    ['not where nothing changes', { level: 9 }, { level: 9 }, []],
  ])('is told %s', (_what, held, patch, expected) => {
    expect(cautioned(held, patch)).toEqual(expected);
  });

  it('is told by the limits of each device', () => {
    const several = json(undefined, '1:1', [int('most', 'Most', { maxAt: 'cap', max: 4 })]);
    const state = decode(several, '{"most": 1}');
    const desired = computeDesiredState(several, { most: 6 }, state);
    const told = (limits?: Constraints) => listCautions(several, desired, limits).length;

    expect([told(), told(new Map([['cap', { state: 'reported', max: 9 }]]))]).toEqual([1, 0]);
  });
});
