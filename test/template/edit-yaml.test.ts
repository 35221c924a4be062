/** Edits of a text through the library's document: what is not edited keeps its spelling. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeYaml } from '#template/edit-yaml.ts';
import { NOT_GIVEN } from '#template/placeholder.ts';
import { readYaml } from '#template/read-yaml.ts';

function changed(text: string, change: (value: Record<string, unknown>) => unknown): string | undefined {
  const { value } = readYaml(text);
  return changeYaml(text, value, change(value as Record<string, unknown>));
}

describe('an edit of one value', () => {
  // Would catch: a number, a text or a name that is written otherwise because something beside it was edited.
  it.each([
    ['numbers', 'n: 0.950\ne: 1E3\nh: 0x1F\np: +5\nd: 5.\nz: ~\n'],
    ['texts', 'a: "\\u00e9\\/"\nb: \'it\'\'s\'\nc: 08:00:00\nd: "08:00"\ne: yes\n'],
    ['names', '"a b": 1\n\'c\': 2\n'],
    ['lists and maps on one line', 'a: [1, 2]\nb: { c: 1, d: [x, "y"] }\ne: {}\nf: []\n'],
    ['maps on one line without spaces', 'a: {b: 1, c: {d: 2}}\n'],
    ['lists on one line with spaces', 'a: [ 1, 2 ]\n'],
    ['variables', 'a: ${x}\nb: { c: ${y}, d: "${z}" }\ne: text ${x} $${y}\n'],
    ['comments and blank lines', '# head\n\na: 1 # one\n\n# two\nb:\n  # inside\n  c: 2\n'],
    ['anchors, aliases and tags', 'a: &x 1\nb: *x\nc: !!str 5\nd: &y\n  e: 1\nf: *y\n'],
    [
      'texts of several lines',
      'a: |\n  one\n    two\nb: >-\n  three\n  four\nc: "five\n  six"\nd: seven\n  eight\n',
    ],
  ])('keeps %s as they are spelled', (_what, text) => {
    expect(changed(`${text}last: 1 # it\n`, (value) => ({ ...value, last: 2 }))).toBe(
      `${text}last: 2 # it\n`,
    );
  });

  it('keeps line ends, a byte order mark and an open last line', () => {
    expect(changed('a: 1\r\nb: 2\r\n', (value) => ({ ...value, b: 3 }))).toBe('a: 1\r\nb: 3\r\n');
    expect(changed('\ufeffa: 1', (value) => ({ ...value, a: 2 }))).toBe('\ufeffa: 2');
  });

  it('keeps JSON, its indentation and its numbers, also where a value is still to be given', () => {
    const text = '{\n  "a": 0.950,\n  "b": [\n    "${x}"\n  ]\n}\n';

    expect(changed(text, (value) => ({ ...value, c: '${y}', d: NOT_GIVEN }))).toBe(
      '{\n  "a": 0.950,\n  "b": [\n    "${x}"\n  ],\n  "c": "${y}",\n  "d": "\\u0000"\n}\n',
    );
  });

  it('takes no text for a number because it looks like one, and no name for a variable', () => {
    const texts = [
      '1',
      'true',
      'null',
      '',
      '08:00',
      'a: b',
      '# c',
      '- d',
      'two\nlines',
      '${x',
      '\ue000',
      ' ',
    ];

    for (const text of texts)
      for (const where of [
        '{ a: ${x}, b: 1 }\n',
        'a: ${x}\nb: 1\n',
        'a: "q"\nb: 1\n',
        "{ a: 'q', b: 1 }\n",
      ]) {
        const next = changed(where, (value) => ({ ...value, a: text, c: [text] }));
        const { value } = readYaml(next ?? '');
        // A text with the character that masks a variable looks like one; the editor compares the values.
        if (text !== '\ue000') expect(value).toEqual({ a: text, b: 1, c: [text] });
      }
  });

  it('refuses what the reader refuses', () => {
    for (const text of [
      'a: "open',
      'a: 1\n---\nb: 2\n',
      '%YAML 1.1\n---\na: 1\n',
      `${'['.repeat(500)}${']'.repeat(500)}`,
    ])
      expect(changeYaml(text, { a: 1 }, { a: 2 })).toBeUndefined();
  });
});

describe('templates that ship', () => {
  const folder = join(import.meta.dirname, '../../resources/templates');

  // Would catch: a comment that goes, or a line that moves, in a text that people have written.
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))(
    '%s: keep every line but the name',
    (file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const lines = (of: string): string[] =>
        of
          .split('\n')
          .filter((line) => !line.startsWith('name:'))
          .map((line) => line.replace(/ +/g, ' ').trim());

      const next = changed(text, (value) => ({ ...value, name: 'Another' })) ?? '';

      expect(lines(next)).toEqual(lines(text));
      expect(readYaml(next).value).toEqual({ ...(readYaml(text).value as object), name: 'Another' });
    },
  );
});
