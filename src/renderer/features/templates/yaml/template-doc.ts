/** A template's text as the forms see it: its header, variables and sections, each with its place in the text. */
import { isSeq } from 'yaml';
import { type DeviceKind, type TemplateVariable, DEVICE_KINDS } from '#shared/model.ts';
import { isPlain, own, type Plain } from '#protocol/value.ts';
import { TEMPLATE_LIMITS } from '#shared/template/limits.ts';
import { chunksOf, type Chunk, type Chunks } from './chunks.ts';
import { hasLinks, linkedText, NOT_LINKED, type Linked } from './linked.ts';
import { endOf, itemsOf, pairNamed, parsePiece, type Node, type Piece, type SyntaxProblem } from './parse.ts';

export interface SectionView {
  /** Stays the same while the section is edited or moved. */
  readonly key: number;
  readonly index: number;
  /** As written; undefined where the section is no object. */
  readonly raw: Plain | undefined;
  /** As it was read: the same object as long as the text of the section is the same. */
  readonly source: unknown;
  readonly set: string;
  readonly params: Plain;
  readonly value: unknown;
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
  /** Lines of each section, from the dash to its last character. Apart from the sections, which stay the same objects while they only shift. */
  readonly places: readonly Chunk[];
  /** The root as plain values. */
  readonly root: Plain;
  /** Read in pieces; else whole. */
  readonly inPieces: boolean;
  /** Pieces that were read together, because one names what stands in another. */
  readonly linked: Linked;
}
type ReadDoc =
  | { readonly ok: true; readonly doc: TemplateDoc }
  | { readonly ok: false; readonly problems: readonly SyntaxProblem[] };

/** More sections than the engine takes: each would be a card of the forms. */
const TOO_LARGE: ReadDoc = { ok: false, problems: [{ code: 'TOO_LARGE', from: 0, to: 0 }] };

const TYPES: readonly TemplateVariable['type'][] = ['string', 'integer', 'number', 'boolean', 'secret'];

interface Read {
  readonly piece: Piece;
  readonly raw: unknown;
}

/** Reads texts that follow each other; what did not change is not read again. */
export class DocReader {
  #cache = new Map<string, Read>();
  #used = new Map<string, Read>();
  #previous: readonly { readonly key: number; readonly text: string }[] = [];
  #views = new Map<number, SectionView>();
  #nextKey = 1;

  read(text: string): ReadDoc {
    this.#used = new Map();
    const result = this.#readChunks(text) ?? this.#readWhole(text);
    this.#cache = this.#used;
    return result;
  }

  #piece(text: string): Read {
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

