/**
 * XML as a thin tree that keeps the device's spelling: every character of the document belongs to
 * exactly one `raw`, `open`, `close`, prolog or epilog, so that writing an untouched tree gives the
 * same text back, whatever white space, quotes, line ends or references it used.
 */
import { createDetail, say, type Detail } from '#shared/details.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { decodeReferences, decodeText, replaceReturns } from './escape.ts';
import { rememberLatest } from './latest.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { createMalformedError, sniff, createWrongKindError } from './problems.ts';
import { endOfTag, scanXml } from './xml-scan.ts';

/** Text between two tags as sent, with comments and CDATA. */
export interface XmlText {
  readonly kind: 'text';
  readonly raw: string;
}
interface XmlAttribute {
  readonly name: string;
  readonly raw: string;
}
export interface XmlElement {
  readonly kind: 'element';
  /** Name as written, with its prefix. */
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
  /** Repairs that were needed to read the document, for people. */
  readonly repairs: readonly Detail[];
}

const ELEMENT = '_';
const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g;
const NO_ATTRIBUTES: readonly XmlAttribute[] = [];
const SPANS = XMLParser.getMetaDataSymbol() as symbol;
const OUTSIDE_ROOT = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|\s+/g;

type Parsed = Readonly<Record<string | symbol, unknown>>;

/**
 * Reads XML; throws `malformed-answer` or `answer-too-large`. References, comments and CDATA stay
 * as written; DOCTYPE is refused.
 */
export function parseXml(text: string, limits: Limits = DEFAULT_LIMITS): XmlDocument {
  return readLately(text, limits);
}

const readLately = rememberLatest(readWhole);

function readWhole(text: string, limits: Limits): XmlDocument {
  const kind = sniff(text);
  if (text.length <= limits.bytes && kind !== 'xml') throw createWrongKindError(kind, 'XML');
  const repairs: Detail[] = [];
  const scan = scanXml(withoutTail(text, repairs), limits);
  if (scan.ampersands > 0) repairs.push(createDetail('read.ampersands', { count: scan.ampersands }));
  const mark = scan.text.charCodeAt(0) === 0xfeff ? '\ufeff' : '';
  // The validator takes a declaration only at the very start; devices put white space before it.
  const lead = leadingSpace(scan.text, mark.length);
  const body = scan.text.slice(mark.length + lead.length);
  const valid = XMLValidator.validate(body);
  if (valid !== true)
    throw createMalformedError(say('xml-broken-at', { line: valid.err.line, column: valid.err.col }));
  const root = readRoot(body);
  return { ...root, prolog: mark + lead + root.prolog, repairs };
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
function withoutTail(text: string, repairs: Detail[]): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0) end -= 1;
  if (end < text.length) repairs.push(createDetail('read.zeros'));
  return text.slice(0, end);
}

function leadingSpace(text: string, from: number): string {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.slice(from, at);
}

/** It keeps its options and nothing of a document. */
const PARSER = new XMLParser({
  preserveOrder: true,
  captureMetaData: true,
  ignoreAttributes: true,
  trimValues: false,
  parseTagValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
  // Nesting was counted before.
  maxNestedTags: Number.MAX_SAFE_INTEGER,
  // Names are taken from the text below: one for all keeps the parser's objects alike, and none is called `constructor`.
  // The slash of `<a/>` is part of the name here.
  transformTagName: (name: string) => (name.endsWith('/') ? `${ELEMENT}/` : ELEMENT),
});

function readRoot(text: string): Pick<XmlDocument, 'prolog' | 'root' | 'epilog'> {
  let nodes: readonly Parsed[];
  try {
    // The parser would fold each line end and count positions anew; a blank keeps them, and the text is ours.
    nodes = PARSER.parse(replaceReturns(text, ' ')) as readonly Parsed[];
  } catch {
    // The parser's own message quotes the document.
    throw createMalformedError(say('xml-broken'));
  }
  const root = nodes.find((node) => node[SPANS] !== undefined);
  if (root === undefined) throw createMalformedError(say('xml-broken'));
  const { start, end } = spanOf(root);
  const [prolog, epilog] = [text.slice(0, start), text.slice(end)];
  if ((prolog + epilog).replace(OUTSIDE_ROOT, '') !== '') throw createMalformedError(say('xml-text-outside'));
  return { prolog, root: readElement(text, root), epilog };
}

