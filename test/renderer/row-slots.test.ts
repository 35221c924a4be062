import { describe, expect, it } from 'vitest';
import { placeRows, type Placed } from '#renderer/components/ui/table/row-slots.ts';

const window = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `row ${first + index}`);
function place(before: readonly Placed[], keys: readonly string[], held?: string): readonly Placed[] {
  const slots = placeRows(before, keys, held);
  return keys.map((key, index) => ({ key, slot: slots[index] ?? -1 }));
}
const slotsOf = (placed: readonly Placed[]): readonly number[] => placed.map(({ slot }) => slot);
const slotOf = (placed: readonly Placed[], key: string): number | undefined =>
  placed.find((line) => line.key === key)?.slot;
/** Elements that are there before and after, in the order of each. */
function stayed(before: readonly Placed[], after: readonly Placed[]): readonly (readonly number[])[] {
  const [was, is] = [new Set(slotsOf(before)), new Set(slotsOf(after))];
  return [slotsOf(before).filter((slot) => is.has(slot)), slotsOf(after).filter((slot) => was.has(slot))];
}

describe('elements of the rows in sight', () => {
  it('are given to other rows when the whole screen changes: none is made anew', () => {
    const before = place([], window(0, 24));

    const after = place(before, window(500, 24));

    expect(slotsOf(after)).toEqual(slotsOf(before));
  });

  it('stay with their rows on a small step', () => {
    const before = place([], window(0, 24));

    const after = place(before, window(3, 24));

    for (const key of window(3, 21)) expect(slotOf(after, key)).toBe(slotOf(before, key));
  });

  // Would catch: the focus on a row that reacts to another row's key, or that is lost because its element was
  // moved.
  it('never leave the row with the focus, and never pass from it to another', () => {
    const before = place([], window(0, 24));
    const own = slotOf(before, 'row 10');

    const above = place(before, [...window(500, 24), 'row 10'], 'row 10');
    const gone = place(before, window(500, 24), 'row 10');

    expect(slotOf(above, 'row 10')).toBe(own);
    expect(slotsOf(gone)).not.toContain(own);
  });

  it("are each one row's, in the order in which they stand, whatever changes", () => {
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let placed: readonly Placed[] = [];
    for (let round = 0; round < 400; round += 1) {
      const keys = [
        ...new Set(
          random(4) === 0
            ? Array.from({ length: random(30) }, () => `row ${random(60)}`)
            : window(random(40), random(30)),
        ),
      ];
      const held = random(2) === 0 ? placed[random(Math.max(1, placed.length))]?.key : undefined;

      const next = place(placed, keys, held);

      expect(new Set(slotsOf(next)).size).toBe(keys.length);
      const [was, is] = stayed(placed, next);
      expect(is).toEqual(was);
      if (held !== undefined && keys.includes(held)) expect(slotOf(next, held)).toBe(slotOf(placed, held));
      placed = next;
    }
  });
});
