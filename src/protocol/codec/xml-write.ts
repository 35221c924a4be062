/** Values to new XML elements, in the specification's order. */
import type { Field, ListField, ObjectField } from '../definition.ts';
import { joinPath } from '../fields/path.ts';
import { isPlain, getOwn } from '../value.ts';
import { escapeText } from './escape.ts';
import { writeScalar, createWrongTypeError } from './scalar.ts';
import type { XmlElement, XmlNode } from './xml-tree.ts';

/** How a document is laid out. */
export interface Layout {
  /** Line end between elements; empty where the document has none. */
  readonly line: string;
  /** Indentation of one level. */
  readonly unit: string;
  /** Namespace prefix with its colon, or nothing. */
  readonly prefix: string;
}
export interface XmlPlace {
  readonly path: string;
  /** Depth of the element; the root has 0. */
  readonly depth: number;
  readonly layout: Layout;
}

/** A new element for `value`. Throws `wrong-type` or `not-allowed`. */
export function buildXml(field: Field, value: unknown, at: XmlPlace): XmlElement {
  const name = at.layout.prefix + field.name;
  const content = contentOf(field, value, at);
  if (content.length === 0)
    return { kind: 'element', name, attributes: [], open: `<${name}/>`, close: '', children: [] };
  const closing = content[content.length - 1]?.kind === 'element' ? buildIndent(at.layout, at.depth) : [];
  return {
    kind: 'element',
    name,
    attributes: [],
    open: `<${name}>`,
    close: `</${name}>`,
    children: [...content, ...closing],
  };
}

function contentOf(field: Field, value: unknown, at: XmlPlace): readonly XmlNode[] {
  if (field.kind === 'object') return objectContent(field, value, at);
  if (field.kind === 'list') return itemNodes(field, value, { ...at, depth: at.depth + 1 });
  return buildScalarContent(field, value, at.path);
}

function objectContent(field: ObjectField, value: unknown, at: XmlPlace): readonly XmlNode[] {
  if (!isPlain(value)) throw createWrongTypeError(field, at.path);
  return field.fields.flatMap((inner) =>
    buildFieldNodes(inner, getOwn(value, inner.name), {
      ...at,
      path: joinPath(at.path, inner.name),
      depth: at.depth + 1,
    }),
  );
}

/** Every item after its white space; `at` is the place of the items. */
function itemNodes(field: ListField, value: unknown, at: XmlPlace): readonly XmlNode[] {
  if (!Array.isArray(value)) throw createWrongTypeError(field, at.path);
  return value.flatMap((item: unknown, index) => [
    ...buildIndent(at.layout, at.depth),
    buildXml(field.item, item, { ...at, path: `${at.path}[${index}]` }),
  ]);
}

/** Builds the nodes for one field of an object, each element after its white space. */
export function buildFieldNodes(field: Field, value: unknown, at: XmlPlace): readonly XmlNode[] {
  if (value === undefined || value === null) return [];
  return field.kind === 'list' && field.bare
    ? itemNodes(field, value, at)
    : [...buildIndent(at.layout, at.depth), buildXml(field, value, at)];
}

/** White space before an element of that depth. */
export function buildIndent(layout: Layout, depth: number): readonly XmlNode[] {
  return layout.line === '' ? [] : [{ kind: 'text', raw: layout.line + layout.unit.repeat(depth) }];
}

export function buildScalarContent(field: Field, value: unknown, path: string): readonly XmlNode[] {
  const text = escapeText(writeScalar(field, value, path), path);
  return text === '' ? [] : [{ kind: 'text', raw: text }];
}

/** The element with other content; start tag and attributes stay as they were sent. */
export function replaceChildren(element: XmlElement, children: readonly XmlNode[]): XmlElement {
  if (children.length === 0 || element.close !== '') return { ...element, children };
  const open = `${element.open.slice(0, -2).trimEnd()}>`;
  return { ...element, open, close: `</${element.name}>`, children };
}
