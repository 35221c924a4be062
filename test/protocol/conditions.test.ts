import { describe, expect, it } from 'vitest';
import { findUnmetCondition, validate, type Condition, type Field } from '#protocol/index.ts';
import { choice, flag, json, list, object, text } from './words.ts';

/**
 * Returns payloads with `wanted`, which is required while its conditions hold: every evaluator shows how it
 * decides them.
 */
function payloads(when: readonly Condition[]) {
  const wanted = text('wanted', 'Wanted', { required: true, when });
  const words = (name: string) => choice(name, name, ['a', 'b', 'c']);
  const fields = [
    words('mode'),
    flag('on', 'On'),
    object('Outer', 'Outer', [
      words('control'),
      object('Inner', 'Inner', [words('control'), wanted]),
      list('Items', 'Items', object('Item', 'Item', [words('control'), wanted])),
    ]),
  ] as const;
  return { wanted, asJson: json('Root', '1:1', fields) };
}

const EITHER: Condition = {
  path: '^.control',
  oneOf: ['b'],
  absentAs: 'a',
  given: { path: 'mode', oneOf: ['b'], absentAs: 'a' },
};

type Plain = Readonly<Record<string, unknown>>;

/** One table, both evaluators: the client's and the forms'. */
describe('conditions', () => {
  it.each<[what: string, when: Condition, value: Plain, holds: boolean]>([
    ['a field at the root', { path: 'mode', oneOf: ['b'] }, { mode: 'b', Outer: { Inner: {} } }, true],
    ['another value at the root', { path: 'mode', oneOf: ['b'] }, { mode: 'a', Outer: { Inner: {} } }, false],
    ['an absent field', { path: 'mode', oneOf: ['b'] }, { Outer: { Inner: {} } }, false],
    [
      'an absent field whose default counts',
      { path: 'mode', oneOf: ['a', 'c'], absentAs: 'a' },
      { Outer: { Inner: {} } },
      true,
    ],
    [
      'an absent field whose default does not count',
      { path: 'mode', oneOf: ['b'], absentAs: 'a' },
      { Outer: { Inner: {} } },
      false,
    ],
    [
      'a switch that is on',
      { path: 'on', oneOf: [true], absentAs: false },
      { on: true, Outer: { Inner: {} } },
      true,
    ],
    [
      'a switch that is off',
      { path: 'on', oneOf: [true], absentAs: false },
      { on: false, Outer: { Inner: {} } },
      false,
    ],
    [
      'a field further in',
      { path: 'Outer.control', oneOf: ['b'] },
      { Outer: { control: 'b', Inner: { control: 'a' } } },
      true,
    ],
    [
      'a field beside it',
      { path: '^.control', oneOf: ['b'] },
      { Outer: { control: 'a', Inner: { control: 'b' } } },
      true,
    ],
    [
      'a field one object further out',
      { path: '^.^.control', oneOf: ['b'] },
      { Outer: { control: 'b', Inner: { control: 'a' } } },
      true,
    ],
    [
      'a field two objects further out',
      { path: '^.^.^.mode', oneOf: ['b'] },
      { mode: 'b', Outer: { Inner: {} } },
      true,
    ],
    [
      'a field beside it in an item',
      { path: '^.control', oneOf: ['b'] },
      { Outer: { control: 'a', Items: [{ control: 'b' }] } },
      true,
    ],
    [
      'a field outside of the list',
      { path: '^.^.control', oneOf: ['b'] },
      { Outer: { control: 'b', Items: [{ control: 'a' }] } },
      true,
    ],
    ['a second condition that is not asked for', EITHER, { mode: 'a', Outer: { Inner: {} } }, true],
    ['a second condition that is met', EITHER, { mode: 'b', Outer: { Inner: { control: 'b' } } }, true],
    ['a second condition that is not met', EITHER, { mode: 'b', Outer: { Inner: { control: 'a' } } }, false],
    ['a second condition that its default does not meet', EITHER, { mode: 'b', Outer: { Inner: {} } }, false],
  ])('client and forms agree about %s', (_what, when, value, holds) => {
    const { wanted, asJson } = payloads([when]);
    const place = JSON.stringify(value).includes('Items') ? 'Outer.Items[0].wanted' : 'Outer.Inner.wanted';

    const client = validate(asJson, value, { mode: 'whole' });
    const form = findUnmetCondition(wanted as Field, place, value);

    expect(client.map(({ code, path }) => `${code} ${path}`)).toEqual(
      holds ? [`missing-field ${place}`] : [],
    );
    expect(form === undefined).toBe(holds);
  });

  it('leave a patch alone where the field that decides is not in it', () => {
    const { asJson } = payloads([EITHER]);

    const open = validate(asJson, { Outer: { Inner: { wanted: 'x' } } }, { mode: 'patch' });
    const decided = validate(
      asJson,
      { mode: 'b', Outer: { Inner: { control: 'a', wanted: 'x' } } },
      { mode: 'patch' },
    );

    expect([open, decided.map(({ code }) => code)]).toEqual([[], ['condition-not-met']]);
  });
});
