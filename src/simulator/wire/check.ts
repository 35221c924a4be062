/**
 * Checks a body against the site's own table: the right root, every required element, every known element
 * within its limits. A strict device refuses more: another namespace or version than it shows itself,
 * elements out of order, unlisted names and attributes. It always takes its own document back: names,
 * attributes and an order in that document are never refused.
 *
 * "Only when" conditions do not make a device refuse: the specification says that such a field has no effect
 * then.
 */
import type { Body } from '../specification/bodies.ts';
import type { Shape } from '../specification/shape.ts';
import type { RefusalName } from '../status.ts';
import { checkJsonScalar, checkText, isObject, type Plain } from './scalar.ts';
import type { XmlNode } from './xml-reader.ts';

/** The first thing that is wrong. `detail` names the place and never repeats the value. */
export interface Complaint {
  readonly name: RefusalName;
  readonly detail: string;
}

/** Facts about the device that a strict check needs besides the table. */
interface Strictness<Held> {
  /** Namespace that the device shows; empty: none. */
  readonly namespace: string;
  /** The same document as the device holds it now, where it holds one. */
  readonly held: readonly Held[];
}

export function checkXmlBody(body: Body, root: XmlNode, strict?: Strictness<XmlNode>): Complaint | undefined {
  if (root.name !== body.root)
    return wrongXml(`The root element is ${root.name}, not ${body.root ?? 'what is expected'}.`);
  return (
    (strict && checkRoot(body, root, strict)) ?? checkXmlParts(body.shapes, root, '', strict && strict.held)
  );
}

function checkRoot(body: Body, root: XmlNode, { namespace, held }: Strictness<XmlNode>) {
  const [shown] = held;
  const expected = shown === undefined ? namespace : (namespaceOf(shown) ?? '');
  if ((namespaceOf(root) ?? '') !== expected)
    return complaint('namespaceMismatch', `The namespace of ${root.name} is not the one the device shows.`);
  const version = shown?.attributes.get('version') ?? body.version;
  if (root.attributes.get('version') !== version)
    return complaint('versionMismatch', `The version of ${root.name} is not ${version}.`);
  return undefined;
}

function namespaceOf({ prefix, attributes }: XmlNode): string | undefined {
  return attributes.get(prefix === '' ? 'xmlns' : `xmlns:${prefix}`);
}

/**
 * Checks elements. `held`: the same element in the document of the device, several in a list; undefined: not
 * strict.
 */
function checkXmlParts(
  shapes: readonly Shape[],
  node: XmlNode,
  path: string,
  held: readonly XmlNode[] | undefined,
): Complaint | undefined {
  const strange = held && findStrange(shapes, node, path, held);
  if (strange) return strange;
  for (const shape of shapes) {
    const where = `${path}${shape.name}`;
    const found = node.children.filter((child) => child.name === shape.name);
    if (found.length === 0 && shape.required && !shape.readOnly) return wrongXml(`${where} is missing.`);
    const count = checkCount(shape, found);
    if (count !== undefined) return wrongXml(`${where} ${count}.`);
    const below = held?.flatMap(({ children }) => children.filter(({ name }) => name === shape.name));
    for (const [index, element] of found.entries()) {
      const wrong = checkXmlElement(shape, element, shape.repeats ? `${where}[${index}]` : where, below);
      if (wrong) return wrong;
    }
  }
  return undefined;
}

function checkXmlElement(
  shape: Shape,
  element: XmlNode,
  where: string,
  held: readonly XmlNode[] | undefined,
): Complaint | undefined {
  if (shape.type === undefined) return checkXmlParts(shape.parts, element, `${where}.`, held);
  const strange = held && findAttribute(element, [], where, held);
  if (strange) return strange;
  if (element.children.length > 0) return wrongXml(`${where} holds elements instead of a value.`);
  // An optional empty element counts as not given.
  if (element.text.trim() === '' && !shape.required) return undefined;
  const wrong = checkText(shape.type, element.text);
  return wrong === undefined ? undefined : wrongXml(`${where} ${wrong}.`);
}

/** Finds what only a strict device minds about the names inside an element. */
function findStrange(
  shapes: readonly Shape[],
  node: XmlNode,
  path: string,
  held: readonly XmlNode[],
): Complaint | undefined {
  const isRoot = path === '';
  const listed = isRoot ? ['version', 'xmlns', `xmlns:${node.prefix}`] : [];
  if (shapes.some(({ repeats }) => repeats)) listed.push('size');
  const attribute = findAttribute(node, listed, isRoot ? node.name : path.slice(0, -1), held);
  if (attribute) return attribute;

  let before: Shape | undefined;
  const seen = new Set<string>();
  for (const child of node.children) {
    const where = `${path}${child.name}`;
    const shape = shapes.find(({ name }) => name === child.name);
    const own = held.flatMap(({ children }) => children.filter(({ name }) => name === child.name));
    if (own.length === 0) {
      if (shape === undefined) return complaint('unknownElement', `${where} is not listed.`);
      if (shape.readOnly) return complaint('readOnlyElement', `${where} is not written.`);
    }
    if (shape?.repeats === undefined && seen.has(child.name) && own.length <= held.length)
      return complaint('duplicateElement', `${where} stands there twice.`);
    seen.add(child.name);
    if (shape === undefined) continue;
    if (before && shapes.indexOf(before) > shapes.indexOf(shape) && !hasOrder(held, before, shape))
      return complaint('elementOrder', `${where} belongs before ${before.name}.`);
    before = shape;
  }
  return undefined;
}

