/** A template's text as the forms see it: its header, variables and sections, each with its place in the text. */
import { isSeq } from 'yaml';
import type { DeviceKind, TemplateVariable } from '../../../../shared/model.ts';
import { DEVICE_KINDS } from '../../../../shared/model.ts';
import { isPlain, own } from '../../../../protocol/value.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { endOf, itemsOf, pairNamed, parsePiece, type Node, type Piece, type SyntaxProblem } from './parse.ts';

type Bag = Readonly<Record<string, unknown>>;

export interface SectionView {
  /** Stays the same while the section is edited or moved. */
  readonly key: number;
  readonly index: number;
  /** As written; undefined where the section is no object. */
  readonly raw: Bag | undefined;
  /** As it was read: the same object as long as the text of the section is the same. */
  readonly source: unknown;
  readonly set: string;
  readonly params: Bag;
  readonly value: unknown;
  readonly optional: boolean;
  readonly clamp: boolean;
}
export interface VariableView {
  readonly name: string;
  readonly raw: Bag;
  readonly type: TemplateVariable['type'];
}
export interface TemplateDoc {
  readonly text: string;
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly DeviceKind[];
  readonly variables: readonly VariableView[];
  readonly sections: readonly SectionView[];
  /** Lines of each section, from the dash to its last character. Apart from the sections, which stay the same objects while they only shift. */
  readonly places: readonly Chunk[];
  /** The root as plain values. */
  readonly root: Bag;
  /** Read in pieces; else whole. */
  readonly inPieces: boolean;
}
export type ReadDoc =
  | { readonly ok: true; readonly doc: TemplateDoc }
  | { readonly ok: false; readonly problems: readonly SyntaxProblem[] };

const TYPES: readonly TemplateVariable['type'][] = ['string', 'integer', 'number', 'boolean', 'secret'];

/** Reads texts that follow each other; what did not change is not read again. */
export class DocReader {
  #cache = new Map<string, { readonly piece: Piece; readonly raw: unknown }>();
  #used = new Map<string, { readonly piece: Piece; readonly raw: unknown }>();
  #previous: readonly { readonly key: number; readonly text: string }[] = [];
  #views = new Map<number, SectionView>();
  #nextKey = 1;

  read(text: string): ReadDoc {
    this.#used = new Map();
    const result = this.#readChunks(text) ?? this.#readWhole(text);
    this.#cache = this.#used;
    return result;
  }

