/**
 * The smallest change of a YAML text that gives it another value. What is not named by the change
 * keeps its spelling, its order and its comments. Changes are made one at a time (in the entries of a
 * list, one in each) and the text is read again after each, so no step relies on places that an earlier one has moved.
 */
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { isPlain, own, sameOpaque } from '#protocol/value.ts';
import { endOf, itemsOf, keyName, pairsOf, parsePiece, type Node, type Pair, type Piece } from './parse.ts';
import { isCollectionValue, isEmptyCollection, renderBlock, renderFlow, renderScalar } from './render.ts';

/** `insert` stands in place of the characters from `from` to `to`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Order in which the members of a map should stand; `path` leads to the map: `['value', 'TimeBlockList', 0]`. */
type OrderOf = (path: readonly (string | number)[]) => readonly string[] | undefined;

const MOST_STEPS = 2000;

/**
 * One edit that makes `select(text)` have the value `wanted`; undefined where the text cannot be
 * brought there step by step (the caller then says so instead of guessing).
 */
export function patchText(
  text: string,
  select: (piece: Piece) => Node | null | undefined,
  wanted: unknown,
  orderOf: OrderOf = () => undefined,
): Edit | undefined {
  let now = text;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const piece = parsePiece(now);
    const node = piece.problems.length > 0 ? undefined : select(piece);
    if (node === undefined || node === null) return undefined;
    const value = piece.valueOf(node);
    if (sameOpaque(value, wanted)) return wholeEdit(text, now);
    const edits = nextEdits({ piece, orderOf }, { kind: 'root', node }, value, wanted, []);
    if (edits === undefined) return undefined;
    const next = edits.reduceRight(
      (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
      now,
    );
    if (next === now) return undefined;
    now = next;
  }
  return undefined;
}

/** The one replacement that leads from a text to another. */
export function wholeEdit(before: string, after: string): Edit {
  let from = 0;
  const shorter = Math.min(before.length, after.length);
  while (from < shorter && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

interface Context {
  readonly piece: Piece;
  readonly orderOf: OrderOf;
}
/** Where a node hangs. */
type Spot =
  | { readonly kind: 'root'; readonly node: Node }
  | { readonly kind: 'pair'; readonly node: Node | null; readonly pair: Pair; readonly map: Node }
  | { readonly kind: 'item'; readonly node: Node; readonly seq: Node };

/** Edits of one step, in the order of the text. */
type Step = readonly Edit[] | undefined;
function only(edit: Edit | undefined): Step {
  return edit === undefined ? undefined : [edit];
}

function nextEdits(
  context: Context,
  spot: Spot,
  before: unknown,
  after: unknown,
  path: readonly (string | number)[],
): Step {
  const { node } = spot;
  if (isMap(node) && isPlain(before) && isPlain(after)) return editMap(context, spot, before, after, path);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after))
    return editSeq(context, spot, before, after, path);
  return only(replace(context, spot, after));
}

function editMap(
  context: Context,
  spot: Spot,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): Step {
  const node = spot.node as Node;
  const { piece } = context;
  for (const pair of pairsOf(node)) {
    const name = keyName(piece, pair);
    if (!Object.hasOwn(after, name))
      return only(
        isEmptyCollection(after) && spot.kind !== 'root'
          ? replace(context, spot, {})
          : removePair(context, node, pair),
      );
    const [was, will] = [own(before, name), own(after, name)];
    if (!sameOpaque(was, will))
      return nextEdits(context, { kind: 'pair', node: pair.value, pair, map: node }, was, will, [
        ...path,
        name,
      ]);
  }
  const added = Object.keys(after).find((name) => !Object.hasOwn(before, name));
  if (added === undefined) return undefined;
  if (pairsOf(node).length === 0) return only(replace(context, spot, { [added]: own(after, added) }));
  return only(insertPair(context, node, added, own(after, added), context.orderOf(path) ?? []));
}

function editSeq(
  context: Context,
  spot: Spot,
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly (string | number)[],
): Step {
  const node = spot.node as Node;
  let start = 0;
  while (start < before.length && start < after.length && sameOpaque(before[start], after[start])) start += 1;
  const items = itemsOf(node);
  if (before.length === after.length) {
    const edits = items.map((item, index) =>
      sameOpaque(before[index], after[index])
        ? []
        : nextEdits(context, { kind: 'item', node: item, seq: node }, before[index], after[index], [
            ...path,
            index,
          ]),
    );
    return edits.some((step) => step === undefined) ? undefined : edits.flatMap((step) => step ?? []);
  }
  if (after.length === 0 || before.length === 0) return only(replace(context, spot, after));
  if (after.length < before.length)
    return only(removeItem(context, node, start) ?? replace(context, spot, after));
  return only(insertItem(context, node, start, after[start]) ?? replace(context, spot, after));
}

