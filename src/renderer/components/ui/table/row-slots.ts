/**
 * Row in an element of the page. An element is given to another row instead of being replaced: changing its
 * words costs a third of that. Elements are never moved, because a moved element loses the focus, and they
 * keep the order of the rows, in which they are read out.
 */
export interface Placed {
  readonly key: string;
  /** Id of the element; no two rows share one. */
  readonly slot: number;
}

/** Share of rows that must stay for rows to keep their elements; below it all are assigned anew. */
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

/** Returns rows that occur before and now in the same order; a row that changed places counts as removed. */
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