  #piece(text: string): { readonly piece: Piece; readonly raw: unknown } {
    const known = this.#used.get(text) ?? this.#cache.get(text);
    if (known !== undefined) {
      this.#used.set(text, known);
      return known;
    }
    const piece = parsePiece(text);
    const made = { piece, raw: piece.value };
    this.#used.set(text, made);
    return made;
  }

  /** Undefined where a piece has an error or hangs on another: the whole is read then, which says where. */
  #readChunks(text: string): ReadDoc | undefined {
    const chunks = chunksOf(text);
    if (chunks === undefined) return undefined;
    const root: Record<string, unknown> = {};
    for (const entry of chunks.entries) {
      const { piece, raw } = this.#piece(text.slice(entry.from, entry.to));
      if (piece.problems.length > 0 || piece.isLinked || !isPlain(raw)) return undefined;
      root[entry.name] = own(raw, entry.name);
    }
    const sections: { chunk: Chunk; raw: unknown; text: string }[] = [];
    for (const chunk of chunks.sections.items) {
      const own = text.slice(chunk.from, chunk.to);
      const { piece, raw } = this.#piece(own);
      const [node] = itemsOf(piece.node);
      if (piece.problems.length > 0 || piece.isLinked || !Array.isArray(raw) || raw.length !== 1) return undefined;
      const end = node === undefined ? own.length : endOf(piece, node);
      // Comments behind it belong to the next one and say nothing about which section this is.
      sections.push({ chunk: { from: chunk.from, to: chunk.from + end }, raw: raw[0] as unknown, text: own.slice(0, end) });
    }
    root['sections'] = sections.map(({ raw }) => raw);
    return { ok: true, doc: this.#doc(text, root, sections, true) };
  }

  #readWhole(text: string): ReadDoc {
    const { piece, raw } = this.#piece(text);
    if (piece.problems.length > 0) return { ok: false, problems: piece.problems };
    if (!isPlain(raw)) return { ok: false, problems: [{ code: text.trim() === '' ? 'EMPTY' : 'NOT_A_MAP', from: 0, to: 0 }] };
    const node = pairNamed(piece, piece.node, 'sections')?.value ?? null;
    const list = own(raw, 'sections');
    const items = itemsOf(node);
    const sections = Array.isArray(list) && isSeq(node)
      ? list.map((value: unknown, index) => {
          const item = items[index];
          const chunk = item === undefined ? { from: 0, to: 0 } : { from: item.range[0], to: endOf(piece, item) };
          return { chunk, raw: value, text: text.slice(chunk.from, chunk.to) };
        })
      : [];
    return { ok: true, doc: this.#doc(text, raw, sections, false) };
  }

  #doc(text: string, root: Bag, sections: readonly { readonly chunk: Chunk; readonly raw: unknown; readonly text: string }[], inPieces: boolean): TemplateDoc {
    const keys = this.#keysFor(sections.map((section) => section.text));
    const views = new Map<number, SectionView>();
    const made = sections.map(({ raw }, index) => {
      const key = keys[index] ?? 0;
      const view = this.#view(key, index, raw);
      views.set(key, view);
      return view;
    });
    this.#views = views;
    return { text, root, inPieces, sections: made, places: sections.map(({ chunk }) => chunk), ...headerOf(root), variables: variablesOf(root) };
  }

  /** The same object as before where nothing about the section changed: what shows it is not drawn again. */
  #view(key: number, index: number, raw: unknown): SectionView {
    const before = this.#views.get(key);
    if (before !== undefined && before.source === raw && before.index === index) return before;
    const bag = isPlain(raw) ? raw : undefined;
    const set = bag?.['set'];
    const params = bag?.['params'];
    return {
      key, index, raw: bag, source: raw,
      set: typeof set === 'string' ? set : '', params: isPlain(params) ? params : {}, value: bag?.['value'],
      optional: bag?.['optional'] === true, clamp: bag?.['clamp'] === true,
    };
  }

  /** Sections are recognised by their text first, then by their order. */
  #keysFor(texts: readonly string[]): readonly number[] {
    const left = [...this.#previous];
    const keys: (number | undefined)[] = texts.map((text) => {
      const at = left.findIndex((known) => known.text === text);
      return at < 0 ? undefined : left.splice(at, 1)[0]?.key;
    });
    const settled = keys.map((key) => key ?? (keys.length >= this.#previous.length || left.length > 0 ? left.shift()?.key : undefined) ?? this.#newKey());
    this.#previous = settled.map((key, index) => ({ key, text: texts[index] ?? '' }));
    return settled;
  }
  #newKey(): number {
    this.#nextKey += 1;
    return this.#nextKey;
  }
}

function headerOf(root: Bag): Pick<TemplateDoc, 'name' | 'description' | 'kinds'> {
  const [name, description, appliesTo] = [root['name'], root['description'], root['appliesTo']];
  const kinds = isPlain(appliesTo) ? appliesTo['kinds'] : undefined;
  return {
    name: textOf(name), description: textOf(description),
    kinds: Array.isArray(kinds) ? DEVICE_KINDS.filter((kind) => kinds.includes(kind)) : [],
  };
}
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
function variablesOf(root: Bag): readonly VariableView[] {
  const variables = root['variables'];
  if (!isPlain(variables)) return [];
  return Object.entries(variables).map(([name, declared]) => {
    const raw = isPlain(declared) ? declared : {};
    return { name, raw, type: TYPES.find((type) => type === raw['type']) ?? 'string' };
  });
}

/** The piece in which something is changed, where it begins in the text, and the node that is changed. */
export interface Target {
  readonly from: number;
  readonly text: string;
  select(piece: Piece): Node | null | undefined;
}

export function sectionTarget(doc: TemplateDoc, index: number): Target | undefined {
  const chunks = doc.inPieces ? chunksOf(doc.text) : undefined;
  const chunk = chunks?.sections.items[index];
  if (chunk !== undefined) return { from: chunk.from, text: doc.text.slice(chunk.from, chunk.to), select: (piece) => itemsOf(piece.node)[0] };
  return { from: 0, text: doc.text, select: (piece) => itemsOf(pairNamed(piece, piece.node, 'sections')?.value ?? null)[index] };
}

/** An entry of the outermost level that stands in the text already, or the root, in which it is added. */
export function entryTarget(doc: TemplateDoc, name: string): { readonly target: Target; readonly isRoot: boolean } {
  const chunk = (doc.inPieces ? chunksOf(doc.text) : undefined)?.entries.find((entry) => entry.name === name);
  if (chunk !== undefined) return { isRoot: false, target: { from: chunk.from, text: doc.text.slice(chunk.from, chunk.to), select: (piece) => piece.node } };
  return { isRoot: true, target: { from: 0, text: doc.text, select: (piece) => piece.node } };
}