  /** Undefined where the text is not made of pieces: it is read whole then. */
  #readChunks(text: string): ReadDoc | undefined {
    const chunks = chunksOf(text);
    if (chunks === undefined) return undefined;
    if (chunks.sections.items.length > TEMPLATE_LIMITS.sections) return TOO_LARGE;
    const entries = chunks.entries.map((chunk) => ({
      chunk,
      ...this.#piece(text.slice(chunk.from, chunk.to)),
    }));
    const items = chunks.sections.items.map((chunk) => ({
      chunk,
      ...this.#piece(text.slice(chunk.from, chunk.to)),
    }));
    // What an alias names may stand in another piece.
    const problems = [...entries, ...items].flatMap(({ chunk, piece }) =>
      piece.problems
        .filter((problem) => !isBadAlias(problem))
        .map((problem) => shifted(problem, (at) => chunk.from + at)),
    );
    if (problems.length > 0) return { ok: false, problems };
    if (
      !entries.every(({ raw }) => isPlain(raw)) ||
      !items.every(({ raw }) => Array.isArray(raw) && raw.length === 1)
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
    for (const {
      chunk: { name },
      raw,
    } of entries)
      root[name] = own((linked.entries.has(name) ? shared.root : raw) as Plain, name);
    const sections = items.map(({ chunk, piece, raw }, index) => {
      const [node] = itemsOf(piece.node);
      const end = node === undefined ? piece.text.length : endOf(piece, node);
      const at = linked.sections.indexOf(index);
      // Comments behind it belong to the next one and say nothing about which section this is.
      return {
        chunk: { from: chunk.from, to: chunk.from + end },
        raw: at < 0 ? (raw as readonly unknown[])[0] : shared.sections[at],
        text: piece.text.slice(0, end),
      };
    });
    root['sections'] = sections.map(({ raw }) => raw);
    return { ok: true, doc: { ...this.#doc(text, root, sections), inPieces: true, linked } };
  }

  /** Values of the pieces that hang together; without problems where only the whole text can say what is wrong. */
  #readLinked(
    text: string,
    chunks: Chunks,
    linked: Linked,
  ):
    | { readonly ok: true; readonly root: Plain; readonly sections: readonly unknown[] }
    | { readonly ok: false; readonly problems?: readonly SyntaxProblem[] } {
    if (!hasLinks(linked)) return { ok: true, root: {}, sections: [] };
    const together = linkedText(text, chunks, linked);
    const { piece, raw } = this.#piece(together.text);
    if (piece.problems.length > 0)
      return piece.problems.every(isBadAlias)
        ? { ok: false, problems: piece.problems.map((problem) => shifted(problem, together.placeOf)) }
        : { ok: false };
    const sections = isPlain(raw) ? (own(raw, 'sections') ?? []) : undefined;
    return isPlain(raw) && Array.isArray(sections) && sections.length === linked.sections.length
      ? { ok: true, root: raw, sections }
      : { ok: false };
  }

  #readWhole(text: string): ReadDoc {
    const { piece, raw } = this.#piece(text);
    if (piece.problems.length > 0) return { ok: false, problems: piece.problems };
    if (!isPlain(raw))
      return { ok: false, problems: [{ code: text.trim() === '' ? 'EMPTY' : 'NOT_A_MAP', from: 0, to: 0 }] };
    const node = pairNamed(piece, piece.node, 'sections')?.value ?? null;
    const list = own(raw, 'sections');
    const items = itemsOf(node);
    if (items.length > TEMPLATE_LIMITS.sections) return TOO_LARGE;
    const sections =
      Array.isArray(list) && isSeq(node)
        ? list.map((value: unknown, index) => {
            const item = items[index];
            const chunk =
              item === undefined ? { from: 0, to: 0 } : { from: item.range[0], to: endOf(piece, item) };
            return { chunk, raw: value, text: text.slice(chunk.from, chunk.to) };
          })
        : [];
    return { ok: true, doc: { ...this.#doc(text, raw, sections), inPieces: false, linked: NOT_LINKED } };
  }

  #doc(
    text: string,
    root: Plain,
    sections: readonly { readonly chunk: Chunk; readonly raw: unknown; readonly text: string }[],
  ): Omit<TemplateDoc, 'inPieces' | 'linked'> {
    const keys = this.#keysFor(sections.map((section) => section.text));
    const views = new Map<number, SectionView>();
    const made = sections.map(({ raw }, index) => {
      const key = keys[index] ?? 0;
      const view = this.#view(key, index, raw);
      views.set(key, view);
      return view;
    });
    this.#views = views;
    return {
      text,
      root,
      sections: made,
      places: sections.map(({ chunk }) => chunk),
      ...headerOf(root),
      variables: variablesOf(root),
    };
  }

  /** The same object as before where nothing about the section changed: what shows it is not drawn again. */
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

function isBadAlias({ code }: SyntaxProblem): boolean {
  return code === 'BAD_ALIAS';
}
function shifted(problem: SyntaxProblem, place: (offset: number) => number): SyntaxProblem {
  return { ...problem, from: place(problem.from), to: place(problem.to) };
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
  if (chunk !== undefined)
    return {
      from: chunk.from,
      text: doc.text.slice(chunk.from, chunk.to),
      select: (piece) => itemsOf(piece.node)[0],
    };
  return {
    from: 0,
    text: doc.text,
    select: (piece) => itemsOf(pairNamed(piece, piece.node, 'sections')?.value ?? null)[index],
  };
}

/** An entry of the outermost level that stands in the text already, or the root, in which it is added. */
export function entryTarget(
  doc: TemplateDoc,
  name: string,
): { readonly target: Target; readonly isRoot: boolean } {
  const chunk = (
    doc.inPieces && !doc.linked.entries.has(name) ? chunksOf(doc.text) : undefined
  )?.entries.find((entry) => entry.name === name);
  if (chunk !== undefined)
    return {
      isRoot: false,
      target: { from: chunk.from, text: doc.text.slice(chunk.from, chunk.to), select: (piece) => piece.node },
    };
  return { isRoot: true, target: { from: 0, text: doc.text, select: (piece) => piece.node } };
}
