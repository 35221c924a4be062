/**
 * A patch laid over JSON text. Each function returns the text of one node: its own slice where
 * nothing changes, else the same pieces with the change in them.
 */
import type { Field, ListField, ObjectField } from '../definition.ts';
import { matchItems, type Means } from '../fulfils.ts';
import { joinPath } from '../fields/path.ts';
import { isPlain, getOwn } from '../value.ts';
import { readJson } from './json-read.ts';
import { listElements, listMembers, type JsonNode } from './json-text.ts';
import { buildJson, formatLeaf, type JsonLayout } from './json-write.ts';
import { Notes } from './notes.ts';
import { createWrongTypeError } from './scalar.ts';

/**
 * Characters of white space that is repeated for new nodes, and of a line that is searched for its indent.
 */
const MOST_SPACE = 200;
const LONGEST_LINE = 2_000;

/** One member or item with the white space around it, up to the comma or bracket. */
interface Piece {
  readonly lead: string;
  /** A member: `"name": value`; an item: the value. */
  readonly body: string;
  readonly tail: string;
}

interface MergePlace {
  /** Text of the whole document. */
  readonly text: string;
  readonly path: string;
  /** Hears of what the definition does not know and what goes all the same. */
  readonly lost: Notes;
  readonly means: Means;
}

/** The whole text with `patch` in the node; identical where nothing changes. */
export function mergeJson(
  field: ObjectField | ListField,
  node: JsonNode,
  patch: unknown,
  context: Omit<MergePlace, 'path'>,
): string {
  const merged = mergeNode(field, node, patch, { ...context, path: '' });
  const { text } = context;
  return text.slice(0, node.offset) + merged + text.slice(node.offset + node.length);
}

function sliceOf(text: string, node: JsonNode): string {
  return text.slice(node.offset, node.offset + node.length);
}

function mergeNode(field: Field, node: JsonNode, patch: unknown, place: MergePlace): string {
  const { text, path, means } = place;
  if (field.kind === 'object' && node.type === 'object') return mergeObject(field, node, patch, place);
  if (field.kind === 'list' && node.type === 'array') return mergeList(field, node, patch, place);
  const before = readJson(field, node, path, new Notes());
  if (before !== undefined && means(field, patch, before)) return sliceOf(text, node);
  if (field.kind === 'object' || field.kind === 'list' || field.kind === 'opaque')
    return buildJson(field, patch, path, layoutAt(text, node));
  return respelled(field, node, patch, path);
}

/** A device that sends numbers as text, or flags as numbers, gets them so back. */
function respelled(field: Field, node: JsonNode, value: unknown, path: string): string {
  const isDigit = node.type === 'number' || node.value === '0' || node.value === '1';
  const plain =
    field.kind === 'bool' && typeof value === 'boolean' && isDigit
      ? String(Number(value))
      : formatLeaf(field, value, path);
  return node.type === 'string' && typeof value !== 'string' ? JSON.stringify(plain) : plain;
}

function mergeObject(field: ObjectField, node: JsonNode, patch: unknown, place: MergePlace): string {
  const { text, path, lost } = place;
  if (!isPlain(patch)) throw createWrongTypeError(field, path);
  const held = listMembers(node);
  const pieces = piecesOf(
    text,
    node,
    held.map(({ key, value }) => ({ offset: key.offset, length: value.offset + value.length - key.offset })),
  );
  const names = held.map((member) => member.name);
  const layout = layoutAt(text, node);
  let changed = false;
  field.fields.forEach((inner, index) => {
    const asked = getOwn(patch, inner.name);
    if (asked === undefined) return;
    const at = { ...place, path: joinPath(path, inner.name) };
    const first = names.indexOf(inner.name);
    if (asked === null) {
      for (const { name, value } of held) if (name === inner.name) readJson(inner, value, at.path, lost);
      for (let position = names.length - 1; position >= 0; position -= 1) {
        if (names[position] !== inner.name) continue;
        removePiece(pieces, position);
        names.splice(position, 1);
        changed = true;
      }
    } else if (first < 0) {
      const position = placeFor(names, field.fields, index);
      const body = `${JSON.stringify(inner.name)}:${layout.space}${buildJson(inner, asked, at.path, inside(layout))}`;
      insertPiece(pieces, position, body, layout);
      names.splice(position, 0, inner.name);
      changed = true;
    } else {
      changed = setMember({ held, pieces, names, inner, asked, at }) || changed;
    }
  });
  return changed ? `{${joined(pieces)}}` : sliceOf(text, node);
}

/** Sets every occurrence, unless the first, which counts on reading, already says so. */
function setMember({
  held,
  pieces,
  names,
  inner,
  asked,
  at,
}: {
  readonly held: ReturnType<typeof listMembers>;
  readonly pieces: Piece[];
  readonly names: readonly string[];
  readonly inner: Field;
  readonly asked: unknown;
  readonly at: MergePlace;
}): boolean {
  const occurrences = held.filter((member) => member.name === inner.name);
  const places = names.flatMap((name, place) => (name === inner.name ? [place] : []));
  let changed = false;
  occurrences.forEach((member, nth) => {
    if (nth > 0 && !changed) return;
    const merged = mergeNode(inner, member.value, asked, at);
    const place = places[nth];
    const piece = place === undefined ? undefined : pieces[place];
    if (place === undefined || piece === undefined || merged === sliceOf(at.text, member.value)) return;
    pieces[place] = { ...piece, body: at.text.slice(member.key.offset, member.value.offset) + merged };
    changed = true;
  });
  return changed;
}

