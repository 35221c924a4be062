import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findAttribute, findNamespace, parseXml, serializeXml } from '#protocol/index.ts';
import { DEFAULT_LIMITS } from '#protocol/codec/limits.ts';
import { listChildElements, getLocalName, getElementText, type XmlNode } from '#protocol/codec/xml-tree.ts';
import { readXml, type XmlNode as SiteNode } from '#simulator/wire/xml-reader.ts';

const SEED =
  '<?xml version="1.0"?>\r\n<!-- a > b --><s:a xmlns:s="u" b=\'"\'>x &amp; y<c d = "1"/><!-- <e> --><c>1</c><![CDATA[<f>]]></s:a ><?p ?>\n';
const PIECES = [
  '',
  '<',
  '>',
  '/',
  '"',
  '=',
  ' ',
  '&',
  'c',
  '<c>',
  '</c>',
  '<c/>',
  ' b="2"',
  '-->',
  ']]>',
  '<!--',
  '<?',
  '<!x>',
];

/** Small damage, most of it to markup. */
const damaged = fc
  .array(fc.tuple(fc.nat(SEED.length), fc.nat(4), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 3 })
  .map((edits) => {
    let text = SEED;
    for (const [at, cut, put] of edits) text = text.slice(0, at) + put + text.slice(at + cut);
    return text;
  });

type Names = readonly (readonly [string, Names])[];

function namesOf(nodes: readonly XmlNode[]): Names {
  return nodes.flatMap((node) =>
    node.kind === 'element' ? [[getLocalName(node), namesOf(node.children)] as const] : [],
  );
}
function siteNames(nodes: readonly SiteNode[]): Names {
  return nodes.map(({ name, children }) => [name, siteNames(children)] as const);
}

it("reads the elements that the site's own strict reader reads, or nothing (else: a damaged answer is half read, and written back so)", () => {
  const counts = { read: 0, refused: 0 };
  fc.assert(
    fc.property(damaged, (text) => {
      let ours: { readonly names: Names; readonly text: string } | undefined;
      try {
        const document = parseXml(text);
        ours = { names: namesOf([document.root]), text: serializeXml(document) };
      } catch {
        ours = undefined;
      }
      // The mended text is used; unknown references stay as they are.
      const site = readXml((ours?.text ?? text).replace(/&\w+;/g, '&amp;'));
      counts[ours === undefined ? 'refused' : 'read'] += 1;

      if (ours !== undefined && site.ok) expect(ours.names, text).toEqual(siteNames([site.root]));
    }),
    { numRuns: 3_000 },
  );

  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(300);
});

// Would catch: a limit by another maker's attribute, or a namespace under which a device does not know its own document.
it.each([
  ['<r/>', undefined, undefined],
  ['<r a="1"/>', '1', undefined],
  [`<r v:a="2" b='a="3"' a = '>&lt;"' xmlns="n" xmlns:p="m">a</r>`, '>&lt;"'.replace('&lt;', '<'), 'n'],
  ['<p:r xmlns:p="m&amp;" xmlns="n" v:a="2"></p:r>', undefined, 'm&'],
])('%s has the attribute and the namespace that it names', (text, attribute, namespace) => {
  const { root } = parseXml(text);

  expect([findAttribute(root, 'a'), findNamespace(root)]).toEqual([attribute, namespace]);
});

it("an element's text is its own, whatever stands in it, and its elements are found by name", () => {
  const { root } = parseXml('<r>a<x>1</x>b<!-- c --><p:x>2</p:x><![CDATA[<d>]]>\r\n<y/></r>');

  expect(getElementText(root)).toBe('ab<d>\n');
  expect(listChildElements(root).map(getLocalName)).toEqual(['x', 'x', 'y']);
  expect(listChildElements(root, 'x').map(getElementText)).toEqual(['1', '2']);
});

const LIMITED = "<r a='>'>\n<?p <p> & ?><!--><q> & --><abc></abc><d/> & &amp; &</r>";
const EXACT = { bytes: LIMITED.length, depth: 2, nodes: 12, mends: 2, name: 3 };

// Would catch: a limit that is off by one, or counts what it should not: honest answers are refused, or others let in.
it('limits allow what is no more than they say, and refuse one more', () => {
  const read = parseXml(LIMITED, EXACT);

  expect(read.repairs).toEqual([{ id: 'read.ampersands', values: { count: 2 } }]);
  expect(serializeXml(read)).toBe(LIMITED.replace('<d/> & &amp; &', '<d/> &amp; &amp; &amp;'));
  for (const limit of ['bytes', 'depth', 'nodes', 'mends', 'name'] as const)
    expect(() => parseXml(LIMITED, { ...EXACT, [limit]: EXACT[limit] - 1 }), limit).toThrow(
      expect.objectContaining({
        code: 'answer-too-large',
        message: expect.stringContaining(`${EXACT[limit] - 1}`) as unknown,
      }),
    );
  // One after the other they are not nested.
  expect(() => parseXml(`<r>${'<a></a>'.repeat(DEFAULT_LIMITS.depth)}</r>`)).not.toThrow();
});

it.each([
  ['\ufeff \r\n<?xml version="1.0"?><r/>', []],
  ['\n<!-- a --> <?p?><r></r>\n<!-- b -->\n', []],
  ['<r/>\n\0\0', [{ id: 'read.zeros' }]],
])('%j is read with what stands around it', (text, repairs) => {
  const read = parseXml(text);

  expect(read.repairs).toEqual(repairs);
  expect(serializeXml(read)).toBe(text.replaceAll('\0', ''));
});

// Would catch: a person who looks for a damaged line where another device answered.
it.each([
  ['', /empty body/],
  ['{"a":1}', /JSON where XML was due/],
  ['<!doctype html><html></html>', /web page/],
  ['<!DOCTYPE r><r/>', /DOCTYPE/],
  ['<r><!ENTITY a "b"></r>', /DOCTYPE or entities/],
  ['<r a="', /cut off/],
  ['<r><!-- ', /cut off/],
  ['\n<r>\n<a></b></r>', /line 2, column/],
  ['<r> & </r>junk', /not well formed|outside/],
  ["<?p '?><r/><!-- '?> --><b/>", /outside its root/],
])('%j is refused in words that say why', (text, words) => {
  expect(() => parseXml(text)).toThrow(
    expect.objectContaining({
      shape: expect.objectContaining({ code: 'malformed-answer', source: 'device' }) as unknown,
      message: expect.stringMatching(words) as unknown,
    }),
  );
});
