/**
 * Changes a list in part, by the key of its items: the days that are named, this region, that linkage. All other items
 * stay as the device has them.
 */
import type { ListField } from './definition.ts';
import { getValueAt, setAt } from './fields/values.ts';
import { matchItems } from './fulfils.ts';

/** Path inside an item of the key by which the list can be changed in part; undefined if it can only be replaced whole. */
export function getPartKey({ perDay, key }: ListField): string | undefined {
  return perDay?.day ?? key;
}

/** Returns true if several items may share one key, as the periods of a day do. */
export function hasSharedKeys({ perDay }: ListField): boolean {
  return perDay !== undefined;
}

/** Name of the number that tells items apart although the list is changed by another key; undefined for most lists. */
export function getFreeNumber(list: ListField): string | undefined {
  return list.key === getPartKey(list) ? undefined : list.key;
}

/** Returns the key of an item as text; undefined if it has none. */
export function readPartKey(list: ListField, item: unknown): string | undefined {
  const key = getPartKey(list);
  const value = key === undefined ? undefined : getValueAt(item, key);
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

interface Part {
  /** Items that are set, and items that only name a key to remove. */
  readonly items: readonly unknown[];
  /** Positions in `items` of those that remove. */
  readonly removed: ReadonlySet<number>;
}

interface ChangedList {
  readonly items: readonly unknown[];
  /** Position in the changed list of each item of the part; undefined for one that removes. */
  readonly positions: readonly (number | undefined)[];
  /** Positions in the part of items whose key the device does not have. */
  readonly missing: readonly number[];
}

/**
 * Returns the whole list: what `held` holds of a named key is replaced by all items of that key, where the first of them
 * was; items of keys that are not held come last. Held items without a key stay.
 */
export function changeItems(
  list: ListField,
  held: readonly unknown[],
  { items, removed }: Part,
): ChangedList {
  const byKey = Map.groupBy(items.keys(), (index) => readPartKey(list, items[index]));
  const positions: (number | undefined)[] = items.map(() => undefined);
  const out: unknown[] = [];
  const freed: unknown[] = [];
  const done = new Set<string>();
  const put = (indexes: readonly number[]): void => {
    for (const index of indexes) if (!removed.has(index)) positions[index] = out.push(items[index]) - 1;
  };
  for (const item of held) {
    const key = readPartKey(list, item);
    const asked = key === undefined ? undefined : byKey.get(key);
    if (key === undefined || asked === undefined) {
      out.push(item);
      continue;
    }
    freed.push(item);
    if (!done.has(key)) put(asked);
    done.add(key);
  }
  const missing: number[] = [];
  for (const [key, asked] of byKey) {
    if (key !== undefined && done.has(key)) continue;
    missing.push(...asked.filter((index) => !removed.has(index)));
    put(asked);
  }
  return { items: numberItems(list, out, new Set(positions), freed), positions, missing };
}

/**
 * Gives new items without a number that of the item with the same key that they continue, then those of other replaced
 * items, then the lowest that are free.
 */
function numberItems(
  list: ListField,
  items: readonly unknown[],
  fresh: ReadonlySet<number | undefined>,
  freed: readonly unknown[],
): readonly unknown[] {
  const name = getFreeNumber(list);
  if (name === undefined) return items;
  const numbers: unknown[] = items.map((item) => getValueAt(item, name));
  const used = new Set(numbers);
  const give = (index: number, number: unknown): void => {
    if (typeof number !== 'number' || used.has(number)) return;
    numbers[index] = number;
    used.add(number);
  };
  const open = [...items.keys()].filter((index) => fresh.has(index) && numbers[index] === undefined);
  for (const [key, indexes] of Map.groupBy(open, (index) => readPartKey(list, items[index]))) {
    const held = freed.filter((item) => readPartKey(list, item) === key);
    // Periods of one day have no key beside their number; the order does not count.
    const matched = matchItems(
      { ...list, key: '' },
      held,
      indexes.map((index) => items[index]),
    );
    for (const { want, held: from } of matched)
      if (from !== undefined) give(indexes[want] ?? -1, getValueAt(held[from], name));
  }
  const left = freed.map((item) => getValueAt(item, name));
  let next = 1;
  for (const index of open)
    while (numbers[index] === undefined) give(index, left.length > 0 ? left.shift() : next++);
  return items.map((item, index) => (open.includes(index) ? setAt(item, name, numbers[index]) : item));
}
