/** Corners of regions and ends of lines on the normalized plane (part 3, 2.1 and 2.6). */
import type { Field } from './definition.ts';
import { getValueAt } from './fields/values.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns true for items that are corners. */
export function isCorner(item: Field): boolean {
  return item.kind === 'object' && item.fields.some(({ name }) => name === 'positionX');
}

/** Points of the wire; one that cannot be drawn is at the origin, so that every entry keeps its number. */
export function readPoints(items: unknown): readonly Point[] {
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => ({
    x: coordinate(item, 'positionX'),
    y: coordinate(item, 'positionY'),
  }));
}

function coordinate(item: unknown, name: string): number {
  const value = Number(getValueAt(item, name));
  return Number.isFinite(value) ? value : 0;
}
