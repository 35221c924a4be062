/**
 * Edits of a YAML text through the library's own document. Comments, blank lines, anchors and the order of names stay, and
 * so does the spelling of every value that is not edited. Indentation and spaces that align lines are not kept.
 */
import {
  Pair,
  Scalar,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  visit,
  type CollectionTag,
  type Document,
  type Node,
  type ScalarTag,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isPlain, getOwn, isSameOpaque, type Plain } from '#protocol/value.ts';
import { composeYaml, YamlTooLarge } from './compose-yaml.ts';
import { maskPlaceholders, NOT_GIVEN } from './placeholder.ts';

type Path = readonly (string | number)[];
/** Returns the order in which the names of the map at `path` are written. */
export type OrderOf = (path: Path) => readonly string[] | undefined;

/** New items of lists and lists of simple values are written on one line up to this length. */
const ONE_LINE = 96;
/** Times and dates are quoted, because other readers of YAML take them for numbers. */
const LOOKS_LIKE_TIME = /^[\d:.+\-TZ]*[:\-T][\d:.+\-TZ]*$/;

/**
 * Returns the text with its root replaced by what `edit` returns. Undefined if the text cannot be read, or `edit` returns
 * undefined. Aliases may name anchors of another text.
 */
export function editYaml(
  text: string,
  edit: (root: Node, editor: YamlEditor) => Node | undefined,
): string | undefined {
  const isMarked = text.startsWith('\ufeff');
  const { masked, mask, unmask } = maskPlaceholders(isMarked ? text.slice(1) : text);
  const document = documentOf(masked);
  if (document?.contents == null) return undefined;
  const root = edit(document.contents, new YamlEditor(document, { mask, unmask }));
  if (root === undefined) return undefined;
  document.contents = root;
  const lines = isJson(document)
    ? jsonOf(document, masked)
    : document.toString({ lineWidth: 0, verifyAliasOrder: false, flowCollectionPadding: true });
  const ended = /\n\s*$/.test(text) ? lines : lines.replace(/\n$/, '');
  return (isMarked ? '\ufeff' : '') + unmask(text.includes('\r\n') ? ended.replaceAll('\n', '\r\n') : ended);
}

/** Returns the text with the value `after`, where it has the value `before`. */
export function changeYaml(
  text: string,
  before: unknown,
  after: unknown,
  orderOf: OrderOf = () => undefined,
): string | undefined {
  return editYaml(text, (root, editor) => editor.change(root, before, after, orderOf));
}

function documentOf(masked: string): Document | undefined {
  try {
    const { documents, directives } = composeYaml(masked, {
      keepSourceTokens: true,
      customTags: (tags) =>
        tags.map((tag) => (typeof tag === 'string' ? tag : asWritten(tag, masked))) as (
          CollectionTag | ScalarTag
        )[],
    });
    const [first, second] = documents;
    return directives.length > 0 || second !== undefined || (first?.errors.length ?? 0) > 0
      ? undefined
      : first;
  } catch (thrown) {
    if (thrown instanceof YamlTooLarge) return undefined;
    throw thrown;
  }
}

/** Returns a tag that writes what was read as it was spelled: scalars, and the space inside of brackets. */
function asWritten<T extends CollectionTag | ScalarTag>(tag: T, text: string): T {
  const stringify: ScalarTag['stringify'] = (item, context, ...more) => {
    const node = item as Node;
    if (isScalar(node)) {
      const written = writtenScalar(node, context.indent);
      if (written !== undefined) return written;
      return (tag as ScalarTag).stringify?.(item, context, ...more) ?? '';
    }
    const inside = node.range == null ? undefined : text[node.range[0] + 1];
    const isPadded = inside === undefined ? isMap(node) : /\s/.test(inside);
    return node.toString({ ...context, flowCollectionPadding: isPadded ? ' ' : '' }, ...more);
  };
  return { ...tag, stringify };
}

