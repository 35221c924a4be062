/** JSON as devices send it and as we write it: the reading of odd types, the refusals, and their reports. */
import { describe, expect, it } from 'vitest';
import { createDetail } from '#shared/details.ts';
import { decode, encode, merge, type Payload } from '#protocol/index.ts';
import { DEFAULT_LIMITS } from '#protocol/codec/limits.ts';
import { parseJson, toPlainValue } from '#protocol/codec/json-text.ts';
import { bare, choice, flag, float, int, json, list, object, opaque, text, when, xml } from './words.ts';

const payload = json(undefined, '1:1', [
  int('count', 'Count', { max: 9 }),
  float('level', 'Level'),
  flag('on', 'On'),
  choice('mode', 'Mode', ['a', 'b']),
  choice('code', 'Code', [1, 2]),
  text('name', 'Name'),
  when('time', 'at', 'At'),
  object('inner', 'Inner', [int('x', 'X'), int('y', 'Y')]),
  list('items', 'Items', object('item', 'Item', [int('id', 'Id')])),
  bare('nums', 'Numbers', int('n', 'N')),
  opaque('free', 'Free'),
]);

describe('what a device sends in another type', () => {
  it.each([
    [
      '{"count":5,"level":1.5,"on":true,"mode":"a","code":2}',
      { count: 5, level: 1.5, on: true, mode: 'a', code: 2 },
    ],
    ['{"count":"5"}', { count: 5 }, createDetail('read.type', { field: 'count', type: 'text' })],
    ['{"level":"1.50"}', { level: 1.5 }, createDetail('read.type', { field: 'level', type: 'text' })],
    ['{"on":"true"}', { on: true }, createDetail('read.type', { field: 'on', type: 'text' })],
    ['{"on":1}', { on: true }],
    ['{"on":2}', { on: '2' }, createDetail('read.no-bool', { field: 'on' })],
    ['{"count":true}', { count: true }, createDetail('read.boolean', { field: 'count' })],
    ['{"mode":true}', { mode: true }, createDetail('read.boolean', { field: 'mode' })],
    ['{"code":"2"}', { code: 2 }, createDetail('read.type', { field: 'code', type: 'text' })],
    ['{"name":5}', { name: '5' }, createDetail('read.type', { field: 'name', type: 'a number' })],
    [
      '{"name":false}',
      { name: 'false' },
      createDetail('read.type', { field: 'name', type: 'true or false' }),
    ],
    ['{"at":800}', { at: '800' }, createDetail('read.type', { field: 'at', type: 'a number' })],
    ['{"count":10}', { count: 10 }, createDetail('read.outside', { field: 'count' })],
    ['{"count":"x"}', { count: 'x' }, createDetail('read.no-number', { field: 'count' })],
    ['{"count":null}', {}, createDetail('read.null', { field: 'count' })],
    ['{"inner":5}', {}, createDetail('read.no-object', { field: 'inner' })],
    ['{"inner":[]}', {}, createDetail('read.no-object', { field: 'inner' })],
    ['{"count":{"x":1}}', {}, createDetail('read.no-single', { field: 'count' })],
    ['{"count":[]}', {}, createDetail('read.no-single', { field: 'count' })],
    // A capability says what may be there, and is no value.
    ['{"count":{"a":0,"@min":1}}', {}],
    ['{"items":{"@size":4}}', {}],
    ['{"items":{"id":1}}', { items: [{ id: 1 }] }, createDetail('read.list-of-one', { field: 'items' })],
    [
      '{"items":[{"id":"1"}]}',
      { items: [{ id: 1 }] },
      createDetail('read.type', { field: 'items[0].id', type: 'text' }),
    ],
    ['{"nums":[1,2]}', { nums: [1, 2] }],
    ['{"inner":{"x":1,"x":2}}', { inner: { x: 1 } }, createDetail('read.again', { field: 'inner.x' })],
    ['{"inner":{"z":1}}', { inner: {} }, createDetail('read.unlisted', { field: 'inner.z' })],
    ['{"free":{"a":{"b":[1,null]}}}', { free: { a: { b: [1, null] } } }],
  ])('%s', (wire, value, note?: unknown) => {
    const read = decode(payload, wire);

    expect(read.value).toEqual(value);
    expect(read.notes).toEqual(note === undefined ? [] : [note]);
  });

  it('keeps the place of items that say nothing (another door takes the settings of this one)', () => {
    const read = decode(payload, '{"nums":[1,null,3],"items":{"id":"2"}}');

    expect(read.value).toEqual({ nums: [1, null, 3], items: [{ id: 2 }] });
    expect(read.notes).toHaveLength(3);
    expect(read.notes).toEqual(
      expect.arrayContaining([
        createDetail('read.null', { field: 'nums[1]' }),
        createDetail('read.list-of-one', { field: 'items' }),
        createDetail('read.type', { field: 'items[0].id', type: 'text' }),
      ]),
    );
    expect(decode(payload, '{"z":{"a":[1,{"b":2}]}}').unlisted[0]?.read()).toEqual({ a: [1, { b: 2 }] });
  });

  it('reads members in any order, and a name that objects inherit as any other', () => {
    expect(decode(payload, '{"free":1,"name":"x","count":1,"on":0}').value).toEqual({
      count: 1,
      on: false,
      name: 'x',
      free: 1,
    });
    const plain = toPlainValue(parseJson('{"__proto__":1,"a":2,"a":3}', DEFAULT_LIMITS)) as object;
    expect(Object.entries(plain)).toEqual([
      ['__proto__', 1],
      ['a', 2],
    ]);
    expect(Object.getOwnPropertyDescriptor(plain, 'a')).toMatchObject({ writable: true, configurable: true });
  });
});

