/**
 * A patch laid over an XML tree. Elements that do not change are the same objects afterwards, so an
 * unchanged tree is recognised by identity and everything untouched keeps its spelling.
 */
import type { Field, ListField, ObjectField } from '../definition.ts';
import { matchItems, type Means } from '../fulfils.ts';
import { joinPath } from '../fields/path.ts';
import { isPlain, getOwn } from '../value.ts';
import { Notes } from './notes.ts';
import { createWrongTypeError } from './scalar.ts';
import { getElementName, readXml } from './xml-read.ts';
import {
  listChildElements,
  getLocalName,
  getPrefix,
  getElementText,
  type XmlElement,
  type XmlNode,
  type XmlText,
} from './xml-tree.ts';
import {
  buildXml,
  buildFieldNodes,
  buildIndent,
  buildScalarContent,
  replaceChildren,
  type Layout,
  type XmlPlace,
} from './xml-write.ts';

/** Characters of white space that is repeated for new nodes. */
const MOST_SPACE = 200;

interface MergePlace extends XmlPlace {
  /** Hears of what the definition does not know and what goes all the same. */
  readonly lost: Notes;
  readonly means: Means;
}

/** The root with `patch` in it; the same object where nothing changes. */
export function mergeXml(
  field: ObjectField | ListField,
  root: XmlElement,
  patch: unknown,
  context: Pick<MergePlace, 'lost' | 'means'>,
): XmlElement {
  return mergeElement(field, root, patch, { ...context, path: '', depth: 0, layout: layoutOf(root) });
}

function mergeElement(field: Field, element: XmlElement, patch: unknown, place: MergePlace): XmlElement {
  if (field.kind === 'object') return mergeObject(field, element, patch, place);
  if (field.kind === 'list') return mergeList(field, element, patch, place);
  if (place.means(field, patch, readXml(field, element, place.path, new Notes()))) return element;
  for (const child of listChildElements(element))
    place.lost.unknown(place.path, getLocalName(child), () => getElementText(child));
  return replaceChildren(element, respelled(field, element, patch, place.path));
}

/** A flag that the device spells 1 or 0 stays so spelled. */
function respelled(field: Field, element: XmlElement, value: unknown, path: string): readonly XmlNode[] {
  const before = getElementText(element).trim();
  if (field.kind === 'bool' && typeof value === 'boolean' && (before === '0' || before === '1'))
    return [{ kind: 'text', raw: value ? '1' : '0' }];
  return buildScalarContent(field, value, path);
}

function mergeObject(field: ObjectField, element: XmlElement, patch: unknown, place: MergePlace): XmlElement {
  if (!isPlain(patch)) throw createWrongTypeError(field, place.path);
  let children = element.children;
  field.fields.forEach((inner, index) => {
    const asked = getOwn(patch, inner.name);
    if (asked === undefined) return;
    const at: MergePlace = { ...place, path: joinPath(place.path, inner.name), depth: place.depth + 1 };
    const present = children.some(
      (child) => child.kind === 'element' && getLocalName(child) === getElementName(inner),
    );
    if (asked === null) children = present ? without(children, inner, at) : children;
    else if (!present) children = inserted(field, index, children, buildFieldNodes(inner, asked, at), place);
    else if (inner.kind === 'list' && inner.bare) children = mergeBareList(inner, children, asked, at);
    else children = mergePresent(inner, children, asked, at);
  });
  return children === element.children ? element : replaceChildren(element, children);
}

/** Sets every occurrence, unless the first, which counts on reading, already says so. */
function mergePresent(
  field: Field,
  children: readonly XmlNode[],
  asked: unknown,
  place: MergePlace,
): readonly XmlNode[] {
  let changed = false;
  let seen = 0;
  const next = children.map((child) => {
    if (child.kind !== 'element' || getLocalName(child) !== field.name) return child;
    seen += 1;
    if (seen > 1 && !changed) return child;
    const merged = mergeElement(field, child, asked, place);
    changed ||= merged !== child;
    return merged;
  });
  return changed ? next : children;
}

function mergeList(field: ListField, element: XmlElement, patch: unknown, place: MergePlace): XmlElement {
  const items = listChildElements(element, field.item.name);
  const inside = { ...place, depth: place.depth + 1 };
  const merged = mergeItems(field, items, patch, inside);
  if (merged === items) return element;
  const end = element.children.length === 0 ? buildIndent(place.layout, place.depth) : [];
  return replaceChildren(element, [...replaceItems(element.children, items, merged, inside), ...end]);
}

function mergeBareList(
  field: ListField,
  children: readonly XmlNode[],
  patch: unknown,
  place: MergePlace,
): readonly XmlNode[] {
  const items = listChildElements({ children }, field.item.name);
  const merged = mergeItems(field, items, patch, place);
  return merged === items ? children : replaceItems(children, items, merged, place);
}

/** An item that is there already keeps its element, with what is asked merged in; `items` itself where nothing changes. */
function mergeItems(
  field: ListField,
  items: readonly XmlElement[],
  wanted: unknown,
  place: MergePlace,
): readonly XmlElement[] {
  if (!Array.isArray(wanted)) throw createWrongTypeError(field, place.path);
  const at = (index: number): MergePlace => ({ ...place, path: `${place.path}[${index}]` });
  const matched = matchItems(
    field,
    items.map((item, index) => readXml(field.item, item, at(index).path, new Notes())),
    wanted,
  );
  const kept = new Set(matched.map(({ held }) => held));
  items.forEach((item, index) => {
    if (!kept.has(index)) readXml(field.item, item, at(index).path, place.lost);
  });
  const merged = matched.map(({ want, held }) => {
    const item = held === undefined ? undefined : items[held];
    return item === undefined
      ? buildXml(field.item, wanted[want], at(want))
      : mergeElement(field.item, item, wanted[want], at(want));
  });
  return merged.length === items.length && merged.every((item, index) => item === items[index])
    ? items
    : merged;
}

