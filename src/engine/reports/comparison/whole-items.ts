/** Items of lists that were added or removed as a whole: one line each, with all their fields. */
import { findOperation } from '#protocol/index.ts';
import { REPORT_LIMITS } from '#shared/report-document.ts';
import { nameOfItem } from '#engine/report-files/facts.ts';
import type { Difference } from './compare.ts';

/** Finds the keys of items that only one side has, from all differences and equal lines. */
export function findWholeItems(differences: readonly Difference[]): ReadonlySet<string> {
  const marks = new Map<string, Set<Difference['mark']>>();
  for (const { key, mark } of differences) {
    const item = itemKeyOf(key);
    if (item === undefined) continue;
    const known = marks.get(item) ?? new Set();
    marks.set(item, known.add(mark));
  }
  const isWhole = (of: ReadonlySet<Difference['mark']>): boolean =>
    of.size === 1 && (of.has('gone') || of.has('added'));
  return new Set([...marks].filter(([, of]) => isWhole(of)).map(([item]) => item));
}

/** Combines the lines of each of these items into one, in the place of the first of them. */
export function combineItems<Line extends Difference>(
  lines: readonly Line[],
  items: ReadonlySet<string>,
): readonly Line[] {
  const groups = Map.groupBy(lines, ({ key }) => {
    const item = itemKeyOf(key);
    return item !== undefined && items.has(item) ? item : key;
  });
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    const operation = findOperation(first?.at.operation ?? '');
    const path = /^.*?\[\d+\]/.exec(first?.at.path ?? '')?.[0];
    if (first === undefined || group.length === 1 || group.length > REPORT_LIMITS.parts) return group;
    if (operation === undefined || path === undefined) return group;
    const side = (value: 'before' | 'after'): Difference['before'] =>
      first[value] === null ? null : { parts: group.flatMap((line) => partOf(line, value)) };
    const label = nameOfItem(operation, path, first.at.label);
    const [before, after] = [side('before'), side('after')];
    return [{ ...first, key, at: { ...first.at, path, label, value: before ?? after }, before, after }];
  });
}

function partOf({ at, ...difference }: Difference, side: 'before' | 'after') {
  const value = difference[side];
  return typeof value === 'object' && value !== null && 'parts' in value ? [] : [{ label: at.label, value }];
}

/**
 * Returns the operation, its place, and the path up to the first item of a list in it; undefined if there is
 * none.
 */
function itemKeyOf(key: string): string | undefined {
  return /^[^\n]*\n[^\n]*\n[^[\n]*\[.*?\](?=\.|$)/.exec(key)?.[0];
}
