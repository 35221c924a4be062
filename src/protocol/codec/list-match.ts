/** Which items of a list are still there when the list is replaced. */
import type { ListField } from '../definition.ts';
import { sameValue } from '../value.ts';

/** Where a device sends more items than any of the specification's lists, only those that keep their place are looked for. */
const MOST_SEARCHED = 300;

/**
 * For each wanted item the index of the held one that it is: the one at its place, else an equal one at another, so
 * that what it holds beside the definition goes with it when an item before it goes or comes. Undefined: it is new.
 */
export function matchItems(field: ListField, held: readonly unknown[], wanted: readonly unknown[]): readonly (number | undefined)[] {
  const isSame = (at: number, want: unknown): boolean => want !== null && sameValue(field.item, held[at], want);
  const stays = wanted.map((want, at) => at < held.length && isSame(at, want));
  const free = held.map((_, at) => at).filter((at) => stays[at] !== true);
  return wanted.map((want, at) => {
    if (stays[at]) return at;
    const moved = free.length > MOST_SEARCHED ? -1 : free.findIndex((from) => isSame(from, want));
    return moved < 0 ? undefined : free.splice(moved, 1)[0];
  });
}
