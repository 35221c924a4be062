import { expect, it } from 'vitest';
import { FieldwrightError } from '#shared/errors.ts';
import { readJson, type JsonBounds } from '#shared/read-json.ts';

const BOUNDS = { bytes: 1_000_000, depth: 2, nodes: 4, forbidden: new Set(['__proto__']) };

function outcomeOf(text: string, bounds: JsonBounds = BOUNDS): unknown {
  try {
    return readJson(text, bounds, { file: 'a.json' });
  } catch (error) {
    return error instanceof FieldwrightError ? [error.code, error.shape.detail?.id, error.shape.file] : error;
  }
}

// Would catch: a bound that is one off or not looked at, a level that only objects count for.
it('takes what is within the bounds, and says which of them is passed', () => {
  const refused = (id: string) => ['input-too-large', id, 'a.json'];

  expect(['[[]]', '{"a":{"b":null}}', '[1,2,3]', '\ufeff[1]'].map((text) => outcomeOf(text))).toEqual([
    [[]],
    { a: { b: null } },
    [1, 2, 3],
    [1],
  ]);
  expect(outcomeOf('[[[]]]')).toEqual(refused('document-depth'));
  expect(outcomeOf('{"a":{"b":{"c":1}}}')).toEqual(refused('document-depth'));
  expect(outcomeOf('[1,2,3,4,5]')).toEqual(refused('document-nodes'));
  expect(outcomeOf('{"a":1,"b":{"c":1,"d":1}}')).toEqual(refused('document-nodes'));
  expect(outcomeOf('[1,2,3]', { ...BOUNDS, items: 2 })).toEqual(refused('document-items'));
  expect(outcomeOf('[1,2,3]', { ...BOUNDS, bytes: 6 })).toEqual(refused('document-bytes'));
});

it('counts no bracket and no comma inside a string, escaped quotes included', () => {
  const text = JSON.stringify({ a: '[[[,,,,,"{', b: '\\' });

  expect(outcomeOf(text)).toEqual({ a: '[[[,,,,,"{', b: '\\' });
});

it('finds a forbidden name however it is spelled, and leaves it to who allows it', () => {
  expect(outcomeOf('{"a":{"__pro\\u0074o__":1}}')).toEqual([
    'unreadable-file',
    'yaml.forbidden-name',
    'a.json',
  ]);
  expect(outcomeOf('{"__proto__":1}', { bytes: 100, depth: 2, nodes: 4 })).toBeTypeOf('object');
});

it.each(['[1,', '{"a":"', '[1]]', 'nothing', ''])('says of %s that it is not JSON', (text) => {
  expect(outcomeOf(text)).toEqual(['unreadable-file', 'file-not-json', 'a.json']);
});

// Would catch: values that exist before they are counted, which took 4.8 GB.
it.each([
  ['numbers', '[' + '1,'.repeat(30_000_000) + '1]'],
  ['lists', '['.repeat(60_000_000)],
  ['empty objects', '[' + '{},'.repeat(20_000_000) + '{}]'],
])('60 MB of %s are refused before they are built', (_name, text) => {
  const before = process.memoryUsage().heapUsed;

  const [code] = outcomeOf(text, { bytes: 100_000_000, depth: 40, nodes: 3_000_000, items: 10_000 }) as [
    unknown,
  ];
  expect(code).toBe('input-too-large');
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
});
