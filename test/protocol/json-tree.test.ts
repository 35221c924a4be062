import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, toPlainValue, type JsonNode } from '#protocol/codec/json-text.ts';
import { DEFAULT_LIMITS } from '#protocol/codec/limits.ts';

const LIMITS = { ...DEFAULT_LIMITS, depth: 1_000, nodes: 1_000_000 };

/** Every value of the tree, its positions taken from the text. */
function expectInPlace(node: JsonNode, text: string): void {
  const { type, offset, length, children = [] } = node;
  if (type !== 'property')
    expect(toPlainValue(node)).toEqual(JSON.parse(text.slice(offset, offset + length)));
  for (const child of children) {
    expect(child.parent).toBe(node);
    expectInPlace(child, text);
  }
}

test('every value is where its text is (else: a patch cuts the text at the wrong position)', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 6 }).filter((text) => /^[[{]/.test(text)),
      fc.constantFrom(undefined, '\t', ' ', '    '),
      fc.constantFrom('', '\ufeff', '\r\n'),
      (text, indent, lead) => {
        const laidOut = `${lead}${JSON.stringify(JSON.parse(text), undefined, indent).replaceAll('\n', '\r\n')} \t`;
        expectInPlace(parseJson(laidOut, LIMITS), laidOut);
      },
    ),
    { numRuns: 300 },
  );
});

test.each(['1e999', '-1e999', '-12.5E+400', '9'.repeat(309)])(
  'a number that is too large stays what the device wrote: %s (else: the text "Infinity", which nobody sent)',
  (spelling) => {
    const [node] = parseJson(`[ ${spelling} ]`, DEFAULT_LIMITS).children ?? [];

    expect(node).toMatchObject({ type: 'number', value: spelling, offset: 2, length: spelling.length });
  },
);