/** Returns how a scalar was spelled, with its lines behind `indent`; undefined for a new one, or if that does not say it all. */
function writtenScalar({ srcToken: token, comment }: Scalar, indent: string): string | undefined {
  if (token === undefined || !('source' in token)) return undefined;
  if (token.type !== 'block-scalar')
    return token.type.endsWith('scalar') ? token.source.replace(/\n[ \t]*(?=\S)/g, `\n${indent}`) : undefined;
  const header = token.props
    .map((prop) => ('source' in prop ? prop.source : ''))
    .join('')
    .trim();
  const [, first = ''] = /^\s*?\n?( +)\S/.exec(token.source) ?? [];
  if (!/^[>|]-?$/.test(header) || comment || indent === '') return undefined;
  const lines = token.source.trimEnd().split('\n');
  return [header, ...lines.map((line) => `${indent}${line.slice(first.length)}`.trimEnd())].join('\n');
}

/** Returns true for a document in braces whose texts and names are all in double quotes. */
function isJson({ contents }: Document): boolean {
  let strict = isCollection(contents) && contents.flow === true && contents.items.length > 0;
  visit(contents, (_key, node) => {
    if (isPair(node)) return;
    const { comment, commentBefore, anchor } = node as Scalar;
    if (isScalar(node) && typeof node.value === 'string' && node.type !== undefined)
      strict &&= node.type === Scalar.QUOTE_DOUBLE;
    strict &&= !isAlias(node) && !comment && !commentBefore && anchor === undefined;
  });
  return strict;
}

/** Writes JSON, numbers as they were spelled. */
function jsonOf(document: Document, text: string): string {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number' && node.source !== undefined) node.value = `\0${node.source}`;
      else if (node.value === null && node.source === '') node.value = NOT_GIVEN;
    },
  });
  const indent = /\n([ \t]+)/.exec(text)?.[1];
  return `${JSON.stringify(document.toJS(), null, indent).replace(/"\\u0000([^"]+)"/g, '$1')}\n`;
}

/** Makes and changes the nodes of one document. */
class YamlEditor {
  readonly #document: Document;
  readonly #texts: { mask(text: string): string; unmask(text: string): string };

  constructor(document: Document, texts: { mask(text: string): string; unmask(text: string): string }) {
    this.#document = document;
    this.#texts = texts;
  }

