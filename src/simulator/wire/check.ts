/**
 * What a device demands of a body: the right root, every required element, every known element
 * within its limits. Elements it does not know are none of its business and are kept.
 *
 * "Only when" conditions do not make a device refuse (the specification says such a field is without
 * effect then); they only waive that a conditional field is required.
 */
import type { Condition, Field, ListField, Payload } from '../../protocol/definition.ts';
import { checkJsonScalar, checkText, isObject, type Plain } from './scalar.ts';
import type { XmlNode } from './xml-reader.ts';

/** First complaint, as `path: what`; it never repeats the value. */
export type Complaint = string | undefined;

export function checkXmlBody(payload: Payload, root: XmlNode): Complaint {
  if (root.name !== payload.root)
    return `The root element is ${root.name}, not ${payload.root ?? 'what is expected'}.`;
  if (payload.rootItem) return checkXmlItems(root.children, payload.rootItem, payload.root);
  return checkXmlFields(payload.fields, root, [root], '');
}

function checkXmlFields(
  fields: readonly Field[],
  node: XmlNode,
  above: readonly XmlNode[],
  path: string,
): Complaint {
  for (const field of fields) {
    const complaint =
      field.kind === 'list' && field.bare
        ? checkXmlItems(
            node.children.filter((child) => child.name === field.item.name),
            field.item,
            `${path}${field.name}`,
            field,
            above,
          )
        : checkXmlField(
            field,
            node.children.filter((child) => child.name === field.name),
            above,
            path,
          );
    if (complaint) return complaint;
  }
  return undefined;
}

function checkXmlField(
  field: Field,
  found: readonly XmlNode[],
  above: readonly XmlNode[],
  path: string,
): Complaint {
  const where = `${path}${field.name}`;
  if (found.length === 0) {
    const demanded =
      field.required === true &&
      field.readOnly !== true &&
      (field.when ?? []).every((condition) => holdsInXml(condition, above));
    return demanded ? `${where} is missing.` : undefined;
  }
  for (const element of found) {
    const complaint = checkXmlElement(field, element, above, where);
    if (complaint) return complaint;
  }
  return undefined;
}

function checkXmlElement(
  field: Field,
  element: XmlNode,
  above: readonly XmlNode[],
  where: string,
): Complaint {
  if (field.kind === 'object') return checkXmlFields(field.fields, element, [...above, element], `${where}.`);
  if (field.kind === 'list')
    return checkXmlItems(
      element.children.filter((child) => child.name === field.item.name),
      field.item,
      where,
      field,
      above,
    );
  if (element.children.length > 0) return `${where} holds elements instead of a value.`;
  // an optional element left empty counts as not given
  if (element.text.trim() === '' && field.required !== true) return undefined;
  const complaint = checkText(field, element.text);
  return complaint && `${where} ${complaint}.`;
}

function checkXmlItems(
  items: readonly XmlNode[],
  item: Field,
  where: string,
  list?: ListField,
  above: readonly XmlNode[] = [],
): Complaint {
  if (list?.minItems !== undefined && items.length < list.minItems)
    return `${where} has fewer than ${list.minItems} items.`;
  if (list?.maxItems !== undefined && items.length > list.maxItems)
    return `${where} has more than ${list.maxItems} items.`;
  for (const [index, element] of items.entries()) {
    const complaint = checkXmlElement(item, element, above, `${where}[${index}]`);
    if (complaint) return complaint;
  }
  return undefined;
}

/** A condition looks from the payload's root, or with `^.` from the object that holds the field; each further `^.` is one object further out. */
function holdsInXml(condition: Condition, above: readonly XmlNode[]): boolean {
  if (condition.given !== undefined && !holdsInXml(condition.given, above)) return true;
  let node = holderFor(condition, above);
  for (const name of namesIn(condition)) node = node?.children.find((child) => child.name === name);
  // left empty it counts as not given
  const text = node?.text.trim() || condition.absentAs;
  return text !== undefined && condition.oneOf.some((value) => String(value) === String(text));
}

function holderFor<T>({ path }: Condition, above: readonly T[]): T | undefined {
  const outwards = path.split('^.').length - 1;
  return outwards === 0 ? above[0] : above.at(-outwards);
}

function namesIn({ path }: Condition): readonly string[] {
  return path.replaceAll('^.', '').split('.');
}

/** The content of the root object, or what is wrong. */
export function checkJsonBody(
  payload: Payload,
  value: unknown,
): { readonly complaint: Complaint; readonly content: unknown } {
  if (!isObject(value)) return { complaint: 'The document is not an object.', content: undefined };
  const content = payload.root === undefined ? value : member(value, payload.root);
  if (content === undefined) return { complaint: `The object ${payload.root} is missing.`, content };
  if (payload.rootItem) {
    const list: ListField = { kind: 'list', name: payload.root ?? 'list', label: '', item: payload.rootItem };
    return { complaint: checkJsonValue(list, content, [value], list.name), content };
  }
  if (!isObject(content))
    return { complaint: `${payload.root ?? 'The document'} is not an object.`, content };
  return { complaint: checkJsonFields(payload.fields, content, [content], ''), content };
}

function checkJsonFields(
  fields: readonly Field[],
  bag: Plain,
  above: readonly Plain[],
  path: string,
): Complaint {
  for (const field of fields) {
    const value = member(bag, field.name);
    const where = `${path}${field.name}`;
    if (value === undefined) {
      const demanded =
        field.required === true &&
        field.readOnly !== true &&
        (field.when ?? []).every((condition) => holdsInJson(condition, above));
      if (demanded) return `${where} is missing.`;
      continue;
    }
    const complaint = checkJsonValue(field, value, above, where);
    if (complaint) return complaint;
  }
  return undefined;
}

function checkJsonValue(field: Field, value: unknown, above: readonly Plain[], where: string): Complaint {
  if (field.kind === 'object') {
    return isObject(value)
      ? checkJsonFields(field.fields, value, [...above, value], `${where}.`)
      : `${where} is not an object.`;
  }
  if (field.kind === 'list') {
    if (!Array.isArray(value)) return `${where} is not an array.`;
    if (field.minItems !== undefined && value.length < field.minItems)
      return `${where} has fewer than ${field.minItems} items.`;
    if (field.maxItems !== undefined && value.length > field.maxItems)
      return `${where} has more than ${field.maxItems} items.`;
    for (const [index, item] of value.entries()) {
      const complaint = checkJsonValue(field.item, item, above, `${where}[${index}]`);
      if (complaint) return complaint;
    }
    return undefined;
  }
  const complaint = checkJsonScalar(field, value);
  return complaint && `${where} ${complaint}.`;
}

function holdsInJson(condition: Condition, above: readonly Plain[]): boolean {
  if (condition.given !== undefined && !holdsInJson(condition.given, above)) return true;
  let value: unknown = holderFor(condition, above);
  for (const name of namesIn(condition)) value = isObject(value) ? member(value, name) : undefined;
  const held = value ?? condition.absentAs;
  return held !== undefined && condition.oneOf.some((allowed) => allowed === held);
}

/** Own members only: a body may name `__proto__`. */
function member(bag: Plain, name: string): unknown {
  return Object.hasOwn(bag, name) ? bag[name] : undefined;
}