function findAttribute(
  node: XmlNode,
  listed: readonly string[],
  where: string,
  held: readonly XmlNode[],
): Complaint | undefined {
  for (const name of node.attributes.keys())
    if (!listed.includes(name) && !held.some(({ attributes }) => attributes.has(name)))
      return complaint(
        /^xmlns(?::|$)/.test(name) ? 'namespaceMismatch' : 'unknownAttribute',
        `${where}: ${name} is not listed.`,
      );
  return undefined;
}

/** Returns true if the device itself shows these two in this order. */
function hasOrder(held: readonly XmlNode[], first: Shape, second: Shape): boolean {
  return held.some(({ children }) => {
    const at = children.findIndex(({ name }) => name === first.name);
    return at >= 0 && children.findLastIndex(({ name }) => name === second.name) > at;
  });
}

/** Returns the content of the root object, or the fault. */
export function checkJsonBody(
  body: Body,
  value: unknown,
  strict?: Pick<Strictness<Plain>, 'held'>,
): { readonly wrong: Complaint } | { readonly content: Plain } {
  if (!isObject(value)) return { wrong: wrongJson('The document is not an object.') };
  if (body.root === undefined) return judged(body, value, strict);
  const content = member(value, body.root);
  if (content === undefined) return { wrong: wrongJson(`The object ${body.root} is missing.`) };
  if (!isObject(content)) return { wrong: wrongJson(`${body.root} is not an object.`) };
  const beside = strict && Object.keys(value).find((name) => name !== body.root);
  if (beside !== undefined)
    return { wrong: complaint('unknownElement', 'A member beside the root is not listed.') };
  return judged(body, content, strict);
}

function judged(body: Body, content: Plain, strict: Pick<Strictness<Plain>, 'held'> | undefined) {
  const wrong = checkJsonParts(body.shapes, content, '', strict?.held);
  return wrong ? { wrong } : { content };
}

function checkJsonParts(
  shapes: readonly Shape[],
  bag: Plain,
  path: string,
  held: readonly Plain[] | undefined,
): Complaint | undefined {
  for (const name of held ? Object.keys(bag) : []) {
    if (held?.some((own) => Object.hasOwn(own, name))) continue;
    const shape = shapes.find((candidate) => candidate.name === name);
    if (shape === undefined) return complaint('unknownElement', `${path}${name.slice(0, 64)} is not listed.`);
    if (shape.readOnly) return complaint('readOnlyElement', `${path}${name} is not written.`);
  }
  for (const shape of shapes) {
    const value = member(bag, shape.name);
    const where = `${path}${shape.name}`;
    if (value === undefined) {
      if (shape.required && !shape.readOnly) return wrongJson(`${where} is missing.`);
      continue;
    }
    const below = held?.map((own) => member(own, shape.name)).flatMap((own) => own);
    const wrong = checkJsonMember(shape, value, where, below?.filter(isObject));
    if (wrong) return wrong;
  }
  return undefined;
}

function checkJsonMember(
  shape: Shape,
  value: unknown,
  where: string,
  held: readonly Plain[] | undefined,
): Complaint | undefined {
  if (shape.repeats === undefined) return checkJsonValue(shape, value, where, held);
  if (!Array.isArray(value)) return wrongJson(`${where} is not an array.`);
  const count = checkCount(shape, value);
  if (count !== undefined) return wrongJson(`${where} ${count}.`);
  for (const [index, item] of value.entries()) {
    const wrong = checkJsonValue(shape, item, `${where}[${index}]`, held);
    if (wrong) return wrong;
  }
  return undefined;
}

function checkJsonValue(
  shape: Shape,
  value: unknown,
  where: string,
  held: readonly Plain[] | undefined,
): Complaint | undefined {
  if (shape.type === undefined)
    return isObject(value)
      ? checkJsonParts(shape.parts, value, `${where}.`, held)
      : wrongJson(`${where} is not an object.`);
  const wrong = checkJsonScalar(shape.type, value);
  return wrong === undefined ? undefined : wrongJson(`${where} ${wrong}.`);
}

function checkCount({ repeats }: Shape, items: readonly unknown[]): string | undefined {
  if (repeats === undefined) return undefined;
  if (items.length < repeats.min) return `has fewer than ${repeats.min} items`;
  return items.length > repeats.max ? `has more than ${repeats.max} items` : undefined;
}

/** Returns an own member only: a body may name `__proto__`. */
function member(bag: Plain, name: string): unknown {
  return Object.hasOwn(bag, name) ? bag[name] : undefined;
}

function complaint(name: RefusalName, detail: string): Complaint {
  return { name, detail };
}

function wrongXml(detail: string): Complaint {
  return complaint('badXmlContent', detail);
}

function wrongJson(detail: string): Complaint {
  return complaint('badJsonContent', detail);
}
