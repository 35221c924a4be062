/** Every field of a device's pages, to be found by label, wire name or help, in both languages. */
import type { Payload } from '#protocol/definition.ts';
import type { DevicePage } from '../workspace/pages.ts';
import { EVERY, joinPath } from '#protocol/fields/path.ts';
import { listFieldsBelow, rootField } from '#protocol/fields/field-at.ts';

export type Words = Readonly<Record<string, string>>;

export interface FieldEntry {
  readonly page: DevicePage;
  /** Path that the form leads to: the field, or the list that holds it. Undefined for the page itself. */
  readonly target?: string;
  readonly label: string;
  readonly chinese?: string;
  /** Name on the wire. */
  readonly name: string;
  /** Lower case: everything that is searched. */
  readonly text: string;
}
interface Found {
  readonly entry: FieldEntry;
  readonly score: number;
}

export function buildIndex(pages: readonly DevicePage[], chinese: Words): readonly FieldEntry[] {
  return pages.flatMap((page) => {
    const { id, label } = page.operation;
    const name = chinese[id];
    const own: FieldEntry = {
      page,
      label,
      name: id,
      text: lower([label, name, id]),
      ...(name !== undefined && { chinese: name }),
    };
    return page.payload === undefined ? [own] : [own, ...fieldEntries(page, page.payload, chinese)];
  });
}

function fieldEntries(page: DevicePage, payload: Payload, chinese: Words): FieldEntry[] {
  const root = payload.root ?? page.operation.id;
  const entries: FieldEntry[] = [];
  for (const { field, path } of listFieldsBelow(rootField(payload))) {
    if (path.endsWith(EVERY)) continue;
    const translated = chinese[joinPath(root, path)];
    entries.push({
      page,
      target: path.split(EVERY)[0] ?? path,
      label: field.label,
      name: field.name,
      text: lower([field.label, field.name, field.help, translated]),
      ...(translated !== undefined && { chinese: translated }),
    });
  }
  return entries;
}

function lower(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();
}

/** Entries in which every word of the query is found; names that begin with it come first. */
export function search(index: readonly FieldEntry[], query: string, most = 40): readonly FieldEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const found: Found[] = [];
  for (const entry of index) {
    if (words.every((word) => entry.text.includes(word))) found.push({ entry, score: scoreOf(entry, words) });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

function scoreOf(entry: FieldEntry, words: readonly string[]): number {
  const names = [entry.label, entry.name, entry.chinese ?? ''].map((name) => name.toLowerCase());
  const whole = words.join(' ');
  const inName = words.every((word) => names.some((name) => name.includes(word)));
  return (
    (names.includes(whole) ? 8 : 0) +
    (names.some((name) => name.startsWith(whole)) ? 4 : 0) +
    (inName ? 2 : 0) +
    (entry.page.kind === 'settings' ? 1 : 0) +
    (entry.target === undefined ? 0.5 : 0)
  );
}
