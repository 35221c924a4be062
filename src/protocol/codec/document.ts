/** Reading, writing and patching of whole documents, whatever their wire format. */
import { say, type Detail } from '#shared/details.ts';
import type { Payload } from '../definition.ts';
import { isFulfilled, type Means } from '../fulfils.ts';
import { rootField } from '../fields/field-at.ts';
import { escapeAttribute } from './escape.ts';
import { mergeJson } from './json-merge.ts';
import { readJson } from './json-read.ts';
import { listMembers, parseJson, toPlainValue, type JsonNode } from './json-text.ts';
import { buildJson, type JsonLayout } from './json-write.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { CapabilityNotes, Notes, type UnlistedNode } from './notes.ts';
import { createMalformedError, toDisplayName, sniff } from './problems.ts';
import { mergeXml } from './xml-merge.ts';
import { readXml } from './xml-read.ts';
import { getLocalName, parseXml, serializeXml, type XmlDocument } from './xml-tree.ts';
import { buildXml } from './xml-write.ts';

/** A document as it came, kept for writing it back. `text` is exactly what was received. */
export type WireDocument =
  | { readonly format: 'xml'; readonly xml: XmlDocument; readonly text: string }
  | { readonly format: 'json'; readonly text: string; readonly tree: JsonNode };

export interface Decoded {
  /** Value in the shape of the definition; unknown parts are in the document only. */
  readonly value: unknown;
  readonly document: WireDocument;
  /** Parts that were repaired, repeated, unknown or outside the specification; holds no values. */
  readonly notes: readonly Detail[];
  /** Nodes that the definition does not know (bounded); they are in the document, not in `value`. */
  readonly unlisted: readonly UnlistedNode[];
}

/**
 * Reads a document of this payload. Values outside the specification are kept and noted, never
 * refused. Throws `malformed-answer` where it is another document or none, `answer-too-large`.
 */
export function decode(payload: Payload, text: string): Decoded {
  return decodeNoting(payload, text, new Notes());
}

/** Returns whether a text is a whole XML or JSON document, and no web page. */
export function isInterfaceDocument(text: string): boolean {
  try {
    const kind = sniff(text);
    if (kind === 'json') parseJson(text, DEFAULT_LIMITS);
    return (
      kind === 'json' || (kind === 'xml' && getLocalName(parseXml(text, DEFAULT_LIMITS).root) !== 'html')
    );
  } catch {
    return false;
  }
}

/** Reads a document that tells limits of the payload instead of values; throws like `decode`. */
export function decodeCapability(payload: Payload, text: string): Decoded {
  return decodeNoting(payload, text, new CapabilityNotes());
}

function decodeNoting(payload: Payload, text: string, notes: Notes): Decoded {
  return payload.format === 'xml' ? decodeXml(payload, text, notes) : decodeJson(payload, text, notes);
}

function decodeXml(payload: Payload, text: string, notes: Notes): Decoded {
  const xml = parseXml(text);
  const came = getLocalName(xml.root);
  if (payload.root !== undefined && came !== payload.root) {
    throw createMalformedError(say('other-root', { came: toDisplayName(came), due: payload.root }));
  }
  for (const repair of xml.repairs) notes.add(repair);
  return {
    value: readXml(rootField(payload), xml.root, '', notes),
    document: { format: 'xml', xml, text },
    notes: notes.all(),
    unlisted: notes.unlisted,
  };
}

function decodeJson(payload: Payload, text: string, notes: Notes): Decoded {
  const tree = parseJson(text, DEFAULT_LIMITS);
  const node = contentNode(payload, tree, notes);
  const field = rootField(payload);
  if (node.type !== 'object')
    throw createMalformedError(say('other-body', { came: aJson(node.type), due: 'an object' }));
  return {
    value: readJson(field, node, '', notes),
    document: { format: 'json', text, tree },
    notes: notes.all(),
    unlisted: notes.unlisted,
  };
}

