/** What a list that had no entries begins with: something that can be seen and changed, never an entry that breaks a rule by itself. */
import type { Constraints } from '#protocol/capability/types.ts';
import type { ListField } from '#protocol/definition.ts';
import { newItem } from '../model/edit-model.ts';
import { isRegion } from './list-shape.ts';
import { itemOf, planeOf, withCorner } from '../regions/region-plane.ts';
import { DAY_MINUTES, DAYS, weekShape } from '../weeks/week-shape.ts';

/** A week is armed all the time, a region is a triangle in the middle, anything else is one blank entry. `constraints` are those of the device. */
export function firstItems(
  field: ListField,
  path: string,
  constraints: Constraints | undefined,
): readonly unknown[] {
  const week = weekShape(field);
  if (week !== undefined) {
    const items: unknown[] = [];
    for (const day of DAYS)
      items.push(week.write({ day, from: 0, to: DAY_MINUTES, item: newItem(field, items) }));
    return items;
  }
  if (isRegion(field))
    return withCorner([], planeOf(field, path, constraints))
      .slice(0, field.maxItems)
      .map(itemOf);
  return [newItem(field, [])];
}
