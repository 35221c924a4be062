import { describe, expect, it } from 'vitest';
import CHINESE from '../../resources/locales/zh-CN/fields.json' with { type: 'json' };
import { changeLabel } from '#protocol/field-labels.ts';
import { computeChanges, findOperation, maskSecrets, isSameValue } from '#protocol/index.ts';
import { inversePatch, mergeValue } from './merge-value.ts';
import { flag, float, int, list, object, opaque, text, xml } from './words.ts';

const payload = xml('Root', '1:1', [
  text('id', 'Name of it'),
  float('level', 'Level', { unit: '°C' }),
  text('passwd', 'Password', { sensitive: true }),
  flag('on', 'On'),
  object('Inner', 'Inner part', [int('a', 'A'), int('b', 'B')]),
  list('Rows', 'Rows', object('Row', 'Row', [int('x', 'X'), text('pin', 'Pin', { sensitive: true })])),
  object('Key', 'Key', [text('key', 'Secret key', { sensitive: true })], { sensitive: true }),
  opaque('free', 'Free'),
]);

describe('diff', () => {
  it("tells fields in the specification's order with label, unit, old and new value", () => {
    expect(
      computeChanges(
        payload,
        { level: 1, id: 'a', Inner: { a: 1 } },
        { id: 'b', level: 2, Inner: { a: 1, b: 2 } },
      ),
    ).toEqual([
      { path: 'id', label: 'Name of it', from: 'a', to: 'b' },
      { path: 'level', label: 'Level', unit: '°C', from: 1, to: 2 },
      { path: 'Inner.b', label: 'Inner part › B', to: 2 },
    ]);
  });

  it('sees no change in another spelling (a plan that never becomes empty)', () => {
    expect(
      computeChanges(
        payload,
        { level: 1.5, on: true, Rows: [] },
        { level: 1.5, on: true, Rows: [], stranger: 1 },
      ),
    ).toEqual([]);
    expect(computeChanges(payload, { free: { a: 1, b: 2 } }, { free: { b: 2, a: 1 } })).toEqual([]);
  });

  it('tells lists item by item: changed inside, added, removed', () => {
    expect(computeChanges(payload, { Rows: [{ x: 1 }, { x: 2 }] }, { Rows: [{ x: 5 }] })).toEqual([
      { path: 'Rows[0].x', label: 'Rows › Row 1 › X', from: 1, to: 5 },
      { path: 'Rows[1]', label: 'Rows › Row', items: [[{ path: '', value: '' }]], from: { x: 2 } },
    ]);
    expect(computeChanges(payload, {}, { Rows: [{ x: 1 }] })).toEqual([
      { path: 'Rows', label: 'Rows', to: [{ x: 1 }] },
    ]);
  });

  it('tells an item that comes or goes in the middle as that, and the others not at all (a plan in which every later item changes into its neighbour)', () => {
    const keyed = xml('Root', '1:1', [
      list('Rows', 'Rows', object('Row', 'Row', [int('id', 'Id'), int('x', 'X')]), { key: 'id' }),
    ]);
    const row = (id: number, x = 0) => ({ id, x });

    expect(
      computeChanges(keyed, { Rows: [row(1), row(2), row(3)] }, { Rows: [row(2), row(3, 5)] }).map(
        ({ path, from, to }) => [path, from, to],
      ),
    ).toEqual([
      ['Rows[0]', row(1), undefined],
      ['Rows[1].x', 0, 5],
    ]);
    expect(
      computeChanges(keyed, { Rows: [row(1), row(3)] }, { Rows: [row(1), row(2), row(3)] }).map(
        ({ path }) => path,
      ),
    ).toEqual(['Rows[1]']);
    expect(computeChanges(keyed, { Rows: [row(1)] }, { Rows: [row(4)] })).toMatchObject([
      { path: 'Rows[0]', label: 'Rows › Row 1', from: row(1) },
      { path: 'Rows[0]', label: 'Rows › Row 4', to: row(4) },
    ]);
    expect(
      computeChanges(payload, { Rows: [{ x: 1 }, { x: 2 }] }, { Rows: [{ x: 2 }, { x: 1 }] }).map(
        ({ path }) => path,
      ),
    ).toEqual(['Rows[0]', 'Rows[1]']);
  });

  it('names a period by its day, not by its position in one of the two lists (a plan of a week that names the wrong day)', () => {
    const schedule = findOperation('events.thermometrySchedule.put')?.request;
    const period = (dayOfWeek: number, begin: string) => ({
      dayOfWeek,
      TimeRange: { beginTime: begin, endTime: '18:00:00' },
    });
    const changes = computeChanges(
      schedule ?? payload,
      { TimeBlockList: [period(1, '06:00:00'), period(2, '06:30:00'), period(3, '07:00:00')] },
      { TimeBlockList: [period(2, '06:00:00'), period(3, '07:00:00'), period(4, '08:00:00')] },
    );

    expect(changes.map(({ path, label }) => [path, label.split(' › ').slice(1).join(' › ')])).toEqual([
      ['TimeBlockList[0]', 'Period Monday'],
      ['TimeBlockList[0].TimeRange.beginTime', 'Period Tuesday › Time range › Begin'],
      ['TimeBlockList[2]', 'Period Thursday'],
    ]);
    expect(
      changes.map((change) => changeLabel(CHINESE, 'events.thermometrySchedule', change)).join('\n'),
    ).toMatch(/星期一[^]*星期二[^]*星期四/);
  });

  it('tells periods of one day apart by their hours, what replaces another as two changes (Monday that becomes Wednesday)', () => {
    const schedule = findOperation('events.thermometrySchedule.put')?.request ?? payload;
    const period = (dayOfWeek: number, begin: string) => ({ dayOfWeek, TimeRange: { beginTime: begin } });

    expect(
      computeChanges(
        schedule,
        { TimeBlockList: [period(1, '06:00:00'), period(1, '14:00:00')] },
        { TimeBlockList: [period(3, '14:00:00'), period(1, '14:00:00')] },
      ).map(({ label, from, to }) => [label.split(' › ').at(-1), from !== undefined, to !== undefined]),
    ).toEqual([
      ['Period Monday · Begin 06:00:00', true, false],
      ['Period Wednesday', false, true],
    ]);
  });

  it('names nothing by a secret, by an endless text or by what a device leaves out', () => {
    const keyed = xml('Root', '1:1', [
      list(
        'Rows',
        'Rows',
        object('Row', 'Row', [text('id', 'Id'), text('pin', 'Pin', { sensitive: true })]),
        {
          key: 'id',
        },
      ),
    ]);
    const rows = [{ id: 'a', pin: 'hunter1' }, { id: 'a', pin: 'hunter2' }, { id: 'x'.repeat(500) }, {}];
    const labels = computeChanges(keyed, { Rows: rows }, { Rows: [] }).map(({ label }) => label);

    expect(labels).toEqual(['Rows › Row a', 'Rows › Row a', 'Rows › Row 3', 'Rows › Row 4']);
  });

  it('tells an item without a key that comes or goes as that, by its content (a plan in which every value changes into its neighbour)', () => {
    const words = xml('Root', '1:1', [list('Words', 'Words', text('Word', 'Word'))]);

    expect(
      computeChanges(payload, { Rows: [{ x: 1 }, { x: 2 }, { x: 3 }] }, { Rows: [{ x: 1 }, { x: 3 }] }),
    ).toEqual([{ path: 'Rows[1]', label: 'Rows › Row', items: [[{ path: '', value: '' }]], from: { x: 2 } }]);
    const told = (before: readonly string[], after: readonly string[]): unknown =>
      computeChanges(words, { Words: before }, { Words: after }).map(({ label, from, to }) => [
        label,
        from,
        to,
      ]);
    const [word, second] = ['Words › Word', 'Words › Word 2'];
    expect(told(['a', 'b', 'c'], ['a', 'c'])).toEqual([[word, 'b', undefined]]);
    expect(told(['a', 'b'], ['n', 'a', 'b'])).toEqual([[word, undefined, 'n']]);
    expect(told(['a', 'b', 'c'], ['a', 'n', 'c'])).toEqual([[second, 'b', 'n']]);
    expect(told(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([
      [word, undefined, 'c'],
      [word, 'c', undefined],
    ]);
  });

  it('tells an object without a key that moves as one that goes and one that comes', () => {
    const rows = (...of: readonly number[]) => ({ Rows: of.map((x) => ({ x })) });
    const told = (before: object, after: object): unknown =>
      computeChanges(payload, before, after).map(({ label, from, to }) => [label, from, to]);

    expect(told(rows(1, 2, 3), rows(9, 1, 2, 3))).toEqual([['Rows › Row', undefined, { x: 9 }]]);
    expect(told(rows(1, 2, 3), rows(3, 1, 2))).toEqual([
      ['Rows › Row', undefined, { x: 3 }],
      ['Rows › Row', { x: 3 }, undefined],
    ]);
    expect(told(rows(1, 2), rows(4, 2))).toEqual([['Rows › Row 1 › X', 1, 4]]);
  });

  it('a list without end is told within a moment (a device that stops the app with its answer)', () => {
    const words = xml('Root', '1:1', [list('Words', 'Words', text('Word', 'Word'))]);
    const many = Array.from({ length: 20_000 }, (_, at) => `w${at}`);
    const begun = performance.now();

    const front = computeChanges(words, { Words: many }, { Words: ['n', ...many] });
    computeChanges(words, { Words: many }, { Words: many.toReversed() });

    expect(front).toMatchObject([{ path: 'Words[0]', to: 'n' }]);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('masks the items of a list of secrets, and says that they are', () => {
    const pins = xml('Root', '1:1', [list('Pins', 'Pins', text('Pin', 'Pin', { sensitive: true }))]);
    const changes = computeChanges(pins, { Pins: ['hunter1', 'hunter2'] }, { Pins: ['hunter3'] });

    expect(changes.map(({ path, sensitive }) => [path, sensitive])).toEqual([
      ['Pins[0]', true],
      ['Pins[1]', true],
    ]);
    expect(JSON.stringify(changes)).not.toContain('hunter');
  });

  it('tells objects that come and go by their fields, empty ones by themselves', () => {
    expect(computeChanges(payload, {}, { Inner: { a: 1 } })).toEqual([
      { path: 'Inner.a', label: 'Inner part › A', to: 1 },
    ]);
    expect(computeChanges(payload, { Inner: {} }, {})).toEqual([
      { path: 'Inner', label: 'Inner part', from: {} },
    ]);
  });

  it('masks what is sensitive, also inside lists and objects (a password in a plan file)', () => {
    const changes = computeChanges(
      payload,
      { passwd: 'hunter2', Key: { key: 'hunter2' }, Rows: [{ x: 1, pin: 'hunter2' }] },
      { passwd: 'hunter3', Rows: [{ x: 1, pin: 'hunter3' }, { pin: 'hunter2' }] },
    );

    expect(changes.map(({ path, sensitive }) => [path, sensitive])).toEqual([
      ['passwd', true],
      ['Rows[0].pin', true],
      ['Rows[1]', undefined],
      ['Key.key', true],
    ]);
    expect(JSON.stringify(changes)).not.toContain('hunter');
    expect(
      JSON.stringify(
        maskSecrets(payload, { passwd: 'hunter2', Rows: [{ pin: 'hunter2' }], Key: { key: 'hunter2' } }),
      ),
    ).not.toContain('hunter');
  });
});

describe('mergeValue and inversePatch', () => {
  const before = { id: 'a', Inner: { a: 1, b: 2 }, Rows: [{ x: 1 }] };

  it.each([
    [{ id: 'b' }, { id: 'b', Inner: { a: 1, b: 2 }, Rows: [{ x: 1 }] }],
    [{ Inner: { b: null } }, { id: 'a', Inner: { a: 1 }, Rows: [{ x: 1 }] }],
    [
      { Inner: null, Rows: [] },
      { id: 'a', Rows: [] },
    ],
    [
      { level: 5, Inner: { a: 9 } },
      { id: 'a', level: 5, Inner: { a: 9, b: 2 }, Rows: [{ x: 1 }] },
    ],
    [{ level: undefined, stranger: 1 }, before],
  ])('%j gives the value that the device will hold, and back', (patch, after) => {
    const merged = mergeValue(payload, before, patch);

    expect(merged).toEqual(after);
    expect(mergeValue(payload, merged, inversePatch(payload, before, patch))).toEqual(before);
    expect(before).toEqual({ id: 'a', Inner: { a: 1, b: 2 }, Rows: [{ x: 1 }] });
  });
});

describe('sameValue', () => {
  it.each([
    [int('n', 'N'), 1028, '1028', true],
    [int('n', 'N'), 1, true, false],
    [int('n', 'N'), 0, '', false],
    [int('n', 'N'), 'x', 'x', true],
    [float('n', 'N'), 1.5, '1.50', true],
    [flag('f', 'F'), true, 1, true],
    [flag('f', 'F'), 'false', false, true],
    [flag('f', 'F'), 'maybe', true, false],
    [text('t', 'T'), '007', '7', false],
    [text('t', 'T'), undefined, null, true],
    [text('t', 'T'), '', undefined, false],
    [text('t', 'T'), null, 'null', false],
    [text('t', 'T'), undefined, 'undefined', false],
    [text('t', 'T'), 5, '5', true],
    [flag('f', 'F'), '1', true, true],
    [flag('f', 'F'), 'true', true, true],
    [flag('f', 'F'), 0, '0', true],
    [flag('f', 'F'), 0, false, true],
    [flag('f', 'F'), '0', 'maybe', false],
    [int('n', 'N'), true, true, true],
    [payload.fields[4], { a: 1, b: 2 }, { b: 2, a: '1', other: 3 }, true],
    [payload.fields[4], { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [payload.fields[4], { a: 1 }, 'text', false],
    [payload.fields[4], 'text', 'text', false],
    [payload.fields[4], null, {}, false],
    [payload.fields[5], [{ x: 1 }, { x: 2 }], [{ x: '1' }, { x: 2 }], true],
    [payload.fields[5], [{ x: 1 }, { x: 2 }], [{ x: 1 }, { x: 3 }], false],
    [payload.fields[5], [{ x: 1 }], [{ x: 1 }, { x: 2 }], false],
    [payload.fields[5], [], 'text', false],
    [payload.fields[5], 'text', 'text', false],
    [opaque('o', 'O'), { a: [1, { b: 2 }], c: null }, { c: null, a: [1, { b: 2 }] }, true],
    [opaque('o', 'O'), { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, false],
    [opaque('o', 'O'), { a: [1, 2] }, { a: [1] }, false],
    [opaque('o', 'O'), { a: [1] }, { a: { 0: 1, length: 1 } }, false],
    [opaque('o', 'O'), { a: 1, b: 2 }, { a: 1 }, false],
    [opaque('o', 'O'), { a: 1, b: undefined }, { a: 1, c: undefined }, false],
    [opaque('o', 'O'), { a: { b: 1 } }, { a: 1 }, false],
    [opaque('o', 'O'), { a: '1' }, { a: 1 }, false],
    [opaque('o', 'O'), { toString: 1 }, {}, false],
  ] as const)('%# %j and %j', (field, a, b, expected) => {
    expect(isSameValue(field, a, b)).toBe(expected);
    expect(isSameValue(field, b, a)).toBe(expected);
  });
});