describe('bounds', () => {
  const limits = { ...DEFAULT_LIMITS, bytes: 40, depth: 2, nodes: 5 };

  it.each([
    [`["${'x'.repeat(36)}"]`],
    ['[[1],[3]]'],
    ['[1,{"a":2}]'],
    ['[{},{}]'],
    ['["[[[","{,,,,,,","\\"[[[","\\\\"]'],
  ])('%s is within', (wire) => {
    expect(() => parseJson(wire, limits)).not.toThrow();
  });

  it.each([
    [`["${'x'.repeat(37)}"]`, 'longer than 40'],
    ['[[[]]]', 'nested deeper than 2'],
    ['[{"a":{}}]', 'nested deeper than 2'],
    ['[1,2,3,4,5]', 'more parts than 5'],
    ['[[],[],[]]', 'more parts than 5'],
    ['["a', 'is cut off'],
    ['["a\\"', 'is cut off'],
    ['[1}', 'not well formed'],
    ['<a/>', 'XML'],
    [`<a>${'x'.repeat(33)}</a>`, 'XML'],
    [`<a>${'x'.repeat(34)}</a>`, 'longer than 40'],
  ])('%s is refused', (wire, why) => {
    expect(() => parseJson(wire, limits)).toThrow(why);
  });
});

describe('written', () => {
  it('nested, every level further in, nothing for what is empty', () => {
    expect(encode(payload, { name: 'x', inner: { x: 1, y: null }, items: [{ id: 1 }, {}], nums: [] })).toBe(
      `{
  "name": "x",
  "inner": {
    "x": 1
  },
  "items": [
    {
      "id": 1
    },
    {}
  ],
  "nums": []
}`,
    );
  });

  it.each([
    [{ inner: 5 }, 'inner', 'inner must be an object.'],
    [{ items: 5 }, 'items', 'items must be a list.'],
    [{ items: [{ id: {} }] }, 'items[0].id', 'items[0].id must be a whole number.'],
    [{ free: () => 1 }, 'free', 'free'],
    [{ free: 1n }, 'free', 'free'],
    [5, '', 'The value must be an object.'],
  ])('%# has no spelling, and it is said where', (value, path, message) => {
    const refused = expect.objectContaining({
      shape: expect.objectContaining({
        code: 'wrong-type',
        path,
        message: expect.stringContaining(message) as unknown,
      }) as unknown,
    }) as unknown;

    expect(() => encode(payload, value)).toThrow(refused as Error);
    expect(() => merge(decode(payload, '{}').document, payload, value)).toThrow(refused as Error);
    expect(() => merge(decode(payload, '{"inner":{},"items":[]}').document, payload, value)).toThrow(
      refused as Error,
    );
  });

  it('on one line where the document is on one, with its blanks', () => {
    const merged = (before: string, patch: object) =>
      merge(decode(payload, before).document, payload, patch).text;

    expect(merged('{"name":"x"}', { inner: { x: 1, y: 2 }, items: [{ id: 1 }] })).toBe(
      '{"name":"x","inner":{"x":1,"y":2},"items":[{"id":1}]}',
    );
    expect(merged('{"name": "x"}', { inner: { x: 1, y: 2 } })).toBe(
      '{"name": "x", "inner": {"x": 1, "y": 2}}',
    );
    expect(merged('{"on":0,"count":1}', { on: false, count: 2 })).toBe('{"on":0,"count":2}');
    expect(merged('{"on":1}', { on: false })).toBe('{"on":0}');
    expect(merged('{"on":true,"name":"5"}', { on: false, name: '6' })).toBe('{"on":false,"name":"6"}');
    expect(
      merge(decode(payload, '{"inner":{"x":1,"z":5},"on":true}').document, payload, { inner: null }),
    ).toMatchObject({
      text: '{"on":true}',
      lost: ['inner.z'],
    });
  });
});

