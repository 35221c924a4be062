/** JSON trees to values. */
import { createDetail } from '#shared/details.ts';
import type { Field, ListField, ObjectField } from '../definition.ts';
import { joinPath } from '../fields/path.ts';
import { listElements, toPlainValue, type JsonNode } from './json-text.ts';
import { nameField, type Notes } from './notes.ts';
import { readScalar } from './scalar.ts';
import { computeOncePer } from '#shared/once.ts';

/** The value of a node; undefined where it counts as absent. */
export function readJson(field: Field, node: JsonNode, path: string, notes: Notes): unknown {
  if (node.type === 'null') {
    notes.about(path, 'read.null');
    return undefined;
  }
  if (field.kind === 'opaque') return toPlainValue(node);
  if (field.kind === 'object') {
    if (node.type === 'object') return readObject(field, node, path, notes);
    notes.aboutShape(path, 'read.no-object');
    return undefined;
  }
  if (field.kind === 'list') return readList(field, node, path, notes);
  if (node.type === 'object' || node.type === 'array') {
    if (!isLimits(node)) notes.aboutShape(path, 'read.no-single');
    return undefined;
  }
  return readLeaf(field, node, path, notes);
}

/** `{"@opt": …, "@min": …}`: a capability, which has no value. */
function isLimits(node: JsonNode): boolean {
  return (
    node.type === 'object' &&
    (node.children ?? []).some(({ children }) => String(children?.[0]?.value).startsWith('@'))
  );
}

function readObject(field: ObjectField, node: JsonNode, path: string, notes: Notes): Record<string, unknown> {
  const found = new Array<JsonNode | undefined>(field.fields.length);
  let next = 0;
  for (const { children } of node.children ?? []) {
    const value = children?.[1];
    if (value === undefined) continue;
    const name = String(children?.[0]?.value);
    // Most devices keep the specification's order.
    const position = field.fields[next]?.name === name ? next : positionsOf(field.fields).get(name);
    if (position !== undefined) next = position + 1;
    if (position === undefined) notes.unknown(path, name, () => toPlainValue(value));
    else if (found[position] !== undefined) notes.about(joinPath(path, name), 'read.again');
    else found[position] = value;
  }
  const out: Record<string, unknown> = {};
  field.fields.forEach((inner, position) => {
    const held = found[position];
    const value = held === undefined ? undefined : readJson(inner, held, joinPath(path, inner.name), notes);
    if (value !== undefined) out[inner.name] = value;
  });
  return out;
}

/** Definitions do not change, and lists read one of them many times. */
const positionsOf = computeOncePer(
  (fields: readonly Field[]): ReadonlyMap<string, number> =>
    new Map(fields.map((field, position) => [field.name, position])),
);

function readList(field: ListField, node: JsonNode, path: string, notes: Notes): unknown[] | undefined {
  if (node.type !== 'array') {
    if (isLimits(node)) return undefined;
    notes.aboutShape(path, 'read.list-of-one');
    return [readJson(field.item, node, `${path}[0]`, notes) ?? null];
  }
  return listElements(node).map(
    (item, index) => readJson(field.item, item, `${path}[${index}]`, notes) ?? null,
  );
}

/** Names of the types of values. */
const TYPES = { string: 'text', number: 'a number', boolean: 'true or false' } as const;

function readLeaf(field: Field, node: JsonNode, path: string, notes: Notes): unknown {
  const raw = node.value as string | number | boolean;
  const { value, note } = readScalar(field, String(raw));
  if (typeof raw === 'boolean' && !expectsText(field)) {
    if (field.kind !== 'bool') notes.aboutShape(path, 'read.boolean');
    return raw;
  }
  if (note !== undefined) notes.aboutLeaf(path, note, { text: String(raw), isLimited: false });
  else if ((node.type === 'string' || expectsText(field)) && typeof value !== node.type)
    notes.aboutShape(
      path,
      createDetail('read.type', { field: nameField(path), type: TYPES[node.type as keyof typeof TYPES] }),
    );
  return value;
}

function expectsText(field: Field): boolean {
  return field.kind !== 'int' && field.kind !== 'float' && field.kind !== 'bool' && field.kind !== 'choice';
}
