/**
 * Keeps JSON as its text plus a tree of positions, so that unchanged numbers, key order, repeated keys and
 * white space stay as the device wrote them.
 */
import { parseTree, type Node } from 'jsonc-parser';
import { say } from '#shared/details.ts';
import { countJson, readOwnJson } from '#shared/read-json.ts';
import { rememberLatest } from './latest.ts';
import type { Limits } from './limits.ts';
import { createMalformedError, sniff, createTooLargeError, createWrongKindError } from './problems.ts';

/** One value with its position in the text; `children` of an object are properties (key, value). */
export interface JsonNode extends Readonly<Pick<Node, 'type' | 'offset' | 'length'>> {
  /** Value of a single node. A number too large for this computer stays the text that the device wrote. */
  readonly value?: unknown;
  readonly parent?: JsonNode;
  readonly children?: readonly JsonNode[];
}
interface JsonMember {
  readonly key: JsonNode;
  readonly name: string;
  readonly value: JsonNode;
}

/** Reads strict JSON (RFC 8259); throws `malformed-answer` or `answer-too-large`. */
export function parseJson(text: string, limits: Limits): JsonNode {
  return readLately(text, limits);
}

const readLately = rememberLatest(readWhole);

function readWhole(text: string, limits: Limits): JsonNode {
  const kind = sniff(text);
  if (text.length <= limits.bytes && kind !== 'json') throw createWrongKindError(kind, 'JSON');
  const excess = countJson(text, limits);
  if (excess === 'cut') throw createMalformedError(say('json-cut'));
  if (excess !== undefined) throw createTooLargeError(excess.bound, excess.limit);
  // A byte order mark is no JSON white space, yet devices send it; a space keeps all positions.
  const body = text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  try {
    readOwnJson(body);
  } catch {
    // The engine's own message quotes the document.
    throw createMalformedError(say('json-broken'));
  }
  const tree = parseTree(body) as JsonNode;
  if (LARGE_NUMBER.test(body)) keepLargeNumbers(tree, body);
  return tree;
}

/** Text without a match has no number beyond the range of this computer (1.8e308). */
const LARGE_NUMBER = /\d[eE]|\d{309}/;

function keepLargeNumbers(node: JsonNode, text: string): void {
  if (node.type === 'number' && !Number.isFinite(node.value))
    (node as { value: unknown }).value = text.slice(node.offset, node.offset + node.length);
  node.children?.forEach((child) => keepLargeNumbers(child, text));
}

/** Calls back for each member of an object in document order, repeated names included. */
export function visitMembers(
  node: JsonNode,
  visit: (name: string, value: JsonNode, key: JsonNode) => void,
): void {
  if (node.type !== 'object' || node.children === undefined) return;
  for (const { children } of node.children) {
    const key = children?.[0];
    const value = children?.[1];
    if (key !== undefined && value !== undefined) visit(String(key.value), value, key);
  }
}

/** The members of an object as a list. */
export function listMembers(node: JsonNode): JsonMember[] {
  const found: JsonMember[] = [];
  visitMembers(node, (name, value, key) => found.push({ key, name, value }));
  return found;
}

export function listElements(node: JsonNode): readonly JsonNode[] {
  return node.type === 'array' ? (node.children ?? []) : [];
}

/** The plain value of a node; a key named `__proto__` becomes an ordinary own property. */
export function toPlainValue(node: JsonNode): unknown {
  if (node.type === 'array') return listElements(node).map(toPlainValue);
  if (node.type !== 'object') return node.value as unknown;
  const out: Record<string, unknown> = {};
  for (const { name, value } of listMembers(node)) {
    if (Object.hasOwn(out, name)) continue;
    Object.defineProperty(out, name, {
      value: toPlainValue(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return out;
}
