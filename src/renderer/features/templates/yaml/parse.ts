/**
 * A piece of YAML to nodes that know their place in the text. Bounded like the engine's reader,
 * because a text may come from anywhere and is parsed on the page's own thread.
 */
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { composeYaml, YamlTooLarge } from '#shared/template/compose-yaml.ts';
import { maskPlaceholders } from '#shared/text/placeholder.ts';
import { PROTOTYPE_KEYS, TEMPLATE_LIMITS } from '#shared/template/limits.ts';
import { NOT_GIVEN } from '#renderer/common/forms/templates/template-form.ts';

export type Node = ParsedNode;
export type Pair = { readonly key: Node; readonly value: Node | null };

/** Why a text cannot be read; `code` is YAML's own, or one of ours. Offsets count in the piece. */
export interface SyntaxProblem {
  readonly code: string;
  readonly from: number;
  readonly to: number;
}

export interface Piece {
  readonly text: string;
  readonly node: Node | null;
  /** Plain values of the whole piece, aliases followed. */
  readonly value: unknown;
  readonly problems: readonly SyntaxProblem[];
  /** Anchors or aliases inside: the piece cannot be read on its own. */
  readonly isLinked: boolean;
  /** The value of any node inside. */
  valueOf(node: Node | null): unknown;
  unmask(text: string): string;
}

export function parsePiece(text: string): Piece {
  const { masked, unmask } = maskPlaceholders(text);
  const problems: SyntaxProblem[] = [];
  const empty = { text, node: null, value: undefined, isLinked: false, valueOf: () => undefined, unmask };
  try {
    const { documents, directives } = composeYaml(masked);
    for (const from of directives) problems.push({ code: 'DIRECTIVE', from, to: from });
    const [document, second] = documents;
    if (second !== undefined)
      problems.push({ code: 'SECOND_DOCUMENT', from: second.range[0], to: second.range[0] });
    for (const { code, pos } of document?.errors ?? [])
      problems.push({ code, from: pos[0], to: Math.min(pos[1], text.length) });
    if (document === undefined || problems.length > 0) return { ...empty, problems };
    const targets = targetsOf(document.contents);
    const reader = new Reader(targets, unmask, problems);
    const value = reader.read(document.contents, 0);
    return {
      text,
      node: document.contents,
      value,
      problems,
      isLinked: reader.isLinked,
      valueOf: (node) => new Reader(targets, unmask, []).read(node, 0),
      unmask,
    };
  } catch (thrown) {
    if (!(thrown instanceof YamlTooLarge)) throw thrown;
    return { ...empty, problems: [{ code: 'TOO_LARGE', from: 0, to: 0 }] };
  }
}

/** What each alias stands for: the latest anchor of that name before it. Once for all, because the library searches the whole document for each. */
function targetsOf(root: Node | null): ReadonlyMap<Node, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  const open: (Node | null)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === null) continue;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      continue;
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    // In the order of the text: the last one is taken first.
    for (const item of itemsOf(node).toReversed()) open.push(item);
    for (const { key, value } of pairsOf(node).toReversed()) open.push(value, key);
  }
  return targets;
}

class Reader {
  isLinked = false;
  readonly #targets: ReadonlyMap<Node, Node>;
  readonly #unmask: (text: string) => string;
  readonly #problems: SyntaxProblem[];
  #nodes = 0;
  #aliases = 0;

  constructor(targets: ReadonlyMap<Node, Node>, unmask: (text: string) => string, problems: SyntaxProblem[]) {
    this.#targets = targets;
    this.#unmask = unmask;
    this.#problems = problems;
  }

  /** `isValue`: inside the value of a section, where a name with nothing behind it waits for a value and `null` removes a setting. */
  read(node: Node | null, depth: number, isValue = false): unknown {
    this.#nodes += 1;
    if (this.#nodes > TEMPLATE_LIMITS.nodes) throw new YamlTooLarge('nodes');
    if (depth > TEMPLATE_LIMITS.depth) throw new YamlTooLarge('depth');
    if (node === null) return isValue ? NOT_GIVEN : null;
    if (isAlias(node)) {
      this.isLinked = true;
      this.#aliases += 1;
      if (this.#aliases > TEMPLATE_LIMITS.aliases) throw new YamlTooLarge('aliases');
      const target = this.#targets.get(node);
      if (target === undefined) return this.#refuse('BAD_ALIAS', node);
      return this.read(target, depth + 1, isValue);
    }
    if (node.anchor !== undefined) this.isLinked = true;
    if (isMap(node)) return this.#map(node as YAMLMap.Parsed, depth, isValue);
    if (isSeq(node)) return (node.items as Node[]).map((item) => this.read(item, depth + 1, isValue));
    const { value, source } = node as { readonly value: unknown; readonly source?: string };
    if (isValue && value === null && source === '') return NOT_GIVEN;
    return typeof value === 'string' ? this.#unmask(value) : value;
  }

  #map(node: YAMLMap.Parsed, depth: number, isValue: boolean): unknown {
    const result: Record<string, unknown> = {};
    const isSection = !isValue && node.has('set');
    for (const { key, value } of node.items as unknown as readonly Pair[]) {
      const name = isScalar(key) ? this.#unmask(String(key.value)) : undefined;
      if (name === undefined) this.#refuse('NON_STRING_KEY', key);
      else if (PROTOTYPE_KEYS.has(name)) this.#refuse('PROTOTYPE_KEY', key);
      else if (Object.hasOwn(result, name)) this.#refuse('DUPLICATE_KEY', key);
      else
        result[name] = this.read(
          value,
          depth + 1,
          isValue || (isSection && name === 'value' && value !== null && !isScalar(value)),
        );
    }
    return result;
  }

  #refuse(code: string, node: Node): undefined {
    this.#problems.push({ code, from: node.range[0], to: node.range[1] });
    return undefined;
  }
}

/** The entries of a map node. */
export function pairsOf(node: Node | null): readonly Pair[] {
  return isMap(node) ? (node.items as unknown as readonly Pair[]) : [];
}
export function itemsOf(node: Node | null): readonly Node[] {
  return isSeq(node) ? (node.items as readonly Node[]) : [];
}
export function keyName(piece: Piece, pair: Pair): string {
  return isScalar(pair.key) ? piece.unmask(String(pair.key.value)) : '';
}
export function pairNamed(piece: Piece, node: Node | null, name: string): Pair | undefined {
  return pairsOf(node).find((pair) => keyName(piece, pair) === name);
}

/** Where the content of a node ends: no trailing comment, no blank line. */
export function endOf(piece: Piece, node: Node): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last: Node | undefined = isMap(node) ? lastOf(pairsOf(node)) : itemsOf(node).at(-1);
    if (last !== undefined) return endOf(piece, last);
  }
  let end = node.range[1];
  while (end > node.range[0] && /\s/.test(piece.text[end - 1] ?? '')) end -= 1;
  return end;
}
function lastOf(pairs: readonly Pair[]): Node | undefined {
  const last = pairs.at(-1);
  return last?.value ?? last?.key;
}
