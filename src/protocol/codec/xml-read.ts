/** XML trees to values. */
import { createDetail } from '#shared/details.ts';
import type { Field, ListField, ObjectField } from '../definition.ts';
import { joinPath } from '../fields/path.ts';
import type { Notes } from './notes.ts';
import { readScalar } from './scalar.ts';
import {
  findAttribute,
  listChildElements,
  getLocalName,
  getElementText,
  type XmlElement,
} from './xml-tree.ts';

/** The value of an element; undefined where it counts as absent. */
export function readXml(field: Field, element: XmlElement, path: string, notes: Notes): unknown {
  if (field.kind === 'object') return readObject(field, element, path, notes);
  if (field.kind === 'list') return readList(field, element, path, notes);
  if (element.children.some((child) => child.kind === 'element')) notes.about(path, 'read.elements');
  const text = getElementText(element);
  const { value, note } = readScalar(field, text);
  if (note !== undefined) notes.aboutLeaf(path, note, { text, isLimited: hasLimits(element) });
  return value;
}

const LIMITS = ['opt', 'min', 'max', 'def', 'size'];

function hasLimits(element: XmlElement): boolean {
  return LIMITS.some((name) => findAttribute(element, name) !== undefined);
}

function readObject(
  field: ObjectField,
  element: XmlElement,
  path: string,
  notes: Notes,
): Record<string, unknown> {
  const groups = groupByName(element);
  const out: Record<string, unknown> = {};
  for (const inner of field.fields) {
    const name = getElementName(inner);
    const found = groups.get(name);
    if (found === undefined) continue;
    groups.delete(name);
    const innerPath = joinPath(path, inner.name);
    if (inner.kind === 'list' && inner.bare) {
      out[inner.name] = readItems(inner, found, innerPath, notes);
      continue;
    }
    if (found.length > 1) notes.add(createDetail('read.repeated', { field: innerPath, count: found.length }));
    const value = readXml(inner, found[0], innerPath, notes);
    if (value !== undefined) out[inner.name] = value;
  }
  for (const [name, found] of groups) notes.unknown(path, name, () => plainGroup(found));
  return out;
}

/** Returns the element name of a field: the items of a bare list carry the item's name. */
export function getElementName(field: Field): string {
  return field.kind === 'list' && field.bare ? field.item.name : field.name;
}

function groupByName(element: XmlElement): Map<string, [XmlElement, ...XmlElement[]]> {
  const groups = new Map<string, [XmlElement, ...XmlElement[]]>();
  for (const child of element.children) {
    if (child.kind !== 'element') continue;
    const name = getLocalName(child);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [child]);
    else group.push(child);
  }
  return groups;
}

/**
 * Reads an element that no field describes: as its text, or as its child elements by name, with a list for
 * those of one name.
 */
function plainElement(element: XmlElement): unknown {
  const groups = groupByName(element);
  return groups.size === 0
    ? getElementText(element).trim()
    : Object.fromEntries([...groups].map(([name, found]) => [name, plainGroup(found)]));
}

function plainGroup(found: readonly XmlElement[]): unknown {
  const values = found.map(plainElement);
  return values.length === 1 ? values[0] : values;
}

function readList(field: ListField, element: XmlElement, path: string, notes: Notes): unknown[] {
  const items: XmlElement[] = [];
  for (const child of listChildElements(element)) {
    if (getLocalName(child) === field.item.name) items.push(child);
    else notes.unknown(path, getLocalName(child), () => plainElement(child));
  }
  return readItems(field, items, path, notes);
}

/** Every item has a place, also one whose value counts as absent: positions must not shift. */
function readItems(field: ListField, items: readonly XmlElement[], path: string, notes: Notes): unknown[] {
  return items.map((item, index) => readXml(field.item, item, `${path}[${index}]`, notes) ?? null);
}
