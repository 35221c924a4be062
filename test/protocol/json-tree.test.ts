import fc from 'fast-check';
import { parseTree, type Node } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { parseJsonTree, type JsonNode } from '#protocol/codec/json-tree.ts';

/** Returns a node without the way up, and without what only one of the two keeps. */
function plain({ type, offset, length, value, children }: Node | JsonNode): unknown {
  return {
    type,
    offset,
    length,
    ...(children === undefined ? { value: value as unknown } : { children: children.map(plain) }),
  };
}

/** Parents, as a list of the offsets on the way up from each node. */
function waysUp(node: Node | JsonNode): unknown {
  const up: number[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) up.push(at.offset);
  return [up, ...(node.children ?? []).map(waysUp)];
}

function expectSame(text: string): void {
  const reference = parseTree(text);
  const tree = parseJsonTree(text);
  expect(plain(tree)).toEqual(reference === undefined ? undefined : plain(reference));
  expect(waysUp(tree)).toEqual(reference === undefined ? undefined : waysUp(reference));
}

test('every document has the tree that a general parser finds (else: a patch cuts the text at the wrong place)', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, '\t', ' ', '    '), (text, indent) => {
      expectSame(JSON.stringify(JSON.parse(text), undefined, indent));
      expectSame(`\r\n${JSON.stringify(JSON.parse(text), undefined, indent).replaceAll('\n', '\r\n')} \t`);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['an empty object and list', '{"a" : { } ,"b":[ \r\n ]}'],
  ['repeated names', '{"a":1,"a":2}'],
  ['numbers of every spelling', '[0,-0,-1.50,1e5,1E+5,2.5e-3,12345678901234567890]'],
  ['escapes at the end of a text', '["\\\\","\\"","a\\\\\\"b","\\u0041\\ud83d\\ude00","\\ud800"]'],
  ['escaped names', '{"\\u0061\\n":true,"__proto__":null}'],
  ['a single value', ' "x" '],
  ['literals side by side', '[true,false,null]'],
])('%s', (_name, text) => expectSame(text));

test.each(['1e999', '-1e999', '-12.5E+400'])(
  'a number that is too large stays what the device wrote: %s (else: the text "Infinity", which nobody sent)',
  (spelling) => {
    const [node] = parseJsonTree(`[ ${spelling} ]`).children ?? [];

    expect(node).toMatchObject({ type: 'number', value: spelling, offset: 2, length: spelling.length });
  },
);