/** Column of an offset, from 0. */
function columnAt(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}
/** Offset of the next line's first character. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
function isFlow(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}
/** JSON is YAML too, and stays JSON. */
function isJson({ piece }: Context, node: Node): boolean {
  const key = pairsOf(node)[0]?.key;
  return isFlow(node) && key !== undefined && isScalar(key) && piece.text[key.range[0]] === '"';
}

function replace(context: Context, spot: Spot, value: unknown): Edit | undefined {
  const { piece } = context;
  const { node } = spot;
  if (spot.kind === 'root')
    return {
      from: spot.node.range[0],
      to: endOf(piece, spot.node),
      insert: renderBlock(value, columnAt(piece.text, spot.node.range[0])),
    };
  const holder = spot.kind === 'pair' ? spot.map : spot.seq;
  if (isFlow(holder)) {
    if (node === null || emptyScalar(piece, node))
      return afterColon(context, spot, ` ${renderFlow(value, isJson(context, holder))}`);
    return {
      from: node.range[0],
      to: endOf(piece, node),
      insert: scalarText(piece, node, value, true) ?? renderFlow(value, isJson(context, holder)),
    };
  }
  if (spot.kind === 'item')
    return {
      from: spot.node.range[0],
      to: endOf(piece, spot.node),
      insert: isFlow(spot.node)
        ? renderFlow(value)
        : renderBlock(value, columnAt(piece.text, spot.node.range[0])),
    };
  const inPlace = node === null ? undefined : scalarText(piece, node, value, false);
  if (node !== null && inPlace !== undefined)
    return { from: node.range[0], to: endOf(piece, node), insert: inPlace };
  if (!isCollectionValue(value)) return afterColon(context, spot, ` ${renderScalar(value)}`.trimEnd());
  if (isEmptyCollection(value)) return afterColon(context, spot, Array.isArray(value) ? ' []' : ' {}');
  if (node !== null && isFlow(node) && !isEmptyCollection(piece.valueOf(node)))
    return { from: node.range[0], to: endOf(piece, node), insert: renderFlow(value) };
  const indent = columnAt(piece.text, spot.pair.key.range[0]) + 2;
  return afterColon(context, spot, `\n${' '.repeat(indent)}${renderBlock(value, indent)}`);
}

function emptyScalar(piece: Piece, node: Node): boolean {
  return isScalar(node) && endOf(piece, node) === node.range[0];
}

/** A simple value in place of a simple value, in the quotes the old one had; undefined where one of them is none. */
function scalarText(piece: Piece, node: Node, value: unknown, inFlow: boolean): string | undefined {
  if (isAlias(node) || !isScalar(node) || isCollectionValue(value) || emptyScalar(piece, node))
    return undefined;
  const first = piece.text[node.range[0]];
  if (first === '|' || first === '>') return undefined;
  const text = renderScalar(value);
  if (typeof value !== 'string' || text.startsWith('"') || text.startsWith("'")) return text;
  if (first === '"') return JSON.stringify(value);
  if (first === "'") return `'${value.replaceAll("'", "''")}'`;
  // Braces mean something inside braces; a variable that stood there bare may go on doing so.
  return inFlow && /[[\]{},]/.test(text) && !piece.text.startsWith('${', node.range[0])
    ? JSON.stringify(value)
    : text;
}

function colonAfter(piece: Piece, pair: Pair): number {
  return piece.text.indexOf(':', pair.key.range[1]);
}
/** Everything between the colon and the end of the value; a comment behind a simple value stays. */
function afterColon({ piece }: Context, spot: Spot, insert: string): Edit | undefined {
  if (spot.kind !== 'pair') return undefined;
  const colon = colonAfter(piece, spot.pair);
  if (colon < 0) return undefined;
  const end = spot.node === null ? colon + 1 : Math.max(colon + 1, endOf(piece, spot.node));
  return { from: colon + 1, to: end, insert };
}
function pairEnd(piece: Piece, pair: Pair): number {
  const after = colonAfter(piece, pair) + 1;
  return pair.value === null ? after : Math.max(after, endOf(piece, pair.value));
}

function removePair({ piece }: Context, map: Node, pair: Pair): Edit | undefined {
  const pairs = pairsOf(map);
  const at = pairs.indexOf(pair);
  const [next, previous] = [pairs[at + 1], pairs[at - 1]];
  const from = pair.key.range[0];
  if (isFlow(map)) {
    if (next !== undefined) return { from, to: next.key.range[0], insert: '' };
    if (previous !== undefined)
      return { from: pairEnd(piece, previous), to: pairEnd(piece, pair), insert: '' };
    return { from: map.range[0], to: map.range[1], insert: '{}' };
  }
  const line = lineStart(piece.text, from);
  const standsAlone = piece.text.slice(line, from).trim() === '';
  if (!standsAlone) return next === undefined ? undefined : { from, to: next.key.range[0], insert: '' };
  return { from: line, to: nextLine(piece.text, pairEnd(piece, pair)), insert: '' };
}