/** The children with `items` replaced by `merged`: one for one, then removed or added at the end. */
function replaceItems(
  children: readonly XmlNode[],
  items: readonly XmlElement[],
  merged: readonly XmlElement[],
  place: XmlPlace,
): XmlNode[] {
  const swap = new Map<XmlNode, XmlElement | undefined>(items.map((item, index) => [item, merged[index]]));
  const out: XmlNode[] = [];
  const last = items.at(-1);
  const extra = merged.slice(items.length);
  let lead: readonly XmlNode[] = buildIndent(place.layout, place.depth);
  for (const child of children) {
    if (!swap.has(child)) {
      out.push(child);
      continue;
    }
    if (trailingSpace(out.at(-1)) !== undefined) lead = leadOf(out.at(-1));
    const replacement = swap.get(child);
    if (replacement === undefined) dropTrailingSpace(out);
    else out.push(replacement);
    if (child === last) for (const item of extra) out.push(...lead, item);
  }
  if (last === undefined) {
    const white = trailingSpace(out.at(-1));
    dropTrailingSpace(out);
    for (const item of extra) out.push(...lead, item);
    if (white !== undefined) out.push(white);
  }
  return out;
}

/** Puts new nodes where the specification's order wants them among what is there. */
function inserted(
  parent: ObjectField,
  index: number,
  children: readonly XmlNode[],
  nodes: readonly XmlNode[],
  place: XmlPlace,
): readonly XmlNode[] {
  if (nodes.length === 0) return children;
  const names = parent.fields.map(getElementName);
  const elements = nodes.filter((node) => node.kind === 'element');
  const before = lastPredecessor(children, names.slice(0, index));
  const follower =
    before >= 0
      ? -1
      : children.findIndex((child) => child.kind === 'element' && names.includes(getLocalName(child)));
  if (follower >= 0) {
    // The white space before the follower serves the new element; the follower gets a copy.
    const lead = leadOf(children[follower - 1]);
    return children.toSpliced(follower, 0, ...elements.flatMap((node) => [node, ...lead]));
  }
  const after = before >= 0 ? before : children.findLastIndex((child) => child.kind === 'element');
  if (after >= 0) {
    const lead = leadOf(children[after - 1]);
    return children.toSpliced(after + 1, 0, ...elements.flatMap((node) => [...lead, node]));
  }
  const kept = children.slice();
  dropTrailingSpace(kept);
  return [...kept, ...nodes, ...buildIndent(place.layout, place.depth)];
}

/** Position after which a field belongs: the last element of the nearest field before it that is there. */
function lastPredecessor(children: readonly XmlNode[], names: readonly string[]): number {
  const rank = new Map(names.map((name, index) => [name, index]));
  let found = -1;
  let best = -1;
  children.forEach((child, index) => {
    const here = child.kind === 'element' ? (rank.get(getLocalName(child)) ?? -1) : -1;
    if (here >= best && here >= 0) [found, best] = [index, here];
  });
  return found;
}

/** Returns the text before new nodes: the white space of their neighbour, if it can be copied. */
function leadOf(node: XmlNode | undefined): readonly XmlText[] {
  const white = trailingSpace(node);
  return white === undefined ? [] : [repeatable(white)];
}

/** Returns the white space to repeat for each new element, limited to a plausible layout. */
function repeatable(white: XmlText): XmlText {
  return white.raw.length <= MOST_SPACE ? white : { kind: 'text', raw: white.raw.slice(-MOST_SPACE) };
}

/** Removes every element of the field, each with the white space before it. */
function without(children: readonly XmlNode[], field: Field, place: MergePlace): readonly XmlNode[] {
  const out: XmlNode[] = [];
  for (const child of children) {
    if (child.kind === 'element' && getLocalName(child) === getElementName(field)) {
      readXml(field.kind === 'list' && field.bare ? field.item : field, child, place.path, place.lost);
      dropTrailingSpace(out);
    } else out.push(child);
  }
  return out;
}

/** The white space at the end of a text node, from its last line end on. */
function trailingSpace(node: XmlNode | undefined): XmlText | undefined {
  if (node?.kind !== 'text') return undefined;
  const kept = node.raw.trimEnd();
  return kept.length === node.raw.length ? undefined : { kind: 'text', raw: node.raw.slice(kept.length) };
}

function dropTrailingSpace(nodes: XmlNode[]): void {
  const node = nodes.at(-1);
  if (node?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', raw: node.raw.trimEnd() };
}

/** How this document is laid out, from what precedes the root's first child. */
function layoutOf(root: XmlElement): Layout {
  const first = root.children[0];
  const white =
    first?.kind === 'text' && first.raw.length <= MOST_SPACE && first.raw.trim() === '' ? first.raw : '';
  const line = white.includes('\r\n') ? '\r\n' : white.includes('\n') ? '\n' : '';
  return { line, unit: white.slice(white.lastIndexOf('\n') + 1), prefix: prefixFor(root) };
}

/**
 * Returns the prefix of the elements in the root, which often have none although the root has one; a prefix
 * that only a child declares cannot be used for others.
 */
function prefixFor(root: XmlElement): string {
  const [child] = listChildElements(root);
  const prefix = child === undefined ? '' : getPrefix(child);
  const isKnown =
    prefix === ''
      ? child !== undefined
      : root.attributes.some(({ name }) => `${name}:` === `xmlns:${prefix}`);
  return isKnown ? prefix : getPrefix(root);
}
