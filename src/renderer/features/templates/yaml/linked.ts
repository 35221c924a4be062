/**
 * Parts of a text that hang together by anchors and aliases. They are read as a text of their own, in their order, and
 * the others each alone: a key then costs what is linked at most, however long the template is.
 */
import type { Chunk, Chunks } from './chunks.ts';

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
  return [
    ...chunks.entries.filter(({ name }) => entries.has(name)),
    ...(items.length === 0 ? [] : [chunks.sections.head, ...items]),
  ].sort((a, b) => a.from - b.from);
}

interface LinkedText {
  readonly text: string;
  /** Returns the offset in the whole text of an offset in this one. */
  placeOf(offset: number): number;
}

export function buildLinkedText(whole: string, chunks: Chunks, linked: Linked): LinkedText {
  const parts = linkedParts(chunks, linked);
  return {
    text: parts.map(({ from, to }) => whole.slice(from, to)).join(''),
    placeOf(offset) {
      let left = offset;
      for (const { from, to } of parts) {
        if (left < to - from) return from + left;
        left -= to - from;
      }
      return parts.at(-1)?.to ?? 0;
    },
  };
}
