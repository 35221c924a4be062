/**
 * Which element of the page shows which row. An element is given to another row rather than taken
 * out and made anew: to change its words costs a third of that. Elements are never moved, because
 * one that is moved loses the focus, and they stand in the order of the rows, as they are read out.
 */
export interface Placed {
  readonly key: string;
  /** Of the element; no two rows have the same. */
  readonly slot: number;
}

/** Where at least this share of the rows stays, they keep their elements; below it all are given out anew. */
const WORTH_KEEPING = 2 / 3;

/**
 * Slots for these rows, in their order. The row `held` (it has the focus) keeps its element, and no
 * other row ever gets it: who presses a key must meet the row that they were on.
 */
export function placeRows(
  before: readonly Placed[],
  keys: readonly string[],
  held?: string,
): readonly number[] {
  const kept = keptRows(before, keys, held);
  const stays =
    kept.length >= keys.length * WORTH_KEEPING ? kept : kept.filter(({ to }) => keys[to] === held);
  let unused = before.reduce((most, { slot }) => Math.max(most, slot), -1) + 1;
  const slots: number[] = [];
  let from = 0;
  for (const anchor of [...stays, { from: before.length, to: keys.length }]) {
    const free = before
      .slice(from, anchor.from)
      .filter(({ key }) => key !== held)
      .map(({ slot }) => slot);
    while (slots.length < anchor.to) slots.push(free.shift() ?? unused++);
    const own = before[anchor.from];
    if (own !== undefined) slots.push(own.slot);
    from = anchor.from + 1;
  }
  return slots;
}

interface Kept {
  /** Places in the order before, and now. */
  readonly from: number;
  readonly to: number;
}

/** Rows that are here before and now, in the same order; one that changed places counts as gone. */
function keptRows(
  before: readonly Placed[],
  keys: readonly string[],
  held: string | undefined,
): readonly Kept[] {
  const places = new Map(before.map(({ key }, index) => [key, index]));
  const [heldFrom, heldTo] = [
    held === undefined ? undefined : places.get(held),
    held === undefined ? -1 : keys.indexOf(held),
  ];
  const kept: Kept[] = [];
  for (const [to, key] of keys.entries()) {
    const from = places.get(key);
    if (from === undefined || from <= (kept.at(-1)?.from ?? -1)) continue;
    const passesHeld = heldFrom !== undefined && heldTo >= 0 && from > heldFrom !== to > heldTo;
    if (!passesHeld) kept.push({ from, to });
  }
  return kept;
}
