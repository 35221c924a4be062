/**
 * Creates the first entries of a list that was empty: something that can be seen and changed, never an entry
 * that breaks a rule by itself.
 */
import type { Constraints } from '#protocol/capability/types.ts';
import type { ListField } from '#protocol/definition.ts';
import { createItem } from '../model/edit-model.ts';
import { isRegion } from './list-shape.ts';
import { toCornerItem, getPlane, addCorner } from '../regions/region-plane.ts';
import { DAY_MINUTES, DAYS, findWeekShape } from '#protocol/week-shape.ts';

/** A week is armed all the time, a region is a triangle in the middle, anything else is one blank entry. `constraints` are those of the device. */
export function createFirstItems(
  field: ListField,
  path: string,
  constraints: Constraints | undefined,
): readonly unknown[] {
  const week = findWeekShape(field);
  if (week !== undefined) {
    const items: unknown[] = [];
    for (const day of DAYS)
      items.push(week.write({ day, from: 0, to: DAY_MINUTES, item: createItem(field, items) }));
    return items;
  }
  if (isRegion(field))
    return addCorner([], getPlane(field, path, constraints))
      .slice(0, field.maxItems)
      .map(toCornerItem);
  return [createItem(field, [])];
}
