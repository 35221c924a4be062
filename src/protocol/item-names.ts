/** Names items of lists by what identifies them, because a position in a list changes when another item comes or goes. */
import type { NamedItem } from '#shared/model.ts';
import type { Field, ListField, Payload } from './definition.ts';
import { findField, listFieldsAlong, listFieldLeaves, rootField } from './fields/field-at.ts';
import { toGeneralPath, parsePath } from './fields/path.ts';
import { isPlain, getOwn } from './value.ts';

/** Characters; a longer value does not identify an item to a reader. */
const LONGEST_VALUE = 64;
/** Items that share a key get names of their own only up to this number; a device may send lists without end. */
const MOST_ALIKE = 100;

/**
 * Returns what identifies each item of a list: its title if no other item has the same, otherwise its key, its day, and as many further values as tell it apart
 * from the items with the same key. Empty for items without a key, which only have a position.
 */
export function identifyItems(list: ListField, items: readonly unknown[]): (index: number) => NamedItem {
  const { key, title, item } = list;
  if (key === undefined || item.kind !== 'object') return () => [];
  const memberOf = (index: number, name: string): string | undefined => {
    const held = items[index];
    const value = isPlain(held) ? getOwn(held, name) : undefined;
    return isNameable(value) ? String(value) : undefined;
  };
  const keyOf = (index: number): string | undefined => memberOf(index, key);
  let alike: ReadonlyMap<string | undefined, readonly number[]> | undefined;
  let titled: ReadonlyMap<string | undefined, readonly number[]> | undefined;
  return (index) => {
    if (keyOf(index) === undefined) return [];
    const value = title === undefined ? undefined : memberOf(index, title);
    if (title !== undefined && value !== undefined) {
      titled ??= Map.groupBy(items.keys(), (at) => memberOf(at, title));
      if (titled.get(value)?.length === 1) return [{ path: title, value }];
    }
    alike ??= Map.groupBy(items.keys(), keyOf);
    return identityOf(list, items, { index, others: alike.get(keyOf(index)) ?? [] });
  };
}

function identityOf(
  { item, key, perDay }: ListField,
  items: readonly unknown[],
  { index, others }: { readonly index: number; readonly others: readonly number[] },
): NamedItem {
  const leaves = listFieldLeaves(item, items[index]).filter(
    ({ sensitive, value }) => !sensitive && isNameable(value),
  );
  const named = leaves.filter(({ path }) => path === key || path === perDay?.day);
  if (others.length > MOST_ALIKE) return named.map(partOf);
  let left = others.filter((other) => other !== index);
  for (const leaf of leaves.filter((one) => !named.includes(one))) {
    const still = left.filter((other) => valueIn(items[other], leaf.path) === leaf.value);
    if (still.length < left.length) named.push(leaf);
    left = still;
  }
  return named.map(partOf).sort((one, other) => Number(other.path === key) - Number(one.path === key));
}

function partOf({ path, value }: { readonly path: string; readonly value: unknown }): NamedItem[number] {
  return { path, value: String(value) };
}

function isNameable(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE && !value.startsWith('\0'))
  );
}

function valueIn(item: unknown, path: string): unknown {
  return parsePath(path).reduce<unknown>(
    (held, step) =>
      Array.isArray(held) ? held[Number(step)] : isPlain(held) ? getOwn(held, String(step)) : undefined,
    item,
  );
}

/** Returns what identifies the items along `path` in a document; undefined where no item on it has a key. */
export function identifyItemsAlong(
  payload: Payload | Field,
  path: string,
  document: unknown,
): readonly NamedItem[] | undefined {
  if (!path.includes('[')) return undefined;
  const named: NamedItem[] = [];
  let held: unknown = document;
  let list: Field | undefined = 'kind' in payload ? payload : rootField(payload);
  const along = listFieldsAlong(payload, path);
  for (const [at, step] of parsePath(path).entries()) {
    if (typeof step === 'number') {
      const items = Array.isArray(held) ? held : [];
      named.push(list?.kind === 'list' ? identifyItems(list, items)(step) : []);
      held = items[step];
    } else held = isPlain(held) ? getOwn(held, step) : undefined;
    list = along[at]?.field;
  }
  return named.some((item) => item.length > 0) ? named : undefined;
}

