/** A template's text as the forms see it: its header, variables and sections, each with its place in the text. */
import { isMap, isSeq, type ParsedNode } from 'yaml';
import { type DeviceKind, type TemplateVariable, DEVICE_KINDS } from '#shared/model.ts';
import { isPlain, getOwn, type Plain } from '#protocol/value.ts';
import { createDetail } from '#shared/details.ts';
import { TEMPLATE_FORMAT, VARIABLE_TYPES } from '#template/grammar.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { NOT_GIVEN } from '#template/placeholder.ts';
import { readYaml, type YamlProblem, type YamlText } from '#template/read-yaml.ts';
import { describeKind } from '#template/source-tree.ts';
import { findChunks, type Chunk, type Chunks, type Entry } from './chunks.ts';
import { hasLinks, buildLinkedText, NOT_LINKED, type Linked } from './linked.ts';

export interface SectionView {
  /** Stays the same while the section is edited or moved. */
  readonly key: number;
  readonly index: number;
  /** The section as written; undefined if it is no object. */
  readonly raw: Plain | undefined;
  /** The section as read: the same object as long as its text is the same. */
  readonly source: unknown;
  readonly set: string;
  readonly params: Plain;
  readonly value: unknown;
  readonly change: unknown;
  readonly optional: boolean;
  readonly clamp: boolean;
}
export interface VariableView {
  readonly name: string;
  readonly raw: Plain;
  readonly type: TemplateVariable['type'];
}
export interface TemplateDoc {
  readonly text: string;
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly DeviceKind[];
  readonly variables: readonly VariableView[];
  readonly sections: readonly SectionView[];
  /** Entries of the outermost level without `sections`, each to its last character; empty for a text that is read whole. */
  readonly entries: readonly Entry[];
  /** Lines of each section, from the dash to its last character. Apart from the sections, which stay the same objects while they only shift. */
  readonly places: readonly Chunk[];
  /** The root as plain values. */
  readonly root: Plain;
  /** True if the text was read in pieces, else as a whole. */
  readonly inPieces: boolean;
  /** Pieces read together, because one has an alias for an anchor in another. */
  readonly linked: Linked;
  /** Reads a text that an edit has made of this one; undefined if it cannot be read. */
  reread(text: string): TemplateDoc | undefined;
}
type Failed = { readonly ok: false; readonly problems: readonly YamlProblem[] };
type ReadDoc = { readonly ok: true; readonly doc: TemplateDoc } | Failed;

/** A section with its lines and its text. */
interface SectionPart {
  readonly chunk: Chunk;
  readonly raw: unknown;
  readonly text: string;
}
type Parts = Pick<TemplateDoc, 'root' | 'entries' | 'inPieces' | 'linked'> & {
  readonly ok: true;
  readonly sections: readonly SectionPart[];
};