function spanOf(node: Parsed): { readonly start: number; readonly end: number } {
  const span = node[SPANS] as { readonly startIndex?: number; readonly endIndex?: number } | undefined;
  if (span?.startIndex === undefined || span.endIndex === undefined)
    throw createMalformedError(say('xml-broken'));
  return { start: span.startIndex, end: span.endIndex };
}

/** The parser says which elements there are and where; the text says how they are written. */
function readElement(text: string, node: Parsed): XmlElement {
  const { start, end } = spanOf(node);
  const openEnd = endOfTag(text, start).end;
  const open = text.slice(start, openEnd);
  const name = nameIn(open);
  const attributes = attributesOf(open);
  if (open.endsWith('/>')) return { kind: 'element', name, attributes, open, close: '', children: [] };
  const closeStart = text.lastIndexOf('</', end - 1);
  const children: XmlNode[] = [];
  let at = openEnd;
  for (const child of childrenOf(node)) {
    if (child[SPANS] === undefined) continue;
    const span = spanOf(child);
    if (span.start > at) children.push({ kind: 'text', raw: text.slice(at, span.start) });
    children.push(readElement(text, child));
    at = span.end;
  }
  if (closeStart > at) children.push({ kind: 'text', raw: text.slice(at, closeStart) });
  return { kind: 'element', name, attributes, open, close: text.slice(closeStart, end), children };
}

function nameIn(open: string): string {
  let end = 1;
  while (!isNameEnd(open.charCodeAt(end))) end += 1;
  return open.slice(1, end);
}

function isNameEnd(code: number): boolean {
  return code === 0x3e || code === 0x2f || code <= 0x20;
}

function childrenOf(node: Parsed): readonly Parsed[] {
  return (node[ELEMENT] ?? []) as readonly Parsed[];
}

/** The validator has seen that each has its quotes. */
function attributesOf(open: string): readonly XmlAttribute[] {
  if (!open.includes('=')) return NO_ATTRIBUTES;
  return [...open.matchAll(ATTRIBUTE)].map(([, name = '', quoted = '']) => ({
    name,
    raw: quoted.slice(1, -1),
  }));
}

/** The name without its namespace prefix. */
export function getLocalName(element: { readonly name: string }): string {
  return element.name.slice(element.name.indexOf(':') + 1);
}

/** Child elements, all or those of one local name, in document order. */
export function listChildElements({ children }: Pick<XmlElement, 'children'>, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of children) {
    if (child.kind === 'element' && (name === undefined || getLocalName(child) === name)) found.push(child);
  }
  return found;
}

/** The element's own text, decoded; text of its children is not part of it. */
export function getElementText(element: XmlElement): string {
  let text = '';
  for (const child of element.children) if (child.kind === 'text') text += decodeText(child.raw);
  return text;
}

/** Returns a decoded attribute; one with a prefix belongs to another namespace and is not found. */
export function findAttribute(element: XmlElement, name: string): string | undefined {
  const found = element.attributes.find((attribute) => attribute.name === name);
  return found === undefined ? undefined : decodeReferences(found.raw);
}

/** The namespace that an element declares for its own name; undefined where it declares none. */
export function findNamespace(element: XmlElement): string | undefined {
  const prefix = getPrefix(element);
  return findAttribute(element, prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`);
}

/** Returns the prefix with its colon; empty if the name has none. */
export function getPrefix({ name }: { readonly name: string }): string {
  return name.slice(0, name.indexOf(':') + 1);
}
