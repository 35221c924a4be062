/**
 * Capability documents of both dialects as one flat map. XML repeats the payload's elements with the
 * attributes `opt`, `min`, `max`, `def`, `size`; JSON has objects with `@opt`, `@min`, … or bare
 * values such as `"true,false"`, `0`, `1`.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Field, Payload } from '../definition.ts';
import { decode, type WireDocument } from '../codec/document.ts';
import { visitMembers, listElements, listMembers, type JsonNode } from '../codec/json-text.ts';
import {
  findAttribute,
  listChildElements,
  getLocalName,
  getElementText,
  type XmlElement,
} from '../codec/xml-tree.ts';
import { joinPath } from '../fields/path.ts';
import { rootField } from '../fields/field-at.ts';
import type { Constraint, Constraints } from './types.ts';

/** Far more than the specification knows of any document; what a device reports beyond is not looked at. */
const MOST = { fields: 2_000, path: 300, options: 1_000, optionsText: 32 * 1024 };

/** Reads a capability document; throws like `decode`. Nodes that the definition does not know are in it too. */
export function readConstraints(payload: Payload, text: string): Constraints {
  return collectConstraints(payload, decode(payload, text).document);
}

/** The same from a document that was read already. */
export function collectConstraints(payload: Payload, document: WireDocument): Constraints {
  const found = new Map<string, Constraint>();
  if (document.format === 'xml') walkXml(document.xml.root, '', listsOf(payload), found);
  else {
    const named = listMembers(document.tree).find((member) => member.name === payload.root);
    walkJson(named?.value ?? document.tree, '', found);
  }
  return found;
}

/** The XML lists of a definition. */
interface Lists {
  /** Path of a wrapper to the name of its items. */
  readonly wrapped: Map<string, string>;
  /** Path of an element that is an item without a wrapper to the path of the item. */
  readonly bare: Map<string, string>;
}

function listsOf(payload: Payload): Lists {
  const lists: Lists = { wrapped: new Map(), bare: new Map() };
  const visit = (field: Field, path: string, holder: string): void => {
    if (field.kind === 'object')
      for (const inner of field.fields) visit(inner, joinPath(path, inner.name), path);
    if (field.kind !== 'list') return;
    if (field.bare) lists.bare.set(joinPath(holder, field.item.name), `${path}[]`);
    else lists.wrapped.set(path, field.item.name);
    visit(field.item, `${path}[]`, path);
  };
  visit(rootField(payload), '', '');
  return lists;
}

function walkXml(element: XmlElement, path: string, lists: Lists, found: Map<string, Constraint>): void {
  const item = lists.wrapped.get(path);
  for (const child of listChildElements(element)) {
    const name = getLocalName(child);
    const named = joinPath(path, name);
    const at = item === name ? `${path}[]` : (lists.bare.get(named) ?? named);
    if (isBeyond(at, found)) continue;
    if (!found.has(at)) found.set(at, xmlConstraint(child));
    walkXml(child, at, lists, found);
  }
}

/** Known ones are met again in every item of a list. */
function isBeyond(path: string, found: Map<string, Constraint>): boolean {
  return path.length > MOST.path || (found.size >= MOST.fields && !found.has(path));
}

function xmlConstraint(element: XmlElement): Constraint {
  const text = listChildElements(element).length === 0 ? getElementText(element).trim() : '';
  const opt = findAttribute(element, 'opt');
  return constraint({
    text: text || undefined,
    options: opt === undefined ? undefined : tokens(opt),
    min: findAttribute(element, 'min'),
    max: findAttribute(element, 'max'),
    def: findAttribute(element, 'def'),
    size: findAttribute(element, 'size'),
  });
}

function walkJson(node: JsonNode, path: string, found: Map<string, Constraint>): void {
  if (node.type === 'array') {
    for (const item of listElements(node)) walkJson(item, `${path}[]`, found);
    return;
  }
  visitMembers(node, (name, value) => {
    if (name.startsWith('@')) return;
    const at = joinPath(path, name);
    if (isBeyond(at, found)) return;
    if (!found.has(at)) found.set(at, jsonConstraint(value));
    walkJson(value, at, found);
  });
}

function jsonConstraint(node: JsonNode): Constraint {
  if (node.type === 'object') {
    const held = new Map(listMembers(node).map((member) => [member.name, member.value]));
    const opt = held.get('@opt');
    return constraint({
      options:
        opt === undefined
          ? undefined
          : opt.type === 'array'
            ? asOptions(listElements(opt).map(plainText))
            : tokens(plainText(opt)),
      min: textAt(held.get('@min')),
      max: textAt(held.get('@max')),
      def: textAt(held.get('@def')),
      size: textAt(held.get('@size')),
    });
  }
  if (node.type === 'array' || node.type === 'null') return { state: 'reported' };
  const text = plainText(node);
  const options = tokens(text);
  return constraint({
    text,
    options: options !== undefined && options.length > 1 ? options : undefined,
  });
}

function plainText(node: JsonNode): string {
  return node.type === 'object' || node.type === 'array' ? '' : String(node.value);
}

/** A default may be a list too: `"@def": ["center"]`. */
function textAt(node: JsonNode | undefined): string | undefined {
  if (node === undefined || node.type === 'null') return undefined;
  return node.type === 'array' ? listElements(node).map(plainText).join(',') : plainText(node);
}

function tokens(list: string): readonly string[] | undefined {
  return list.length > MOST.optionsText
    ? undefined
    : asOptions(
        list
          .split(',')
          .map((token) => token.trim())
          .filter((token) => token !== ''),
      );
}

/** Ignores lists that are empty or too long to choose from: as limits they would refuse what is allowed. */
function asOptions(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 || list.length > MOST.options ? undefined : list;
}

interface Raw {
  readonly text?: string | undefined;
  readonly options?: readonly string[] | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly def?: string | undefined;
  readonly size?: string | undefined;
}

function constraint(raw: Raw): Constraint {
  return removeUndefined({
    ...raw,
    state: stateOf(raw),
    min: numberIn(raw.min),
    max: numberIn(raw.max),
    size: numberIn(raw.size),
  });
}

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A flag is what its value says, else what its options allow: `true` where true is among them. */
function stateOf(raw: Raw): Constraint['state'] {
  const value = truth(raw.text);
  if (value !== undefined) return value;
  const options = (raw.options ?? []).map(truth);
  if (options.length === 0 || options.includes(undefined)) return 'reported';
  return options.includes('true') ? 'true' : 'false';
}

function truth(text: string | undefined): 'true' | 'false' | undefined {
  const word = text?.toLowerCase();
  if (word === 'true' || word === '1') return 'true';
  return word === 'false' || word === '0' ? 'false' : undefined;
}