/** An item that is there already keeps its text, with what is asked merged in. */
function mergeList(field: ListField, node: JsonNode, patch: unknown, place: MergePlace): string {
  const { text, path, lost } = place;
  if (!Array.isArray(patch)) throw createWrongTypeError(field, path);
  const items = listElements(node);
  const layout = layoutAt(text, node);
  const pieces = piecesOf(text, node, items);
  const matched = matchItems(
    field,
    items.map((item, index) => readJson(field.item, item, `${path}[${index}]`, new Notes())),
    patch,
  );
  const kept = new Set(matched.map(({ held }) => held));
  items.forEach((item, index) => {
    if (!kept.has(index)) readJson(field.item, item, `${path}[${index}]`, lost);
  });
  const bodies = matched.map(({ want, held }) => {
    const at = `${path}[${want}]`;
    const item = held === undefined ? undefined : items[held];
    if (item !== undefined) return mergeNode(field.item, item, patch[want], { ...place, path: at });
    const [model] = items;
    return model === undefined || !isScalar(field.item)
      ? buildJson(field.item, patch[want], at, inside(layout))
      : respelled(field.item, model, patch[want], at);
  });
  if (bodies.length === pieces.length && bodies.every((body, index) => body === pieces[index]?.body))
    return sliceOf(text, node);
  while (pieces.length > bodies.length) removePiece(pieces, pieces.length - 1);
  bodies.forEach((body, index) => {
    const piece = pieces[index];
    if (piece === undefined) insertPiece(pieces, index, body, layout);
    else pieces[index] = { ...piece, body };
  });
  return `[${joined(pieces)}]`;
}

function isScalar({ kind }: Field): boolean {
  return kind !== 'object' && kind !== 'list' && kind !== 'opaque';
}

function piecesOf(
  text: string,
  node: JsonNode,
  spans: readonly { readonly offset: number; readonly length: number }[],
): Piece[] {
  let at = node.offset + 1;
  return spans.map((span, index) => {
    const end = span.offset + span.length;
    const next = spans[index + 1];
    const until = next === undefined ? node.offset + node.length - 1 : text.indexOf(',', end);
    const piece = {
      lead: text.slice(at, span.offset),
      body: text.slice(span.offset, end),
      tail: text.slice(end, until),
    };
    at = until + 1;
    return piece;
  });
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.lead + piece.body + piece.tail).join(',');
}

/** The white space before the closing bracket stays where it is when the last part goes or comes. */
function removePiece(pieces: Piece[], place: number): void {
  const [gone] = pieces.splice(place, 1);
  const last = pieces[pieces.length - 1];
  if (gone === undefined || last === undefined) return;
  if (place === pieces.length) pieces[place - 1] = { ...last, tail: gone.tail };
  else if (place === 0 && pieces[0] !== undefined) pieces[0] = { ...pieces[0], lead: gone.lead };
}

function insertPiece(pieces: Piece[], place: number, body: string, layout: JsonLayout): void {
  const first = pieces[0];
  const last = pieces[pieces.length - 1];
  if (first === undefined || last === undefined) {
    pieces.push({ lead: leadIn(layout), body, tail: layout.line });
    return;
  }
  const afterComma = repeatable(pieces[1]?.lead ?? (first.lead.includes('\n') ? first.lead : layout.space));
  if (place === pieces.length) {
    pieces[place - 1] = { ...last, tail: '' };
    pieces.push({ lead: afterComma, body, tail: last.tail });
  } else if (place === 0) {
    pieces[0] = { ...first, lead: afterComma };
    pieces.unshift({ lead: first.lead, body, tail: '' });
  } else {
    pieces.splice(place, 0, { lead: afterComma, body, tail: '' });
  }
}

function leadIn(layout: JsonLayout): string {
  return layout.line === '' ? '' : layout.line + layout.unit;
}

function inside(layout: JsonLayout): JsonLayout {
  return { ...layout, line: leadIn(layout) };
}

/** Returns the white space to repeat for each new part, limited to a plausible layout. */
function repeatable(lead: string): string {
  return lead.length <= MOST_SPACE ? lead : lead.slice(-MOST_SPACE);
}

/** Returns the position of a new member among existing ones, in the specification's order. */
function placeFor(names: readonly string[], fields: readonly Field[], index: number): number {
  for (let before = index - 1; before >= 0; before -= 1) {
    const place = names.lastIndexOf(fields[before]?.name ?? '');
    if (place >= 0) return place + 1;
  }
  const known = new Set(fields.slice(index + 1).map((field) => field.name));
  const place = names.findIndex((name) => known.has(name));
  return place < 0 ? names.length : place;
}

/** Line end, indentation and spacing at a node, taken from the text around and inside it. */
function layoutAt(text: string, node: JsonNode): JsonLayout {
  const whole = rootOf(node);
  const sample = text.slice(whole.offset, whole.offset + Math.min(whole.length, 2 * MOST_SPACE));
  const first = /^[{[](\r?\n)([ \t]*)(?![ \t])/.exec(sample);
  const space = /^[{[]\s*"(?:[^"\\]|\\.)*"\s*:( ?)/.exec(sample)?.[1] ?? '';
  if (first === null || (first[2] ?? '').length > MOST_SPACE) return { line: '', unit: '', space };
  const outer = lineIndent(text, whole.offset);
  const unit = (first[2] ?? '').slice(outer.length);
  return { line: (first[1] ?? '\n') + lineIndent(text, node.offset), unit, space };
}

function rootOf(node: JsonNode): JsonNode {
  let at = node;
  while (at.parent !== undefined) at = at.parent;
  return at;
}

/** Indentation of the line on which `offset` lies. */
function lineIndent(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - LONGEST_LINE), offset);
  const start = before.lastIndexOf('\n') + 1;
  const indent = start === 0 && offset > LONGEST_LINE ? '' : (/^[ \t]*/.exec(before.slice(start))?.[0] ?? '');
  return indent.length > MOST_SPACE ? '' : indent;
}