function failed(detail: YamlProblem['detail'], code: YamlProblem['code'] = 'invalid-template'): Failed {
  return { ok: false, problems: [{ code, detail, path: '', from: 0, to: 0 }] };
}
/** The template has more sections than the engine takes: each would be a card of the forms. */
const TOO_MANY = failed(
  createDetail('too-many-sections', { max: TEMPLATE_LIMITS.sections }),
  'input-too-large',
);
/** A name inside the value of a section with nothing behind it waits for a value; `null` removes a setting. */
const INSIDE_VALUE = /^(?:sections)?\[\d+\]\.value[.[]/;

/** Reads texts that follow each other; what did not change is not read again. */
export class DocReader {
  #cache = new Map<string, YamlText>();
  #used = new Map<string, YamlText>();
  #previous: readonly { readonly key: number; readonly text: string }[] = [];
  #views = new Map<number, SectionView>();
  #nextKey = 1;

  read(text: string): ReadDoc {
    this.#used = new Map();
    const parts = this.#parts(text);
    this.#cache = this.#used;
    if (!parts.ok) return parts;
    const keys = this.#keysFor(parts.sections.map((section) => section.text));
    const doc = this.#doc(text, parts, keys);
    this.#views = new Map(doc.sections.map((view) => [view.key, view]));
    return { ok: true, doc };
  }

  #reread(text: string): TemplateDoc | undefined {
    const parts = this.#parts(text);
    return parts.ok ? this.#doc(text, parts, []) : undefined;
  }

  #parts(text: string): Parts | Failed {
    return this.#readChunks(text) ?? this.#readWhole(text);
  }

  #doc(text: string, { root, sections, ...parts }: Parts, keys: readonly number[]): TemplateDoc {
    return {
      text,
      root,
      sections: sections.map(({ raw }, index) => this.#view(keys[index] ?? 0, index, raw)),
      places: sections.map(({ chunk }) => chunk),
      entries: parts.entries,
      inPieces: parts.inPieces,
      linked: parts.linked,
      ...headerOf(root),
      variables: variablesOf(root),
      reread: (next) => this.#reread(next),
    };
  }

  #piece(text: string): YamlText {
    const known =
      this.#used.get(text) ??
      this.#cache.get(text) ??
      readYaml(text, { empty: (path) => (INSIDE_VALUE.test(path) ? NOT_GIVEN : null) });
    this.#used.set(text, known);
    return known;
  }

  /** Returns undefined if the text is not made of pieces; it is then read whole. */
  #readChunks(text: string): Parts | Failed | undefined {
    const chunks = findChunks(text);
    if (chunks === undefined) return undefined;
    if (chunks.sections.items.length > TEMPLATE_LIMITS.sections) return TOO_MANY;
    const read = <C extends Chunk>(chunk: C) => ({
      chunk,
      piece: this.#piece(text.slice(chunk.from, chunk.to)),
    });
    const entries = chunks.entries.map(read);
    const items = chunks.sections.items.map(read);
    // The anchor of an alias may be in another piece.
    const problems = [...entries, ...items].flatMap(({ chunk, piece }) =>
      syntaxOf(piece)
        .filter((problem) => !isBadAlias(problem))
        .map((problem) => shifted(problem, (at) => chunk.from + at, text)),
    );
    if (problems.length > 0) return { ok: false, problems };
    if (
      !entries.every(({ piece }) => isPlain(piece.value)) ||
      !items.every(({ piece: { value } }) => Array.isArray(value) && value.length === 1)
    )
      return undefined;
    const linked: Linked = {
      entries: new Set(entries.flatMap(({ chunk, piece }) => (piece.isLinked ? [chunk.name] : []))),
      sections: items.flatMap(({ piece }, index) => (piece.isLinked ? [index] : [])),
    };
    const shared = this.#readLinked(text, chunks, linked);
    if (!shared.ok)
      return shared.problems === undefined ? undefined : { ok: false, problems: shared.problems };
    const root: Record<string, unknown> = {};
    for (const { chunk, piece } of entries)
      root[chunk.name] = getOwn(
        (linked.entries.has(chunk.name) ? shared.root : piece.value) as Plain,
        chunk.name,
      );
    const sections = items.map(({ chunk, piece }, index) => {
      const [node] = itemsOf(piece.node);
      const part = text.slice(chunk.from, chunk.to);
      const end = node === undefined ? part.length : endOf(part, node);
      const at = linked.sections.indexOf(index);
      // Comments behind it belong to the next one and say nothing about which section this is.
      return {
        chunk: { from: chunk.from, to: chunk.from + end },
        raw: at < 0 ? (piece.value as readonly unknown[])[0] : shared.sections[at],
        text: part.slice(0, end),
      };
    });
    root['sections'] = sections.map(({ raw }) => raw);
    return {
      ok: true,
      root,
      entries: entries.map(({ chunk: { name, from, to }, piece: { node } }) => ({
        name,
        from,
        to: node === null ? to : from + endOf(text.slice(from, to), node),
      })),
      sections,
      inPieces: true,
      linked,
    };
  }

  /** Reads the linked pieces; without problems if only the whole text can show what is wrong. */
  #readLinked(
    text: string,
    chunks: Chunks,
    linked: Linked,
  ):
    | { readonly ok: true; readonly root: Plain; readonly sections: readonly unknown[] }
    | { readonly ok: false; readonly problems?: readonly YamlProblem[] } {
    if (!hasLinks(linked)) return { ok: true, root: {}, sections: [] };
    const together = buildLinkedText(text, chunks, linked);
    const piece = this.#piece(together.text);
    const problems = syntaxOf(piece);
    if (problems.length > 0)
      return problems.every(isBadAlias)
        ? { ok: false, problems: problems.map((problem) => shifted(problem, together.placeOf, text)) }
        : { ok: false };
    const { value } = piece;
    const sections = isPlain(value) ? (getOwn(value, 'sections') ?? []) : undefined;
    return isPlain(value) && Array.isArray(sections) && sections.length === linked.sections.length
      ? { ok: true, root: value, sections }
      : { ok: false };
  }

  #readWhole(text: string): Parts | Failed {
    const piece = this.#piece(text);
    const problems = syntaxOf(piece);
    if (problems.length > 0) return { ok: false, problems };
    const { value: root } = piece;
    if (!isPlain(root))
      return failed(createDetail('not-an-object', { format: TEMPLATE_FORMAT, given: describeKind(root) }));
    const list = getOwn(root, 'sections');
    const items = itemsOf(isMap(piece.node) ? piece.node.get('sections', true) : null);
    if (items.length > TEMPLATE_LIMITS.sections) return TOO_MANY;
    const sections = (Array.isArray(list) ? list : []).map((raw: unknown, index) => {
      const item = items[index];
      const chunk = item === undefined ? { from: 0, to: 0 } : { from: item.range[0], to: endOf(text, item) };
      return { chunk, raw, text: text.slice(chunk.from, chunk.to) };
    });
    return { ok: true, root, entries: [], sections, inPieces: false, linked: NOT_LINKED };
  }

  /**
   * Returns the same object as before if the section is unchanged, so that its display is not drawn again.
   */
  #view(key: number, index: number, raw: unknown): SectionView {
    const before = this.#views.get(key);
    if (before !== undefined && before.source === raw && before.index === index) return before;
    const members = isPlain(raw) ? raw : undefined;
    const set = members?.['set'];
    const params = members?.['params'];
    return {
      key,
      index,
      raw: members,
      source: raw,
      set: typeof set === 'string' ? set : '',
      params: isPlain(params) ? params : {},
      value: members?.['value'],
      change: members?.['change'],
      optional: members?.['optional'] === true,
      clamp: members?.['clamp'] === true,
    };
  }

  /** Sections are recognised by their text first, then by their order. */
  #keysFor(texts: readonly string[]): readonly number[] {
    const left = [...this.#previous];
    const keys: (number | undefined)[] = texts.map((text) => {
      const at = left.findIndex((known) => known.text === text);
      return at < 0 ? undefined : left.splice(at, 1)[0]?.key;
    });
    const settled = keys.map(
      (key) =>
        key ??
        (keys.length >= this.#previous.length || left.length > 0 ? left.shift()?.key : undefined) ??
        this.#newKey(),
    );
    this.#previous = settled.map((key, index) => ({ key, text: texts[index] ?? '' }));
    return settled;
  }
  #newKey(): number {
    this.#nextKey += 1;
    return this.#nextKey;
  }
}

