/**
 * Turns YAML 1.2 core (and with it JSON) into plain values with positions. Values are counted again after aliases were
 * followed; custom tags, directives and keys that reach into an object's prototype are refused.
 */
import { itemPath, keyPath } from '#protocol/index.ts';
import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type ParsedNode,
  type YAMLError,
} from 'yaml';
import { defined } from '#shared/defined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { DETAILS, detailOf, type BareDetailId, type Detail } from '#shared/details.ts';
import { composeYaml, YamlTooLarge, type YamlBound } from '#shared/template/compose-yaml.ts';
import { PROTOTYPE_KEYS, TEMPLATE_LIMITS } from '#shared/template/limits.ts';
import { maskPlaceholders } from './values/placeholder.ts';
import { Problems } from './check/problems.ts';
import type { Position, SourceTree } from './source-tree.ts';

const CORE_TAGS: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);
/**
 * A file beside templates, YAML or JSON, within the same bounds; undefined where nothing stands in it. Throws
 * `unreadable-file` with the place.
 */
export function readYamlFile(text: string, file?: string): SourceTree | undefined {
  const problems = new Problems();
  const tree = readYaml(text, problems);
  const [wrong] = problems.errors;
  // Everything may stand behind `#`.
  if (wrong === undefined || wrong.detail?.id === 'yaml.empty') return tree;
  throw new FieldwrightError({ ...wrong, code: 'unreadable-file', ...defined({ file }) });
}

/** Reads the document; undefined (with the reasons in `problems`) where no values could be had. */
export function readYaml(text: string, problems: Problems): SourceTree | undefined {
  const { masked, unmask } = maskPlaceholders(text.startsWith('\ufeff') ? text.slice(1) : text);
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  try {
    const { documents, directives } = composeYaml(masked, lines);
    for (const offset of directives)
      problems.add('invalid-template', '', detailOf('yaml.directive'), { position: at(offset) });
    if (problems.errors.length > 0) return undefined;
    const first = documents[0];
    if (first === undefined || (first.contents === null && first.errors.length === 0)) {
      problems.add('invalid-template', '', detailOf('yaml.empty'), { position: { line: 1, column: 1 } });
      return undefined;
    }
    const second = documents[1];
    if (second !== undefined) {
      problems.add('invalid-template', '', detailOf('yaml.second-document'), {
        position: at(second.range[0]),
      });
      return undefined;
    }
    for (const error of first.errors) addSyntaxError(error, at, problems);
    if (first.errors.length > 0) return undefined;
    return new Converter(first, { at, unmask, problems }).convert();
  } catch (thrown) {
    if (!(thrown instanceof YamlTooLarge)) throw thrown;
    problems.add('input-too-large', '', excess(thrown.bound, text.length), {
      position: { line: 1, column: 1 },
    });
    return undefined;
  }
}

/** Returns the sentence for a bound that a text of `count` characters exceeds. */
function excess(bound: YamlBound, count: number): Detail {
  switch (bound) {
    case 'characters':
      return detailOf('yaml.characters', { count, max: TEMPLATE_LIMITS.characters });
    case 'repeated':
      return detailOf('yaml.repeated', { max: TEMPLATE_LIMITS.characters });
    case 'tokens':
      return detailOf('yaml.parts');
    case 'depth':
      return detailOf('yaml.depth', { max: TEMPLATE_LIMITS.depth });
    case 'nodes':
      return detailOf('yaml.values', { max: TEMPLATE_LIMITS.nodes });
    case 'aliases':
      return detailOf('yaml.aliases', { max: TEMPLATE_LIMITS.aliases });
    case 'placeholders':
      return detailOf('yaml.placeholders', { max: TEMPLATE_LIMITS.placeholders });
  }
}

/** In words for people who do not write YAML for a living. */
function addSyntaxError(error: YAMLError, at: (offset: number) => Position, problems: Problems): void {
  const id = `yaml.${error.code}`;
  problems.add(
    'invalid-template',
    '',
    detailOf(Object.hasOwn(DETAILS, id) ? (id as BareDetailId) : 'yaml.OTHER'),
    { position: at(error.pos[0]) },
  );
}

interface ConverterOptions {
  readonly at: (offset: number) => Position;
  readonly unmask: (text: string) => string;
  readonly problems: Problems;
}