/** Names one item: `Period Tuesday`, `Period Monday · Begin 08:00:00`, `Row 2` where nothing but its position is known, `Row` beside its content. */
export function formatItem(
  item: Field | undefined,
  { word, named, position, labelOf, optionOf }: ItemWords,
): string {
  if (named === undefined || named.length === 0) return `${word} ${position + 1}`;
  if (named[0]?.path === '') return word;
  const parts = named.map(({ path, value }, at) => {
    const field = item && findField(item, path);
    const option =
      field?.kind === 'choice' ? field.options.find((one) => String(one.value) === value)?.label : undefined;
    const text = optionOf?.(path, value) ?? option ?? value;
    return at === 0 ? text : `${labelOf?.(path) ?? field?.label ?? path} ${text}`;
  });
  return `${word} ${parts.join(' · ')}`;
}

interface ItemWords {
  /** Name of an item of the list. */
  readonly word: string;
  readonly named: NamedItem | undefined;
  /** Position in the list, from 0. */
  readonly position: number;
  /** Word of a field of the item in the reader's language. */
  readonly labelOf?: (path: string) => string | undefined;
  /** Word of a choice of such a field in the reader's language. */
  readonly optionOf?: (path: string, value: string) => string | undefined;
}

interface PathWords {
  readonly root: string;
  /** Word of a field or option by its key in `resources/locales`. */
  readonly wordOf: (key: string) => string | undefined;
  readonly items: readonly NamedItem[] | undefined;
  /** True if an item replaces its list: `Period Tuesday` instead of `Periods › Period Tuesday`. */
  readonly itemsAlone?: boolean;
}

/**
 * Returns the name of a path in the words of a language, with everything that holds it: `时段 星期二 › 开始`.
 * Undefined if a part has no word, because a hole in the middle would mislead.
 */
export function formatPath(
  payload: Payload | Field | undefined,
  path: string,
  { root, wordOf, items, itemsAlone = false }: PathWords,
): string | undefined {
  let key = root;
  let at = '';
  let nth = 0;
  const labels: string[] = [];
  const steps = parsePath(path);
  for (const [index, step] of steps.entries()) {
    const isItem = typeof step === 'number';
    key += isItem ? '[]' : `.${step}`;
    at = isItem ? `${at}[]` : at === '' ? step : `${at}.${step}`;
    const word = wordOf(key);
    if (word === undefined) return undefined;
    if (!isItem) {
      if (!itemsAlone || typeof steps[index + 1] !== 'number') labels.push(word);
      continue;
    }
    const prefix = key;
    labels.push(
      formatItem(payload && findField(payload, at), {
        word,
        named: items?.[nth],
        position: step,
        labelOf: (inner) => wordOf(`${prefix}.${toGeneralPath(inner)}`),
        optionOf: (inner, value) => wordOf(`${prefix}.${toGeneralPath(inner)}=${value}`),
      }),
    );
    nth += 1;
  }
  return labels.length === 0 ? undefined : labels.join(' › ');
}

/** Returns the English name of a path, with everything that holds it: `Time blocks › Time block Tuesday › Begin`. Empty for the root. */
export function namePath(
  payload: Payload,
  path: string,
  { items, itemsAlone = false }: Pick<PathWords, 'items' | 'itemsAlone'>,
): string {
  let nth = 0;
  const along = listFieldsAlong(payload, path);
  const labels = along.flatMap(({ field, path: at }, step) => {
    const position = /\[(\d+)\]$/.exec(at)?.[1];
    if (position === undefined)
      return itemsAlone && along[step + 1]?.path.startsWith(`${at}[`) === true ? [] : [field.label];
    nth += 1;
    return [formatItem(field, { word: field.label, named: items?.[nth - 1], position: Number(position) })];
  });
  return labels.join(' › ');
}
