/**
 * A long template is read in pieces: each entry at the outermost level and each section on its own.
 * A keystroke then costs the parsing of one section, however many there are. What is not laid out
 * like that (JSON, odd indentation) is read whole; pieces that hang together by anchors are read
 * together (`linked.ts`).
 */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}
export interface Entry extends Chunk {
  readonly name: string;
}
export interface Chunks {
  /** Entries of the outermost level in their order; `sections` is not among them. */
  readonly entries: readonly Entry[];
  readonly sections: {
    /** The line `sections:` and everything above the first dash. */
    readonly head: Chunk;
    readonly items: readonly Chunk[];
  };
}

const TOP_NAME = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]|$)/;
const SECTIONS_HEAD = /^sections[ \t]*:[ \t]*(?:#.*)?$/;
const DASH = /^( *)-(?:[ \t]|$)/;

/** Returns undefined if the text is not laid out in pieces. */
export function findChunks(text: string): Chunks | undefined {
  if (text.includes('\r') || text.startsWith('\ufeff')) return undefined;
  const entries: { name: string; from: number; to: number }[] = [];
  const items: { from: number; to: number }[] = [];
  const names = new Set<string>();
  let head: { from: number; to: number } | undefined;
  let indent: number | undefined;
  let inSections = false;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end + 1;
    const line = text.slice(from, end < 0 ? text.length : end);
    const dash = inSections ? DASH.exec(line) : null;
    const first = line[0];
    if (line.trim() === '' || line.trimStart().startsWith('#')) {
      // This line belongs to the text above it.
    } else if (dash !== null && (indent === undefined || (dash[1] ?? '').length === indent)) {
      indent ??= (dash[1] ?? '').length;
      items.push({ from, to });
    } else if (first !== ' ' && first !== '\t') {
      const name = TOP_NAME.exec(line)?.[1];
      if (name === undefined || names.has(name)) return undefined;
      names.add(name);
      inSections = name === 'sections';
      if (!inSections) entries.push({ name, from, to });
      else if (!SECTIONS_HEAD.test(line)) return undefined;
      else head = { from, to };
      from = to;
      continue;
    } else if (inSections && (indent === undefined || line.length - line.trimStart().length <= indent))
      return undefined;
    const open = inSections ? (items.at(-1) ?? head) : entries.at(-1);
    if (open !== undefined && (open as { to: number }).to <= to) open.to = to;
    from = to;
  }
  if (head === undefined || items.length === 0) return undefined;
  return { entries, sections: { head, items } };
}