/** Problems that keep a text from being read; a value that the engine refuses is shown in the forms. */
function syntaxOf({ problems }: YamlText): readonly YamlProblem[] {
  return problems.filter(({ isValue }) => isValue !== true);
}
function isBadAlias({ detail }: YamlProblem): boolean {
  return detail.id === 'yaml.BAD_ALIAS';
}
/** Converts a problem of a piece into one of the whole text. */
function shifted(problem: YamlProblem, place: (offset: number) => number, text: string): YamlProblem {
  const [from, to] = [place(problem.from), place(problem.to)];
  const { detail } = problem;
  const line = detail.values?.['line'];
  if (typeof line !== 'number') return { ...problem, from, to };
  const above = text.slice(0, from - problem.from).split('\n').length - 1;
  return { ...problem, from, to, detail: { ...detail, values: { ...detail.values, line: line + above } } };
}

function itemsOf(node: unknown): readonly ParsedNode[] {
  return isSeq(node) ? (node.items as readonly ParsedNode[]) : [];
}
/** Returns where the content of a node ends, without comments and blank lines behind it. */
function endOf(text: string, node: ParsedNode): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = node.items.at(-1);
    const inner = last !== undefined && 'key' in last ? (last.value ?? last.key) : last;
    if (inner != null) return endOf(text, inner as ParsedNode);
  }
  let end = node.range[1];
  while (end > node.range[0] && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return end;
}

function headerOf(root: Plain): Pick<TemplateDoc, 'name' | 'description' | 'kinds'> {
  const [name, description, appliesTo] = [root['name'], root['description'], root['appliesTo']];
  const kinds = isPlain(appliesTo) ? appliesTo['kinds'] : undefined;
  return {
    name: textOf(name),
    description: textOf(description),
    kinds: Array.isArray(kinds) ? DEVICE_KINDS.filter((kind) => kinds.includes(kind)) : [],
  };
}
function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : value === undefined || value === null || typeof value === 'object'
      ? ''
      : String(value);
}
function variablesOf(root: Plain): readonly VariableView[] {
  const variables = root['variables'];
  if (!isPlain(variables)) return [];
  return Object.entries(variables).map(([name, declared]) => {
    const raw = isPlain(declared) ? declared : {};
    return { name, raw, type: VARIABLE_TYPES.find((type) => type === raw['type']) ?? 'string' };
  });
}
