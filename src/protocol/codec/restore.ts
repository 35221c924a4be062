/** Puts one setting of a document back as another reading of it spells it, to the byte. */
import { serializeXml, getLocalName, listChildElements, type XmlElement } from './xml-tree.ts';
import type { WireDocument } from './document.ts';

/**
 * Returns the text of `now` with the setting at `path` (objects only, no items) as `before` has it; undefined if one of
 * the two does not have it exactly once, or is no XML.
 */
export function restoreSpelling(now: WireDocument, before: WireDocument, path: string): string | undefined {
  if (now.format !== 'xml' || before.format !== 'xml' || path === '' || path.includes('[')) return undefined;
  const root = restoreElement(now.xml.root, before.xml.root, path.split('.'));
  return root === undefined ? undefined : serializeXml({ ...now.xml, root });
}

function restoreElement(
  now: XmlElement,
  before: XmlElement,
  [name, ...rest]: readonly string[],
): XmlElement | undefined {
  if (name === undefined) return before;
  const [held, ...more] = listChildElements(now, name);
  const [earlier, ...others] = listChildElements(before, name);
  if (held === undefined || earlier === undefined || more.length + others.length > 0) return undefined;
  const restored = restoreElement(held, earlier, rest);
  if (restored === undefined || getLocalName(restored) !== name) return undefined;
  return { ...now, children: now.children.map((child) => (child === held ? restored : child)) };
}