/** The object under the root name; throws where the document has another one. */
function contentNode(payload: Payload, tree: JsonNode, notes?: Notes): JsonNode {
  if (payload.root === undefined) return tree;
  if (tree.type !== 'object')
    throw createMalformedError(say('other-body', { came: aJson(tree.type), due: payload.root }));
  const held = listMembers(tree);
  const found = held.find((member) => member.name === payload.root);
  if (found === undefined) {
    const came = held
      .slice(0, 6)
      .map((member) => toDisplayName(member.name))
      .join(', ');
    throw createMalformedError(say('other-object', { due: payload.root, came: came || 'nothing' }));
  }
  for (const member of held)
    if (member.name !== payload.root) notes?.unknown('', member.name, () => toPlainValue(member.value));
  return found.value;
}

function aJson(type: JsonNode['type']): string {
  return type === 'array' ? 'a list' : type === 'object' ? 'an object' : 'a single value';
}

export interface EncodeOptions {
  /** Written as the root's `xmlns`; none when undefined. XML only. */
  readonly namespace?: string;
  /** Default: the payload's. XML only. */
  readonly version?: string;
}

const JSON_LAYOUT: JsonLayout = { line: '\n', unit: '  ', space: ' ' };

/**
 * Encodes a new document of the value, fields in the specification's order; unknown fields are omitted.
 * Throws `wrong-type` or `not-allowed` for a value that cannot be written.
 */
export function encode(payload: Payload, value: unknown, options: EncodeOptions = {}): string {
  const field = rootField(payload);
  if (payload.format === 'json') {
    if (payload.root === undefined) return buildJson(field, value, '', JSON_LAYOUT);
    const inner = buildJson(field, value, '', { ...JSON_LAYOUT, line: JSON_LAYOUT.line + JSON_LAYOUT.unit });
    return `{\n  ${JSON.stringify(payload.root)}: ${inner}\n}`;
  }
  const root = buildXml(field, value, { path: '', depth: 0, layout: { line: '\n', unit: '  ', prefix: '' } });
  const version = ` version="${escapeAttribute(options.version ?? payload.version, 'version')}"`;
  const namespace =
    options.namespace === undefined ? '' : ` xmlns="${escapeAttribute(options.namespace, 'xmlns')}"`;
  const cut = root.open.endsWith('/>') ? -2 : -1;
  const open = root.open.slice(0, cut) + version + namespace + root.open.slice(cut);
  return serializeXml({
    prolog: '<?xml version="1.0" encoding="UTF-8"?>\n',
    root: { ...root, open },
    epilog: '\n',
    repairs: [],
  });
}

export interface Merged {
  readonly text: string;
  readonly document: WireDocument;
  readonly value: unknown;
  /** Paths, in what was there before, of what the definition does not know and what went with the thing that held it. */
  readonly lost: readonly string[];
}

/**
 * The document with `patch` in it: objects deep, `null` removes, what is not named keeps its spelling. A list has the
 * items of the patch; those that are there already (`matchItems`) are merged deep too. What `means` the same already
 * stays as it is spelled. Where nothing changes `text` is the text as received. `document` itself is
 * not changed. Throws `wrong-type` or `not-allowed` for a patch without a spelling.
 */
export function merge(
  document: WireDocument,
  payload: Payload,
  patch: unknown,
  means: Means = isFulfilled,
): Merged {
  const field = rootField(payload);
  const dropped = new Notes();
  if (document.format === 'xml') {
    const root = mergeXml(field, document.xml.root, patch, { lost: dropped, means });
    const value = readXml(field, root, '', new Notes());
    if (root === document.xml.root) return { text: document.text, document, value, lost: [] };
    const xml: XmlDocument = { ...document.xml, root };
    const text = serializeXml(xml);
    return {
      text,
      document: { format: 'xml', xml, text },
      value,
      lost: dropped.unlisted.map(({ path }) => path),
    };
  }
  const node = contentNode(payload, document.tree);
  const text = mergeJson(field, node, patch, { text: document.text, lost: dropped, means });
  if (text === document.text)
    return { text, document, value: readJson(field, node, '', new Notes()), lost: [] };
  const tree = parseJson(text, DEFAULT_LIMITS);
  return {
    text,
    document: { format: 'json', text, tree },
    value: readJson(field, contentNode(payload, tree), '', new Notes()),
    lost: dropped.unlisted.map(({ path }) => path),
  };
}