/** Walks the nodes of one document into plain values. */
class Converter {
  readonly #document: Document.Parsed;
  readonly #options: ConverterOptions;
  readonly #values = new Map<string, Position>();
  readonly #keys = new Map<string, Position>();
  readonly #empty = new Set<string>();
  /** The latest of each name, as the document is read from its beginning. */
  readonly #anchors = new Map<string, ParsedNode>();
  readonly #tree: SourceTree;
  #nodes = 0;
  #aliases = 0;
  #characters = 0;
  #placeholders = 0;
  #broken = false;

  constructor(document: Document.Parsed, options: ConverterOptions) {
    this.#document = document;
    this.#options = options;
    this.#tree = { root: undefined, values: this.#values, keys: this.#keys, empty: this.#empty };
  }

  convert(): SourceTree | undefined {
    this.#options.problems.locateIn(this.#tree);
    const root = this.#node(this.#document.contents, '', 0, undefined);
    return this.#broken ? undefined : { ...this.#tree, root };
  }

  /** `place` overrides positions below an alias: they stand where the alias is used. */
  #node(node: ParsedNode | null, path: string, depth: number, place: Position | undefined): unknown {
    this.#nodes += 1;
    if (this.#nodes > TEMPLATE_LIMITS.nodes) throw new YamlTooLarge('nodes');
    if (depth > TEMPLATE_LIMITS.depth) throw new YamlTooLarge('depth');
    if (node === null) {
      this.#empty.add(path);
      return null;
    }

    const position = place ?? this.#options.at(node.range[0]);
    this.#values.set(path, position);
    if (isAlias(node)) {
      this.#aliases += 1;
      if (this.#aliases > TEMPLATE_LIMITS.aliases) throw new YamlTooLarge('aliases');
      const target = this.#anchors.get(node.source);
      return target === undefined
        ? this.#refuse(path, detailOf('yaml.BAD_ALIAS'))
        : this.#node(target, path, depth + 1, position);
    }
    if (node.anchor !== undefined && place === undefined) this.#anchors.set(node.anchor, node);
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag))
      return this.#refuse(path, detailOf('yaml.tag', { tag: this.#options.unmask(node.tag) }));
    if (isMap(node))
      return this.#map(
        node.items as readonly { key: ParsedNode; value: ParsedNode | null }[],
        path,
        depth,
        place,
      );
    if (isSeq(node))
      return (node.items as ParsedNode[]).map((item, index) =>
        this.#node(item, itemPath(path, index), depth + 1, place),
      );
    if (isScalar(node)) {
      if (node.value === null && node.source === '') this.#empty.add(path);
      return this.#scalar(node.value, path);
    }
    return this.#refuse(path, detailOf('yaml.kind'));
  }

  #map(
    items: readonly { key: ParsedNode; value: ParsedNode | null }[],
    path: string,
    depth: number,
    place: Position | undefined,
  ): unknown {
    const result: Record<string, unknown> = {};
    for (const { key, value } of items) {
      const name = isScalar(key) ? this.#options.unmask(String(key.value)) : undefined;
      const position = place ?? this.#options.at(key.range[0]);
      if (name === undefined) {
        this.#refuse(path, detailOf('yaml.NON_STRING_KEY'), position);
        continue;
      }
      const inner = keyPath(path, name);
      if (inner.length > TEMPLATE_LIMITS.path) {
        this.#refuse(path, detailOf('yaml.long-name'), position);
        continue;
      }
      if (PROTOTYPE_KEYS.has(name)) this.#refuse(inner, detailOf('yaml.forbidden-name', { name }), position);
      else if (Object.hasOwn(result, name))
        this.#refuse(
          inner,
          detailOf('yaml.twice', { name, line: this.#keys.get(inner)?.line ?? '?' }),
          position,
        );
      else {
        this.#keys.set(inner, position);
        result[name] = this.#node(value, inner, depth + 1, place);
        if (!this.#values.has(inner)) this.#values.set(inner, position);
      }
    }
    return result;
  }

  #scalar(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#text(this.#options.unmask(value));
    if (typeof value === 'number' && !Number.isFinite(value))
      return this.#refuse(path, detailOf('yaml.infinite'));
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      return this.#refuse(path, detailOf('yaml.inexact'));
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
    return this.#refuse(path, detailOf('yaml.kind'));
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > TEMPLATE_LIMITS.characters) throw new YamlTooLarge('repeated');
    for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) this.#placeholders += 1;
    if (this.#placeholders > TEMPLATE_LIMITS.placeholders) throw new YamlTooLarge('placeholders');
    return text;
  }

  #refuse(path: string, detail: Detail, position?: Position): null {
    this.#broken = true;
    this.#options.problems.add('invalid-template', path, detail, position === undefined ? {} : { position });
    return null;
  }
}