function insertPair(
  context: Context,
  map: Node,
  name: string,
  value: unknown,
  order: readonly string[],
): Edit | undefined {
  const { piece } = context;
  const pairs = pairsOf(map);
  const before = new Set(order.slice(0, Math.max(0, order.indexOf(name))));
  const previous = order.includes(name)
    ? pairs.findLast((pair) => before.has(keyName(piece, pair)))
    : pairs.at(-1);
  const [first] = pairs;
  if (first === undefined) return undefined;
  if (isFlow(map)) {
    const json = isJson(context, map);
    const text = `${json ? JSON.stringify(name) : renderScalar(name)}: ${renderFlow(value, json)}`;
    if (previous === undefined)
      return { from: first.key.range[0], to: first.key.range[0], insert: `${text}, ` };
    return { from: pairEnd(piece, previous), to: pairEnd(piece, previous), insert: `, ${text}` };
  }
  const indent = columnAt(piece.text, first.key.range[0]);
  const text = memberText(name, value, indent);
  if (previous === undefined)
    return { from: first.key.range[0], to: first.key.range[0], insert: `${text}\n${' '.repeat(indent)}` };
  return insertLine(piece.text, pairEnd(piece, previous), `${' '.repeat(indent)}${text}`);
}

/** `name: value` as the lines of a block map whose names stand in column `indent`. */
export function memberText(name: string, value: unknown, indent: number): string {
  if (!isCollectionValue(value)) return `${renderScalar(name)}: ${renderScalar(value)}`.trimEnd();
  const isShort =
    isEmptyCollection(value) || (Array.isArray(value) && value.every((item) => !isCollectionValue(item)));
  if (isShort) return `${renderScalar(name)}: ${renderFlow(value)}`;
  return `${renderScalar(name)}:\n${' '.repeat(indent + 2)}${renderBlock(value, indent + 2)}`;
}

/** A line of its own below the line of `offset`. */
function insertLine(text: string, offset: number, line: string): Edit {
  const at = nextLine(text, offset);
  const isOpen = at === text.length && text.length > 0 && !text.endsWith('\n');
  return { from: at, to: at, insert: isOpen ? `\n${line}` : `${line}\n` };
}

/** Offset of the dash in front of an item of a block list. */
function dashOf(piece: Piece, item: Node): number | undefined {
  const dash = piece.text.lastIndexOf('-', item.range[0] - 1);
  const line = dash < 0 ? -1 : lineStart(piece.text, dash);
  return dash < 0 || piece.text.slice(line, dash).trim() !== '' ? undefined : dash;
}

function removeItem({ piece }: Context, seq: Node, index: number): Edit | undefined {
  const items = itemsOf(seq);
  const item = items[index];
  if (item === undefined) return undefined;
  if (isFlow(seq)) {
    const [next, previous] = [items[index + 1], items[index - 1]];
    if (next !== undefined) return { from: item.range[0], to: next.range[0], insert: '' };
    return previous === undefined
      ? undefined
      : { from: endOf(piece, previous), to: endOf(piece, item), insert: '' };
  }
  const dash = dashOf(piece, item);
  return dash === undefined
    ? undefined
    : { from: lineStart(piece.text, dash), to: nextLine(piece.text, endOf(piece, item)), insert: '' };
}

function insertItem(context: Context, seq: Node, index: number, value: unknown): Edit | undefined {
  const { piece } = context;
  const items = itemsOf(seq);
  const [first] = items;
  const previous = items[index - 1];
  if (first === undefined) return undefined;
  if (isFlow(seq)) {
    const text = renderFlow(value, isJson(context, first));
    if (previous === undefined) return { from: first.range[0], to: first.range[0], insert: `${text}, ` };
    return { from: endOf(piece, previous), to: endOf(piece, previous), insert: `, ${text}` };
  }
  const dash = dashOf(piece, first);
  if (dash === undefined) return undefined;
  const indent = columnAt(piece.text, dash);
  const body = items.every((item) => isFlow(item)) ? renderFlow(value) : renderBlock(value, indent + 2);
  const line = `${' '.repeat(indent)}- ${body}`;
  if (previous === undefined)
    return { from: lineStart(piece.text, dash), to: lineStart(piece.text, dash), insert: `${line}\n` };
  return insertLine(piece.text, endOf(piece, previous), line);
}
