/** Templates come from anywhere: what the reader refuses, and the places that it names. */
import { describe, expect, it } from 'vitest';
import { Problems } from '#engine/template/check/problems.ts';
import { readTree } from '#engine/template/read-tree.ts';

function read(text: string) {
  const problems = new Problems('site.yaml');
  const tree = readTree(text, problems);
  return { tree, errors: problems.errors };
}

describe('reading YAML', () => {
  it('takes a bare placeholder inside braces for text, as the format shows it', () => {
    const { tree } = read('params: { channelID: ${channel}, other: "${x}" }');

    expect(tree?.root).toEqual({ params: { channelID: '${channel}', other: '${x}' } });
  });

  it('keeps private-use characters of the document although placeholders are masked with such', () => {
    const { tree } = read('a: "\ue000 \ue001 \ue002"\nb: { c: ${d} }');

    expect(tree?.root).toEqual({ a: '\ue000 \ue001 \ue002', b: { c: '${d}' } });
  });

  it('is YAML 1.2: yes is text, times are text, 0o7 is a number', () => {
    const { tree } = read('a: yes\nb: 08:00:00\nc: 0o7\nd: 1.50\ne: ~');

    expect(tree?.root).toEqual({ a: 'yes', b: '08:00:00', c: 7, d: 1.5, e: null });
  });

  it('reads JSON, with tabs, escapes and a byte order mark', () => {
    const { tree } = read('\ufeff{"a": [1,\n\t{"b": "\\ud83d\\ude00\\/"}]}');

    expect(tree?.root).toEqual({ a: [1, { b: '😀/' }] });
  });

  it('knows line and column of every value and name', () => {
    const { tree } = read('# head\nsections:\n  - set: a\n    value: { b: 1 }\n');

    expect(tree?.values.get('sections[0].value.b')).toEqual({ line: 4, column: 17 });
    expect(tree?.keys.get('sections[0].value.b')).toEqual({ line: 4, column: 14 });
  });

  it('follows aliases, and places them where they are used', () => {
    const { tree } = read('a: &x { b: 1 }\nc: *x');

    expect(tree?.root).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(tree?.values.get('c.b')?.line).toBe(2);
  });

  it.each([
    ['a mapping that is not closed', 'a: {b: 1\nc: 2', 'invalid-template', 2],
    ['a name given twice', 'a: 1\nb: 2\na: 3', 'invalid-template', 3],
    ['a prototype key', 'a: 1\n__proto__: { x: 1 }', 'invalid-template', 2],
    ['a quoted prototype key', '"__proto__": { x: 1 }', 'invalid-template', 1],
    ['a custom tag', 'a: !js/function "x"', 'invalid-template', 1],
    ['a binary tag', 'a: !!binary aGVsbG8=', 'invalid-template', 1],
    ['a directive', '%YAML 1.1\n---\na: yes', 'invalid-template', 1],
    ['a second document', 'a: 1\n---\nb: 2', 'invalid-template', 2],
    ['an alias to nothing', 'a: 1\nb: *nope', 'invalid-template', 2],
    ['a list as a name', '? [a, b]\n: 1', 'invalid-template', 1],
    ['infinity', 'a: .inf', 'invalid-template', 1],
    ['a number that would change', 'a: 99999999999999999999', 'invalid-template', 1],
    ['a tab as indentation', 'a:\n\tb: 1', 'invalid-template', 2],
    ['nothing', '', 'invalid-template', 1],
    ['only a comment', '# nothing', 'invalid-template', 1],
  ])('refuses %s, with its line', (_what, text, code, line) => {
    const { tree, errors } = read(text);

    expect(tree).toBeUndefined();
    expect(errors[0]).toMatchObject({ code, line, file: 'site.yaml' });
    expect(errors[0]?.column).toBeGreaterThan(0);
  });

  it.each([
    ['deep flow nesting', '['.repeat(200_000)],
    ['deep block nesting', '- '.repeat(200_000)],
    ['deep mappings', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['an alias inside its own anchor', 'a: &x [*x]'],
    [
      'a billion laughs',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefghi'
          .split('')
          .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`),
      ].join('\n'),
    ],
    ['very many values', `a: [${'1,'.repeat(60_000)}1]`],
    ['more than a mebibyte', `a: "${'x'.repeat(1_100_000)}"`],
  ])('refuses %s without exhausting stack or memory', (_what, text) => {
    const { tree, errors } = read(text);

    expect(tree).toBeUndefined();
    expect(errors[0]?.code).toBe('input-too-large');
  });
});
