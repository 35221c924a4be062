import { ensureSyntaxTree, foldable, getIndentation, IndentContext } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { describe, expect, it } from 'vitest';
import { yamlLanguage } from '#renderer/features/templates/code/yaml-language.ts';

function stateOf(doc: string): EditorState {
  return EditorState.create({ doc, extensions: yamlLanguage });
}
const KINDS = tagHighlighter([
  { tag: tags.propertyName, class: 'name' },
  { tag: [tags.string, tags.content], class: 'value' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.labelName, class: 'label' },
]);
/** Each coloured piece with its kind. */
function pieces(doc: string): readonly string[] {
  const found: string[] = [];
  const tree = ensureSyntaxTree(stateOf(doc), doc.length, 5000);
  if (tree !== null)
    highlightTree(tree, KINDS, (from, to, kind) => found.push(`${kind} ${doc.slice(from, to).trim()}`));
  return found;
}

describe('colours', () => {
  it.each([
    [
      'a value, and a comment behind it',
      'emissivity: 0.98 # skin',
      ['name emissivity', 'value 0.98', 'comment # skin'],
    ],
    ['a variable, not a map', 'distance: ${distance}', ['name distance', 'value ${distance}']],
    ['names in braces', '{ a: 1, b: yes sir }', ['name a', 'value 1', 'name b', 'value yes sir']],
    [
      'names behind a variable in braces',
      '{ a: ${x}, b: 2 }\nc: 3',
      expect.arrayContaining(['name b', 'value 2', 'name c', 'value 3']) as unknown,
    ],
    [
      'a text of several lines up to the next name',
      'a: |\n  one: 1\n\n  two\nb: null',
      ['name a', 'value |', 'value one: 1\n\n  two', 'name b', 'value null'],
    ],
    ['anchors and aliases', 'a: &x 1\nb: *x', ['name a', 'label &x', 'value 1', 'name b', 'label *x']],
    ['names that begin with a dash', '- set: a\n  value:', ['name set', 'value a', 'name value']],
  ])('tell %s', (_what, doc, wanted) => expect(pieces(doc)).toEqual(wanted));

  it('read lines of any kind to their end', () => {
    // A token that takes nothing would be an endless loop, which the editor ends by throwing.
    const hostile = [
      '${',
      '"',
      "'",
      '{'.repeat(500),
      '- '.repeat(500),
      'a'.repeat(20_000),
      ' '.repeat(20_000),
      ': : :',
      '&',
      '*',
      '!',
      '|>',
      '#',
      '$$',
      ']}',
      '\t- x',
    ];

    for (const line of hostile) expect(() => pieces(`${line}\n${line} x`)).not.toThrow();
  });
});

describe('a new line', () => {
  it.each([
    ['stands below the name above', '      emissivity: 1', 6],
    ['stands deeper below a name without a value', '    value: # fields', 6],
    ['stands below the first name of an entry', '  - set: a', 4],
  ])('%s', (_what, line, wanted) => {
    const state = stateOf(line);

    expect(getIndentation(new IndentContext(state, { simulateBreak: line.length }), line.length)).toBe(
      wanted,
    );
  });
});

describe('folding', () => {
  it('takes what stands deeper, also dashes below their name, and nothing of the next entry', () => {
    const doc = 'sections:\n- set: a\n  value:\n    x: 1\n\n- set: b\nname: x';
    const state = stateOf(doc);
    const folded = (line: number): string | undefined => {
      const { from, to } = state.doc.line(line);
      const range = foldable(state, from, to);
      return range === null ? undefined : doc.slice(range.from, range.to);
    };

    expect(folded(1)).toBe('\n- set: a\n  value:\n    x: 1\n\n- set: b');
    expect(folded(2)).toBe('\n  value:\n    x: 1');
    expect(folded(4)).toBeUndefined();
  });

  // Would catch: the line numbers of a JSON file, or of any text without a last line break, die of it.
  it('asks for no line behind the last one', () => {
    const state = stateOf('{ "fieldwright": "template/1" }');

    expect(foldable(state, 0, state.doc.length)).toBeNull();
  });
});