// Would catch: a person who has to guess what else answered, or English words that no other language has.
describe('another document than the one that is due', () => {
  const rooted = json('Root', '1:1', [text('id', 'Id')]);
  const names = ['a', 'b c', 'd', 'e', 'f', 'g', 'h'].map((name) => `"${name}":1`).join();

  it.each<[Payload, string, string]>([
    [rooted, '[1]', 'with a list where Root was due'],
    [rooted, '{"Root":[]}', 'with a list where an object was due'],
    [rooted, '{"Root":5}', 'with a single value where an object was due'],
    [rooted, '{}', 'without Root; it holds: nothing.'],
    [rooted, `{${names}}`, 'without Root; it holds: a, an unreadable name, d, e, f, g.'],
    [payload, '[1]', 'with a list where an object was due'],
    [rooted, '<a/>', 'with XML where JSON was due'],
    [xml('Root', '1:1', []), '<Other/>', 'with <Other> where <Root> was due'],
    [xml('Root', '1:1', []), '{}', 'with JSON where XML was due'],
  ])('%# %s is told as what it is', (due, came, words) => {
    expect(() => decode(due, came)).toThrow(words);
  });

  it('is not one that holds more', () => {
    const read = decode(rooted, '{"x":{"a":[1]},"Root":{"id":"1","y":2}}');

    expect(read.value).toEqual({ id: '1' });
    expect(read.unlisted.map((node) => [node.path, node.read()])).toEqual([
      ['x', { a: [1] }],
      ['y', 2],
    ]);
    expect(
      decode(xml('Root', '1:1', [text('id', 'Id')]), '<v:Root xmlns:v="u"><v:id>&</v:id></v:Root>'),
    ).toMatchObject({
      value: { id: '&' },
      notes: [createDetail('read.ampersands', { count: 1 })],
    });
  });

  it.each<[Payload, string]>([
    [rooted, '{"Root":{"id":"1","y":2}}'],
    [xml('Root', '1:1', [text('id', 'Id')]), '<Root><id>1</id><y>2</y></Root>'],
  ])('%# what a patch makes of it can be patched again', (of, before) => {
    const { document } = decode(of, before);
    const once = merge(document, of, { id: '2' });

    expect(once).toMatchObject({
      text: before.replace('1', '2'),
      value: { id: '2' },
      lost: [],
      document: { format: of.format, text: once.text },
    });
    expect(merge(once.document, of, { id: '1' })).toMatchObject({ text: before, value: { id: '1' } });
    expect(merge(document, of, { id: '1' })).toEqual({
      text: before,
      document,
      value: { id: '1' },
      lost: [],
    });
  });
});

