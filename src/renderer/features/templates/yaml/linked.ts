/**
 * Parts of a text that hang together by anchors and aliases. They are read and changed as a text of
 * their own, in their order, and the others each alone: a key then costs what is linked at most,
 * however long the template is.
 */
import type { Chunk, Chunks } from './chunks.ts';
import { wholeEdit, type Edit } from './patch.ts';

export interface Linked {
  readonly entries: ReadonlySet<string>;
  /** Numbers of the sections, in their order. */
  readonly sections: readonly number[];
}
export const NOT_LINKED: Linked = { entries: new Set(), sections: [] };

export function hasLinks({ entries, sections }: Linked): boolean {
  return entries.size > 0 || sections.length > 0;
}

function linkedParts(chunks: Chunks, { entries, sections }: Linked): readonly Chunk[] {
  const items = sections.flatMap((index) => chunks.sections.items[index] ?? []);
  return inOrder(
    chunks.entries.filter(({ name }) => entries.has(name)),
    items.length === 0 ? [] : [chunks.sections.head, ...items],
  );
}
function inOrder(entries: readonly Chunk[], sections: readonly Chunk[]): readonly Chunk[] {
  return [...entries, ...sections].sort((a, b) => a.from - b.from);
}

interface LinkedText {
  readonly text: string;
  /** The place in the whole text of a place in this one. */
  placeOf(offset: number): number;
  /** What an edit of this text is in the whole one; undefined where it made other parts of it. */
  editOf(edit: Edit, chunksOf: (text: string) => Chunks | undefined): Edit | undefined;
}

export function linkedText(whole: string, chunks: Chunks, linked: Linked): LinkedText {
  const parts = linkedParts(chunks, linked);
  const text = parts.map(({ from, to }) => whole.slice(from, to)).join('');
  return {
    text,
    placeOf(offset) {
      let left = offset;
      for (const { from, to } of parts) {
        if (left < to - from) return from + left;
        left -= to - from;
      }
      return parts.at(-1)?.to ?? 0;
    },
    editOf(edit, chunksOf) {
      const changed = text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
      const now = chunksOf(changed);
      const after = now === undefined ? [] : inOrder(now.entries, [now.sections.head, ...now.sections.items]);
      if (after.length !== parts.length) return undefined;
      let next = '';
      let at = 0;
      for (const [index, part] of parts.entries()) {
        const { from, to } = after[index] ?? part;
        next += whole.slice(at, part.from) + changed.slice(from, to);
        at = part.to;
      }
      return wholeEdit(whole, next + whole.slice(at));
    },
  };
}
