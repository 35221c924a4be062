/** Entries of the command bar, and how one is found among them. */
import type { RouteLocationRaw } from 'vue-router';

/** Groups in the order in which equal finds are listed. */
const GROUPS = ['selection', 'place', 'device', 'template', 'field', 'operation'] as const;
type EntryGroup = (typeof GROUPS)[number];

/** Something that the command bar leads to or does. */
export interface CommandEntry {
  readonly group: EntryGroup;
  readonly label: string;
  /** Difference from others of the same label, such as the address of a device. */
  readonly hint?: string;
  /** Further words that find it: other languages, ids, tags. */
  readonly also?: string;
  /** Address that it leads to, or what it does. */
  readonly to: RouteLocationRaw | (() => void);
}

interface Scored {
  readonly entry: CommandEntry;
  readonly score: number;
}

export function splitWords(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Returns entries in which every word of the query occurs, in any order; the closest ones first. */
export function findEntries(
  entries: Iterable<CommandEntry>,
  query: string,
  most = 40,
): readonly CommandEntry[] {
  const words = splitWords(query);
  const found: Scored[] = [];
  for (const entry of entries) {
    const label = entry.label.toLowerCase();
    const text = `${label} ${entry.hint ?? ''} ${entry.also ?? ''}`.toLowerCase();
    if (words.every((word) => text.includes(word)))
      found.push({ entry, score: computeScore(label, words) - GROUPS.indexOf(entry.group) / 10 });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

function computeScore(label: string, words: readonly string[]): number {
  const query = words.join(' ');
  const begins = (word: string): boolean => label.startsWith(word) || label.includes(` ${word}`);
  return (
    (label === query ? 8 : 0) +
    (label.startsWith(query) ? 4 : 0) +
    (words.every(begins) ? 2 : 0) +
    (words.every((word) => label.includes(word)) ? 1 : 0)
  );
}