describe('JSON that is merged is laid out as the device lays it out (else: a reader that goes by lines, or a vendor who compares texts, sees a whole new file)', () => {
  const laidOut = json(undefined, '1:1', [
    int('a', 'A'),
    flag('on', 'On'),
    object('inner', 'Inner', [int('x', 'X'), int('y', 'Y'), int('z', 'Z')]),
    bare('nums', 'Nums', int('n', 'N')),
    list('items', 'Items', object('item', 'Item', [int('id', 'Id'), text('t', 'T')])),
    text('name', 'Name'),
  ]);
  const wide = ' '.repeat(300);
  const most = ' '.repeat(200);

  it.each([
    [
      'between two',
      '{ "inner": { "x": 1, "z": 3 } }',
      { inner: { y: 2 } },
      '{ "inner": { "x": 1, "y": 2, "z": 3 } }',
    ],
    ['first', '{"inner":{ "y":2}}', { inner: { x: 1 } }, '{"inner":{ "x":1,"y":2}}'],
    [
      'first, by lines',
      '{\n  "inner": {\n    "y": 2\n  }\n}',
      { inner: { x: 1 } },
      '{\n  "inner": {\n    "x": 1,\n    "y": 2\n  }\n}',
    ],
    [
      'last, by lines',
      '{\n  "inner": {\n    "y": 2\n  }\n}',
      { inner: { z: 3 } },
      '{\n  "inner": {\n    "y": 2,\n    "z": 3\n  }\n}',
    ],
    [
      'the only ones, by lines',
      '{\n  "inner": {}\n}',
      { inner: { x: 1, y: 2 } },
      '{\n  "inner": {\n    "x": 1,\n    "y": 2\n  }\n}',
    ],
    [
      'the only one, with tabs and CRLF',
      '{\r\n\t"inner": {}\r\n}',
      { inner: { x: 1 } },
      '{\r\n\t"inner": {\r\n\t\t"x": 1\r\n\t}\r\n}',
    ],
    ['the only one, in a line', '{"inner":{}}', { inner: { x: 1 } }, '{"inner":{"x":1}}'],
    [
      'a list, by lines',
      '{\n  "a": 1\n}',
      { nums: [1, 2] },
      '{\n  "a": 1,\n  "nums": [\n    1,\n    2\n  ]\n}',
    ],
    ['after a byte order mark', '\ufeff{"a":1}', { a: 2 }, '\ufeff{"a":2}'],
    [
      'items of an empty list',
      '{\n  "nums": []\n}',
      { nums: [1, 2] },
      '{\n  "nums": [\n    1,\n    2\n  ]\n}',
    ],
    [
      'fewer items',
      '{\n  "nums": [\n    1,\n    2,\n    3\n  ]\n}',
      { nums: [1] },
      '{\n  "nums": [\n    1\n  ]\n}',
    ],
    ['items in their spelling', '{"nums":["1","2"]}', { nums: [3, 4, 5] }, '{"nums":["3","4","5"]}'],
    [
      'an item after one that stays',
      '{\n  "items": [\n    { "id": 1, "v": 9 }\n  ]\n}',
      { items: [{ id: 1 }, { id: 2 }] },
      '{\n  "items": [\n    { "id": 1, "v": 9 },\n    {\n      "id": 2\n    }\n  ]\n}',
    ],
    [
      'the first gone',
      '{"inner":{ "x":1 , "y":2 , "z":3 }}',
      { inner: { x: null } },
      '{"inner":{ "y":2 , "z":3 }}',
    ],
    [
      'one in the middle gone',
      '{"inner":{ "x":1 , "y":2 ,  "z":3 }}',
      { inner: { y: null } },
      '{"inner":{ "x":1 ,  "z":3 }}',
    ],
    ['the last gone', '{"inner":{ "x":1, "z":3 }}', { inner: { z: null } }, '{"inner":{ "x":1 }}'],
    ['the only one gone', '{"inner":{ "x":1 }}', { inner: { x: null } }, '{"inner":{}}'],
    [
      'one that stands twice',
      '{"inner":{"x":1,"x":5,"y":2}}',
      { inner: { x: 7 } },
      '{"inner":{"x":7,"x":7,"y":2}}',
    ],
    [
      'one that stands twice, right already',
      '{"inner":{"x":7,"x":5}}',
      { inner: { x: 7 } },
      '{"inner":{"x":7,"x":5}}',
    ],
    [
      'one that stands twice, gone',
      '{"inner":{"x":7,"x":5,"y":2}}',
      { inner: { x: null } },
      '{"inner":{"y":2}}',
    ],
    // Would catch: 300 spaces for each of a thousand new members, because the device wrote them once.
    [
      'beside white space that nobody lays out',
      `{"a":1,${wide}"on":true}`,
      { name: 'n', inner: { x: 1 } },
      `{"a":1,${wide}"on":true,${most}"inner":{"x":1},${most}"name":"n"}`,
    ],
    [
      'below an indentation that nobody lays out',
      `{\n${wide}"a": 1\n}`,
      { inner: { x: 1 } },
      `{\n${wide}"a": 1,${most}"inner": {"x": 1}\n}`,
    ],
  ])('%s', (_what, before, patch, after) => {
    expect(merge(decode(laidOut, before).document, laidOut, patch).text).toBe(after);
  });
});
