/** Single values on the wire: what devices write and how it is read, what we write, and what is said of it. */
import { describe, expect, it } from 'vitest';
import { decodeReferences, decodeText, escapeAttribute, escapeText } from '#protocol/codec/escape.ts';
import { Notes } from '#protocol/codec/notes.ts';
import { toDisplayName, sniff } from '#protocol/codec/problems.ts';
import { isLonger, readScalar, spellNumber, writeScalar } from '#protocol/codec/scalar.ts';
import { choice, flag, float, int, text, when } from './words.ts';

const limited = int('n', 'N', { min: -5, max: 5 });
const from = float('n', 'N', { min: 1 });
const upTo = float('n', 'N', { max: 1 });
const words = choice('c', 'C', ['a', ' b', 'c']);
const codes = choice('c', 'C', [1, 16]);
const mixed = choice('c', 'C', ['auto', 1]);
const [datetime, time, minutes] = [
  when('datetime', 't', 'T'),
  when('time', 't', 'T'),
  when('minutes', 't', 'T'),
];

describe('read', () => {
  it.each([
    [limited, ' 5\n', 5],
    [limited, '-5', -5],
    [limited, '0x4', 4],
    [limited, '6', 6, 'read.outside'],
    [limited, '-6', -6, 'read.outside'],
    [limited, '9.5', 9.5, 'read.no-whole'],
    [limited, '', undefined, 'read.empty'],
    [limited, '5 m', '5 m', 'read.no-number'],
    [limited, '0x', '0x', 'read.no-number'],
    [limited, 'Infinity', 'Infinity', 'read.no-number'],
    [limited, '1e999', '1e999', 'read.no-number'],
    [from, '1', 1],
    [from, '0.5', 0.5, 'read.outside'],
    [from, '+1.50e2', 150],
    [upTo, '1', 1],
    [upTo, '.5', 0.5],
    [upTo, '1.5', 1.5, 'read.outside'],
    [flag('f', 'F'), ' TRUE ', true],
    [flag('f', 'F'), '1', true],
    [flag('f', 'F'), 'False', false],
    [flag('f', 'F'), '0', false],
    [flag('f', 'F'), ' ', undefined, 'read.empty'],
    [flag('f', 'F'), 'on', 'on', 'read.no-bool'],
    [words, 'a', 'a'],
    [words, ' c\r\n', 'c'],
    [words, ' b', ' b'],
    [words, 'A', 'A', 'read.no-option'],
    [words, '', '', 'read.no-option'],
    [choice('c', 'C', ['a'], { emptyWhen: [{ path: 'on', oneOf: [false] }] }), '', ''],
    [choice('c', 'C', ['a'], { emptyWhen: [{ path: 'on', oneOf: [false] }] }), 'b', 'b', 'read.no-option'],
    [codes, '16', 16],
    [codes, '0x10', 16],
    [codes, '01', 1],
    [codes, '2', 2, 'read.no-option'],
    [codes, 'auto', 'auto', 'read.no-number'],
    [mixed, '1', 1],
    [mixed, '2', '2', 'read.no-option'],
    [text('s', 'S', { maxLength: 2 }), ' x', ' x'],
    [text('s', 'S', { maxLength: 2 }), '漢😀', '漢😀'],
    [text('s', 'S', { maxLength: 2 }), 'xyz', 'xyz', 'read.long'],
    [text('s', 'S'), 'x'.repeat(5), 'xxxxx'],
    [time, '08:00:00', '08:00:00'],
    [time, '8:00', '08:00:00', 'read.time'],
    [time, ' 08:00:05.5+08:00 ', '08:00:05.5+08:00', 'read.time'],
    [time, '2026-01-01T8:00', '2026-01-01T8:00'],
    [datetime, '8:00', '8:00'],
    [datetime, '2026-01-01T8:00Z', '2026-01-01T08:00:00Z', 'read.time'],
    [datetime, '08:00:00', '08:00:00'],
    [minutes, '08:30', '08:30'],
    [minutes, '8:30:00', '08:30', 'read.time'],
    [minutes, '08:30:01', '08:30:01'],
    [minutes, '08:30Z', '08:30Z'],
    [minutes, 'noon', 'noon'],
    [when('date', 'd', 'D'), '2026-01-01', '2026-01-01'],
  ] as const)('%# %j', (field, wire, value, note: string | undefined = undefined) => {
    expect(readScalar(field, wire)).toEqual({ value, ...(note !== undefined && { note }) });
  });
});