  pairNamed(node: unknown, name: string): Pair<Node, Node | null> | undefined {
    return isMap(node) ? pairsOf(node).find(({ key }) => this.#nameOf(key) === name) : undefined;
  }

  /** Returns the node with the value `after`: the same one where it can be changed, else a new one in its place. */
  change(node: Node | null, before: unknown, after: unknown, orderOf: OrderOf, path: Path = []): Node {
    if (node !== null && isSameOpaque(before, after)) return node;
    if (isMap(node) && isPlain(before) && isPlain(after))
      return this.#changeMap(node, before, after, orderOf, path);
    if (isSeq(node) && Array.isArray(before) && Array.isArray(after))
      return this.#changeSeq(node, before, after, orderOf, path);
    return this.#replace(node, after);
  }

  #changeMap(map: YAMLMap, before: Plain, after: Plain, orderOf: OrderOf, path: Path): Node {
    if (map.items.length === 0) map.flow = false;
    map.items = pairsOf(map).filter(({ key }) => Object.hasOwn(after, this.#nameOf(key)));
    const order = orderOf(path) ?? [];
    for (const [name, value] of Object.entries(after)) {
      const pair = this.pairNamed(map, name);
      if (pair !== undefined)
        pair.value = this.change(pair.value, getOwn(before, name), value, orderOf, [...path, name]);
      else {
        const earlier = order.slice(0, Math.max(0, order.indexOf(name)));
        const previous = pairsOf(map).findLastIndex(({ key }) => earlier.includes(this.#nameOf(key)));
        const at = order.includes(name) ? previous + 1 : map.items.length;
        map.items.splice(at, 0, new Pair(this.nodeOf(name), this.nodeOf(value)));
      }
    }
    return map;
  }

  #changeSeq(
    seq: YAMLSeq,
    before: readonly unknown[],
    after: readonly unknown[],
    orderOf: OrderOf,
    path: Path,
  ): Node {
    const items = seq.items as Node[];
    let start = 0;
    while (start < Math.min(before.length, after.length) && isSameOpaque(before[start], after[start]))
      start += 1;
    let end = 0;
    while (
      end < Math.min(before.length, after.length) - start &&
      isSameOpaque(before.at(-1 - end), after.at(-1 - end))
    )
      end += 1;
    if (before.length === after.length)
      seq.items = items.map((item, at) => this.change(item, before[at], after[at], orderOf, [...path, at]));
    else {
      if (items.length === 0) seq.flow = false;
      const like = items.every((item) => isCollection(item) && item.flow === true);
      items.splice(
        start,
        before.length - start - end,
        ...after.slice(start, after.length - end).map((value) => this.nodeOf(value, like)),
      );
    }
    return seq;
  }

  /** Puts a new node in place of another, with its comments, its anchor and the quotes of a text. */
  #replace(old: Node | null, value: unknown): Node {
    const made = this.nodeOf(value);
    if (old === null || isAlias(old)) return Object.assign(made, old === null ? {} : commentsOf(old));
    Object.assign(made, commentsOf(old));
    if (old.anchor !== undefined) made.anchor = old.anchor;
    if (isScalar(old) && isScalar(made) && typeof made.value === 'string' && made.value !== NOT_GIVEN) {
      const type = old.type ?? Scalar.PLAIN;
      if (type.startsWith('QUOTE') || (type.startsWith('BLOCK') && made.value.includes('\n')))
        made.type = type;
      // Braces mean something inside braces; a variable that was written there without quotes stays so.
      else if (this.#texts.unmask(old.source ?? '') !== old.source) made.value = this.#texts.mask(made.value);
    }
    if (isCollection(made) && made.comment != null) {
      made.commentBefore = made.comment;
      made.comment = null;
    }
    return made;
  }

  /** Returns a new node. `isItem`: of a list, on one line if it fits. */
  nodeOf(value: unknown, isItem = false): Node & { anchor?: string } {
    const made = this.#document.createNode(value, { aliasDuplicateObjects: false }) as Node;
    visit(made, (_key, node, path) => {
      if (isScalar(node) && node.value === NOT_GIVEN) [node.value, node.source] = [null, ''];
      else if (isScalar(node) && typeof node.value === 'string' && LOOKS_LIKE_TIME.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
      else if (isCollection(node)) {
        const fits = JSON.stringify(node.toJSON()).length <= ONE_LINE;
        const isInList = path.length === 0 ? isItem : isSeq(path.at(-1));
        const isSimple = isSeq(node) && node.items.every((item) => isScalar(item));
        if (node.items.length === 0 || (fits && (isSimple || (isMap(node) && isInList)))) node.flow = true;
      }
    });
    return made;
  }

  rename(pair: Pair<Node, Node | null>, name: string): void {
    pair.key = Object.assign(this.nodeOf(name), commentsOf(pair.key));
  }

  #nameOf(key: Node): string {
    return isScalar(key) ? this.#texts.unmask(String(key.value)) : '';
  }
}

function pairsOf(map: YAMLMap): Pair<Node, Node | null>[] {
  return map.items as Pair<Node, Node | null>[];
}
function commentsOf({ comment, commentBefore, spaceBefore }: Node): Partial<Node> {
  return { comment, commentBefore, spaceBefore } as Partial<Node>;
}

/** Returns true for a node with an anchor or an alias inside. */
export function hasLinks(node: Node): boolean {
  let found = false;
  visit(node, (_key, inner) => {
    if (isAlias(inner) || (!isPair(inner) && (inner as Scalar).anchor !== undefined)) found = true;
    return found ? visit.BREAK : undefined;
  });
  return found;
}

/** Orders the items of a list anew, with the comments above them; blank lines stay between the same numbers. */
export function arrange(seq: YAMLSeq, change: (items: Node[]) => Node[]): void {
  const items = seq.items as Node[];
  const [first] = items;
  if (first !== undefined && seq.commentBefore != null) {
    first.commentBefore = [seq.commentBefore, first.commentBefore].filter(Boolean).join('\n');
    seq.commentBefore = null;
  }
  const spaces = items.map((item) => item.spaceBefore === true);
  if (items.length === 0) seq.flow = false;
  seq.items = change([...items]);
  for (const [at, item] of (seq.items as Node[]).entries())
    item.spaceBefore = spaces[at] ?? (at > 0 && (spaces.at(-1) ?? false));
}
