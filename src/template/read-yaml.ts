/**
 * The one reader of YAML 1.2 core (and with it JSON): returns plain values and where they are. Values are counted again
 * after aliases were followed; custom tags, directives and keys that reach into an object's prototype are refused.
 */
import { LineCounter, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { appendIndex, appendKey } from '#protocol/fields/path.ts';
import { createDetail, isDetailId, type BareDetailId, type Detail } from '#shared/details.ts';
import { composeYaml, YamlTooLarge, type YamlBound } from './compose-yaml.ts';
import { PROTOTYPE_KEYS, TEMPLATE_LIMITS } from './limits.ts';
import { maskPlaceholders } from './placeholder.ts';

/** Line and column in the text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Reason why a text, or a value in it, is refused. */
export interface YamlProblem {
  readonly code: 'invalid-template' | 'input-too-large';
  readonly detail: Detail;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** The value alone is refused; the text can be read. */
  readonly isValue?: boolean;
}

/** Events for a caller while a text is read. */
interface YamlListener {
  key?(path: string, position: Position): void;
  value?(path: string, position: Position): void;
  /** Returns the value of a name or item with nothing behind it; `null` without this function. */
  empty?(path: string): unknown;
}

export interface YamlText {
  /** Root of the text; null if the text cannot be read. */
  readonly node: ParsedNode | null;
  readonly value: unknown;
  readonly problems: readonly YamlProblem[];
  /** The text has anchors or aliases. */
  readonly isLinked: boolean;
  positionOf(offset: number): Position;
}

const CORE_TAGS: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** Reads a text within the bounds of `TEMPLATE_LIMITS`. What is wrong with it is in `problems`. */
export function readYaml(text: string, listener: YamlListener = {}): YamlText {
  const { masked, unmask } = maskPlaceholders(text);
  const lines = new LineCounter();
  const problems: YamlProblem[] = [];
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const unread = { node: null, value: undefined, isLinked: false, problems, positionOf };
  const refuse = (detail: Detail, from: number, to = from): void => {
    problems.push({ code: 'invalid-template', path: '', detail, from, to: Math.min(to, text.length) });
  };

  try {
    const { documents, directives } = composeYaml(masked, { lines });
    for (const offset of directives) refuse(createDetail('yaml.directive'), offset);
    const [first, second] = documents;
    if (
      problems.length === 0 &&
      (first === undefined || (first.contents === null && first.errors.length === 0))
    )
      refuse(createDetail('yaml.empty'), 0);
    else if (second !== undefined) refuse(createDetail('yaml.second-document'), second.range[0]);
    else
      for (const { code, pos } of first?.errors ?? []) {
        const id = `yaml.${code}`;
        // The message is in words for people who do not usually write YAML.
        refuse(createDetail(isDetailId(id) ? (id as BareDetailId) : 'yaml.OTHER'), pos[0], pos[1]);
      }
    if (first === undefined || problems.length > 0) return unread;
    const reader = new Reader(listener, unmask, positionOf, problems);
    const value = reader.read(first.contents, '', 0, undefined);
    return { node: first.contents, value, problems, isLinked: reader.isLinked, positionOf };
  } catch (thrown) {
    if (!(thrown instanceof YamlTooLarge)) throw thrown;
    const detail = excess(thrown.bound, text.length);
    return { ...unread, problems: [{ code: 'input-too-large', path: '', detail, from: 0, to: 0 }] };
  }
}

/** Returns the sentence for a bound that a text of `count` characters exceeds. */
function excess(bound: YamlBound, count: number): Detail {
  switch (bound) {
    case 'characters':
      return createDetail('yaml.characters', { count, max: TEMPLATE_LIMITS.characters });
    case 'repeated':
      return createDetail('yaml.repeated', { max: TEMPLATE_LIMITS.characters });
    case 'tokens':
      return createDetail('yaml.parts');
    case 'depth':
      return createDetail('yaml.depth', { max: TEMPLATE_LIMITS.depth });
    case 'nodes':
      return createDetail('yaml.values', { max: TEMPLATE_LIMITS.nodes });
    case 'aliases':
      return createDetail('yaml.aliases', { max: TEMPLATE_LIMITS.aliases });
    case 'placeholders':
      return createDetail('yaml.placeholders', { max: TEMPLATE_LIMITS.placeholders });
  }
}

/** Walks the nodes of one document into plain values. */
class Reader {
  isLinked = false;
  readonly #listener: YamlListener;
  readonly #unmask: (text: string) => string;
  readonly #positionOf: (offset: number) => Position;
  readonly #problems: YamlProblem[];
  /** The latest of each name, as the document is read from its beginning. */
  readonly #anchors = new Map<string, ParsedNode>();
  #nodes = 0;
  #aliases = 0;
  #characters = 0;
  #placeholders = 0;
  readonly #refused = { values: 0, texts: 0 };

  constructor(
    listener: YamlListener,
    unmask: (text: string) => string,
    positionOf: (offset: number) => Position,
    problems: YamlProblem[],
  ) {
    this.#listener = listener;
    this.#unmask = unmask;
    this.#positionOf = positionOf;
    this.#problems = problems;
  }

  /** Reads a node. `alias` is the node that is replaced by it: positions below it are those of the alias. */
  read(node: ParsedNode | null, path: string, depth: number, alias: ParsedNode | undefined): unknown {
    this.#nodes += 1;
    if (this.#nodes > TEMPLATE_LIMITS.nodes) throw new YamlTooLarge('nodes');
    if (depth > TEMPLATE_LIMITS.depth) throw new YamlTooLarge('depth');
    if (node === null) return this.#empty(path);

    const place = alias ?? node;
    this.#listener.value?.(path, this.#positionOf(place.range[0]));
    if (isAlias(node)) {
      this.isLinked = true;
      this.#aliases += 1;
      if (this.#aliases > TEMPLATE_LIMITS.aliases) throw new YamlTooLarge('aliases');
      const target = this.#anchors.get(node.source);
      if (target !== undefined) return this.read(target, path, depth + 1, place);
      this.#refuse(path, createDetail('yaml.BAD_ALIAS'), node);
      return null;
    }
    if (node.anchor !== undefined) {
      this.isLinked = true;
      if (alias === undefined) this.#anchors.set(node.anchor, node);
    }
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag))
      this.#refuse(path, createDetail('yaml.tag', { tag: this.#unmask(node.tag) }), place, true);
    if (isMap(node)) return this.#map(node as YAMLMap.Parsed, path, depth, alias);
    if (isSeq(node))
      return (node.items as ParsedNode[]).map((item, index) =>
        this.read(item, appendIndex(path, index), depth + 1, alias),
      );
    if (node.value === null && node.source === '') return this.#empty(path);
    return this.#scalar(node.value, path, place);
  }

  #map(map: YAMLMap.Parsed, path: string, depth: number, alias: ParsedNode | undefined): unknown {
    const result: Record<string, unknown> = {};
    const firsts = new Map<string, ParsedNode>();
    for (const { key, value } of map.items) {
      const place = alias ?? key;
      const name = isScalar(key) ? this.#unmask(String(key.value)) : undefined;
      const inner = name === undefined ? path : appendKey(path, name);
      const first = name === undefined ? undefined : firsts.get(name);
      if (name === undefined) this.#refuse(path, createDetail('yaml.NON_STRING_KEY'), place);
      else if (inner.length > TEMPLATE_LIMITS.path)
        this.#refuse(path, createDetail('yaml.long-name'), place, true);
      else if (PROTOTYPE_KEYS.has(name))
        this.#refuse(inner, createDetail('yaml.forbidden-name', { name }), place);
      else if (first !== undefined) {
        const { line } = this.#positionOf((alias ?? first).range[0]);
        this.#refuse(inner, createDetail('yaml.twice', { name, line }), place);
      } else {
        firsts.set(name, key);
        this.#listener.key?.(inner, this.#positionOf(place.range[0]));
        result[name] = this.read(value, inner, depth + 1, alias);
      }
    }
    return result;
  }

  #empty(path: string): unknown {
    return this.#listener.empty === undefined ? null : this.#listener.empty(path);
  }

  #scalar(value: unknown, path: string, place: ParsedNode): unknown {
    if (typeof value === 'string') return this.#text(this.#unmask(value));
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#refuse(path, createDetail('yaml.infinite'), place, true);
    else if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      this.#refuse(path, createDetail('yaml.inexact'), place, true);
    else if (value !== null && typeof value !== 'number' && typeof value !== 'boolean')
      this.#refuse(path, createDetail('yaml.kind'), place, true);
    return value;
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > TEMPLATE_LIMITS.characters) throw new YamlTooLarge('repeated');
    for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) this.#placeholders += 1;
    if (this.#placeholders > TEMPLATE_LIMITS.placeholders) throw new YamlTooLarge('placeholders');
    return text;
  }

  #refuse(path: string, detail: Detail, { range }: ParsedNode, isValue = false): void {
    this.#refused[isValue ? 'values' : 'texts'] += 1;
    if (this.#refused[isValue ? 'values' : 'texts'] <= TEMPLATE_LIMITS.errors)
      this.#problems.push({ code: 'invalid-template', path, detail, from: range[0], to: range[1], isValue });
  }
}