describe('written', () => {
  it.each([
    [limited, 5, '5'],
    [int('n', 'N', { decimals: 2 } as object), 5, '5'],
    [float('n', 'N', { decimals: 2 }), 5, '5.00'],
    [float('n', 'N', { decimals: 2 }), 5.125, '5.125'],
    [float('n', 'N', { decimals: 2 }), -0, '0.00'],
    [float('n', 'N', { decimals: 0 }), -0, '0'],
    [float('n', 'N', { decimals: 1 }), -0.5, '-0.5'],
    [float('n', 'N', { decimals: 1 }), -10, '-10.0'],
    [float('n', 'N', { decimals: 1 }), 1e21, '1000000000000000000000'],
    [float('n', 'N'), -0, '0'],
    [float('n', 'N'), -1.5e-7, '-0.00000015'],
    [float('n', 'N'), 1e22, '10000000000000000000000'],
    [flag('f', 'F'), false, 'false'],
    [codes, 1, '1'],
    [words, 'a', 'a'],
    [text('s', 'S'), '007', '007'],
    // Odd spellings of a device are kept in the answer.
    [limited, 'none', 'none'],
    [flag('f', 'F'), 'on', 'on'],
  ] as const)('%# %j is %s', (field, value, wire) => {
    expect(writeScalar(field, value, 'p')).toBe(wire);
  });

  it.each([
    [limited, true, 'a whole number'],
    [limited, Number.NaN, 'a whole number'],
    [float('n', 'N'), null, 'a number'],
    [flag('f', 'F'), 1, 'true or false'],
    [words, Infinity, 'one of its options'],
    [words, true, 'one of its options'],
    [text('s', 'S'), 5, 'text'],
    [datetime, 5, 'a date and time'],
    [when('date', 'd', 'D'), 5, 'a date'],
    [time, 5, 'a time'],
    [minutes, 5, 'a time of day'],
  ] as const)('%# %j is refused: it takes %s', (field, value, takes) => {
    expect(() => writeScalar(field, value, 'a.b')).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'wrong-type',
          source: 'user',
          path: 'a.b',
          message: expect.stringMatching(new RegExp(`^a\\.b .*\\b${takes}\\b`)) as unknown,
        }) as unknown,
      }),
    );
  });

  it('a length counts characters, not their halves', () => {
    expect([isLonger('ab', 2), isLonger('abc', 2), isLonger('😀😀', 2), isLonger('😀😀😀', 2)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([isLonger('😀', 1), isLonger('', 0), isLonger('a', 0), isLonger('', -1)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(spellNumber(1)).toBe('1');
  });
});

describe('characters of XML', () => {
  it.each([
    ['a&amp;b&lt;&gt;&quot;&apos;', `a&b<>"'`],
    ['&#65;&#x42;&#x1F600;', 'AB😀'],
    // No characters, or none that XML has: they stay as they came.
    ['&#0;&#xD800;&#xdfff;&#x110000;&nbsp;&#;&', '&#0;&#xD800;&#xdfff;&#x110000;&nbsp;&#;&'],
    ['&#x10FFFF;&#xE000;&#xd7ff;', '\u{10ffff}\ue000\ud7ff'],
    ['&amp;lt;', '&lt;'],
  ])('%s is read', (raw, read) => {
    expect(decodeReferences(raw)).toBe(read);
    expect(decodeText(raw)).toBe(read);
  });

  it.each([
    ['a\r\nb\rc\r\r\nd', 'a\nb\nc\n\nd'],
    ['a<!-- b &lt; -->c', 'ac'],
    ['<![CDATA[&lt;<!-- x -->]]>&lt;', '&lt;<!-- x --><'],
    ['a<?p b?>c<![CDATA[d]]e]]>f', 'acd]]ef'],
    ['<!-->-->a', 'a'],
    ['&amp;<!-- cut', '&'],
    ['&amp;<![CDATA[cut', '&cut'],
  ])('%j is read without its markup', (raw, read) => {
    expect(decodeText(raw)).toBe(read);
  });

  it('are escaped where they would end what holds them', () => {
    expect(escapeText(`<a b="c">&\r\n\t`, 'p')).toBe('&lt;a b="c"&gt;&amp;&#13;\n\t');
    expect(escapeAttribute(`<a b="c">&\r\n\t`, 'p')).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#13;&#10;&#9;');
    for (const escape of [escapeText, escapeAttribute])
      for (const character of ['\u0000', '\ud800', '\udc00', '\uffff'])
        expect(() => escape(`a${character}`, 'a.b')).toThrow(/^a\.b /);
    expect(escapeText('😀\u0085', 'p')).toBe('😀\u0085');
  });
});

describe('what is said of a document', () => {
  it.each([
    ['', 'empty'],
    ['\ufeff \r\n', 'empty'],
    ['\ufeff\n <a/>', 'xml'],
    ['<!DOCTYPE HTML><x/>', 'html'],
    [' <Body x="1">', 'html'],
    ['<header/>', 'xml'],
    ['<a><html></html></a>', 'xml'],
    [' {"a":1}', 'json'],
    ['\t[1]', 'json'],
    ['a{', 'text'],
    ['5', 'text'],
  ])('%j looks like %s', (body, kind) => expect(sniff(body)).toBe(kind));

  it('is no more than a hundred remarks and strangers, with the number of the others', () => {
    const notes = new Notes();
    expect(notes.all()).toEqual([]);
    for (let nth = 0; nth < 102; nth += 1) notes.unknown('In', `n${nth}`, () => nth);
    notes.about('', 'read.null');

    expect(notes.unlisted.length).toBe(100);
    expect(notes.unlisted[99]).toMatchObject({ path: 'In.n99' });
    expect(notes.unlisted[99]?.read()).toBe(99);
    expect(notes.all().length).toBe(101);
    expect(notes.all()[0]).toEqual({ id: 'read.unlisted', values: { field: 'In.n0' } });
    expect(notes.all()[100]).toEqual({ id: 'read.more', values: { count: 3 } });
  });

  it('names what can be read, and nothing that could be a secret or a trick', () => {
    const notes = new Notes();
    notes.about('', 'read.null');
    notes.about('a.b', 'read.null');
    notes.about('c', undefined);

    expect(notes.all().map(({ values }) => values)).toEqual([{ field: 'The document' }, { field: 'a.b' }]);
    expect(['v:名-1.a', 'a b', 'a"b', '', 'x'.repeat(81)].map(toDisplayName)).toEqual([
      'v:名-1.a',
      ...Array.from({ length: 4 }, () => 'an unreadable name'),
    ]);
  });
});
