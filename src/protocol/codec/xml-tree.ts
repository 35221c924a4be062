/**
 * XML as a thin tree that keeps the device's spelling: every character of the document belongs to
 * exactly one `raw`, `open`, `close`, prolog or epilog, so that writing an untouched tree gives the
 * same text back, whatever white space, quotes, line ends or references it used.
 */
import { decodeReferences, decodeText } from './escape.ts';
import { rememberingLatest } from './latest.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { Limits } from './limits.ts';
import { sniff, wrongKind } from './problems.ts';
import { readXmlText } from './xml-reader.ts';

/** What stands between two tags, comments and CDATA included, as it was sent. */
export interface XmlText {
  readonly kind: 'text';
  readonly raw: string;
}
export interface XmlAttribute {
  readonly name: string;
  readonly raw: string;
}
export interface XmlElement {
  readonly kind: 'element';
  /** As written, prefix included. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  /** The start tag as sent; ends in `/>` where there is no end tag. */
  readonly open: string;
  /** The end tag as sent, or nothing. */
  readonly close: string;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlText | XmlElement;

export interface XmlDocument {
  /** Byte order mark, declaration and comments before the root. */
  readonly prolog: string;
  readonly root: XmlElement;
  readonly epilog: string;
  /** What had to be mended before it could be read, for people. */
  readonly repairs: readonly string[];
}

/**
 * Reads XML; throws `malformed-answer` or `answer-too-large`. References, comments and CDATA stay
 * as written; DOCTYPE is refused.
 */
export function parseXml(text: string, limits: Limits = DEFAULT_LIMITS): XmlDocument {
  return readLately(text, limits);
}

const readLately = rememberingLatest(readWhole);

function readWhole(text: string, limits: Limits): XmlDocument {
  const kind = sniff(text);
  if (text.length <= limits.bytes && kind !== 'xml') throw wrongKind(kind, 'XML', text.length);
  const repairs: string[] = [];
  const { ampersands, ...document } = readXmlText(withoutTail(text, repairs), limits);
  if (ampersands > 0) repairs.push(`${ampersands} bare "&" read as "&amp;".`);
  return { ...document, repairs };
}

/** The document as text; for a tree as it was read, the very text that was read (repairs apart). */
export function serializeXml(document: XmlDocument): string {
  const out: string[] = [document.prolog];
  writeNode(document.root, out);
  out.push(document.epilog);
  return out.join('');
}

function writeNode(node: XmlNode, out: string[]): void {
  if (node.kind === 'text') {
    out.push(node.raw);
    return;
  }
  out.push(node.open);
  for (const child of node.children) writeNode(child, out);
  out.push(node.close);
}

/** Some devices send the terminating zero of their text buffer. */
function withoutTail(text: string, repairs: string[]): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  if (end < text.length) repairs.push('Zero bytes after the document were left out.');
  return end < text.length ? text.slice(0, end) : text;
}

/** The name without its namespace prefix. */
export function localName(element: { readonly name: string }): string {
  const colon = element.name.indexOf(':');
  return colon < 0 ? element.name : element.name.slice(colon + 1);
}

/** Child elements, all or those of one local name, in document order. */
export function childElements(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element.children) {
    if (child.kind === 'element' && (name === undefined || localName(child) === name)) found.push(child);
  }
  return found;
}

/** The element's own text, decoded; text of its children is not part of it. */
export function textOf(element: XmlElement): string {
  let text = '';
  for (const child of element.children) if (child.kind === 'text') text += decodeText(child.raw);
  return text;
}

/** A decoded attribute by its name without prefix. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  const found = element.attributes.find(
    (attribute) => attribute.name === name || attribute.name.endsWith(`:${name}`),
  );
  return found === undefined ? undefined : decodeReferences(found.raw);
}

/** The namespace that an element declares for its own name; undefined where it declares none. */
export function namespaceOf(element: XmlElement): string | undefined {
  const prefix = prefixOf(element);
  return attributeOf(element, prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`);
}

/** With its colon; empty where the name has none. */
export function prefixOf({ name }: { readonly name: string }): string {
  return name.slice(0, name.indexOf(':') + 1);
}
