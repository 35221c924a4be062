/**
 * A sorted list that changes by small batches: what stayed is not compared again. A batch of `k`
 * changes in `n` entries costs one pass over `n` and `k log n` comparisons.
 */
interface OrderedList<T> {
  readonly entries: readonly T[];
  /** Takes away the entries with these keys, and puts these in. */
  change(keys: ReadonlySet<string>, added: readonly T[]): void;
  reorder(compare: (a: T, b: T) => number): void;
}

export function createOrderedList<T extends { readonly key: string }>(
  order: (a: T, b: T) => number,
): OrderedList<T> {
  let compare = order;
  let entries: readonly T[] = [];

  function placeOf(entry: T, from: number, list: readonly T[]): number {
    let low = from;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = list[middle];
      if (other !== undefined && compare(other, entry) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function merge(kept: readonly T[], added: readonly T[]): readonly T[] {
    const merged: T[] = [];
    let at = 0;
    for (const entry of added) {
      const place = placeOf(entry, at, kept);
      for (; at < place; at += 1) merged.push(kept[at] as T);
      merged.push(entry);
    }
    for (; at < kept.length; at += 1) merged.push(kept[at] as T);
    return merged;
  }

  return {
    get entries() {
      return entries;
    },
    change(keys, added) {
      const kept = keys.size === 0 ? entries : entries.filter(({ key }) => !keys.has(key));
      entries = added.length === 0 ? kept : merge(kept, added.toSorted(compare));
    },
    reorder(next) {
      compare = next;
      entries = entries.toSorted(compare);
    },
  };
}
