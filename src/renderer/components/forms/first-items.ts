/** What a list that had no entries begins with: something that can be seen and changed, never an entry that breaks a rule by itself. */
import type { ListField } from '../../../protocol/definition.ts';
import { newItem } from './edit-model.ts';
import { isRegion } from './list-shape.ts';
import { itemOf, planeOf, withCorner } from './region-plane.ts';
import { DAY_MINUTES, DAYS, weekShape } from './week-shape.ts';

/** A week is armed all the time, a region is a triangle in the middle, anything else is one blank entry. `root` is the form's whole value. */
export function firstItems(field: ListField, root: unknown): readonly unknown[] {
  const week = weekShape(field);
  if (week !== undefined) {
    const items: unknown[] = [];
    for (const day of DAYS) items.push(week.write({ day, from: 0, to: DAY_MINUTES, item: newItem(field, items) }));
    return items;
  }
  if (isRegion(field)) return withCorner([], planeOf(root)).slice(0, field.maxItems).map(itemOf);
  return [newItem(field, [])];
}
