/** Every field of a device's pages, to be found by label, wire name or help, in every language. */
import type { Words } from '#shared/details/flatten-words.ts';
import type { Payload } from '#protocol/definition.ts';
import type { DevicePage } from '../workspace/pages.ts';
import { EVERY, joinPath } from '#protocol/fields/path.ts';
import { listFieldsBelow, rootField } from '#protocol/fields/field-at.ts';

export interface FieldEntry {
  readonly page: DevicePage;
  /** Path that the form leads to: the field, or the list that holds it. Undefined for the page itself. */
  readonly target?: string;
  readonly label: string;
  /** Name on the wire. */
  readonly name: string;
  /** Labels in every language, and the name. */
  readonly names: readonly string[];
  /** Lower case: everything that is searched. */
  readonly text: string;
}
interface Found {
  readonly entry: FieldEntry;
  readonly score: number;
}

/** Builds the index of pages and fields. `languages`: labels of other languages than English; the first ones are shown. */
export function buildIndex(pages: readonly DevicePage[], languages: readonly Words[]): readonly FieldEntry[] {
  return pages.flatMap((page) => {
    const { id, label } = page.operation;
    const own = { page, name: id, ...nameEntry(label, id, listLabels(languages, id)) };
    return page.payload === undefined ? [own] : [own, ...fieldEntries(page, page.payload, languages)];
  });
}

function listLabels(languages: readonly Words[], key: string): readonly (string | undefined)[] {
  return languages.map((words) => words[key]);
}

function nameEntry(
  english: string,
  name: string,
  translated: readonly (string | undefined)[],
  help?: string,
): Pick<FieldEntry, 'label' | 'names' | 'text'> {
  const names = [english, name, ...translated.filter((label) => label !== undefined)];
  return {
    label: translated[0] ?? english,
    names: names.map(lower),
    text: lower([...names, help].join('\n')),
  };
}

function lower(text: string): string {
  return text.toLowerCase();
}

function fieldEntries(page: DevicePage, payload: Payload, languages: readonly Words[]): FieldEntry[] {
  const root = payload.root ?? page.operation.id;
  const entries: FieldEntry[] = [];
  for (const { field, path } of listFieldsBelow(rootField(payload))) {
    if (path.endsWith(EVERY)) continue;
    const translated = listLabels(languages, joinPath(root, path));
    entries.push({
      page,
      target: path.split(EVERY)[0] ?? path,
      name: field.name,
      ...nameEntry(field.label, field.name, translated, field.help),
    });
  }
  return entries;
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
  const { names } = entry;
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
