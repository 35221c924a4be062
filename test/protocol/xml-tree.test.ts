import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseXml, serializeXml } from '../../src/protocol/index.ts';
import { localName } from '../../src/protocol/codec/xml-tree.ts';
import type { XmlNode } from '../../src/protocol/codec/xml-tree.ts';
import { readXml } from '../../src/simulator/wire/xml-reader.ts';
import type { XmlNode as SiteNode } from '../../src/simulator/wire/xml-reader.ts';

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
    node.kind === 'element' ? [[localName(node), namesOf(node.children)] as const] : [],
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
      // With what was mended; references that nobody knows stay as they are.
      const site = readXml((ours?.text ?? text).replace(/&\w+;/g, '&amp;'));
      counts[ours === undefined ? 'refused' : 'read'] += 1;

      if (ours !== undefined && site.ok) expect(ours.names, text).toEqual(siteNames([site.root]));
    }),
    { numRuns: 3_000 },
  );

  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(300);
});
