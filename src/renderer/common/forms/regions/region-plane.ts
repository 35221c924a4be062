/** Regions on the normalized plane: origin at the bottom left (part 3, 2.1 and 2.6). */
import type { Constraints } from '#protocol/capability/types.ts';
import { narrow } from '#protocol/capability/narrow.ts';
import type { ListField, NumberField } from '#protocol/definition.ts';
import type { Point } from '#protocol/corners.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
}

const USUAL = 1000;

/** The plane that the corners at `path` stand on: as large as the device lets them be, 1000 by 1000 where it says nothing. */
export function getPlane(corners: ListField, path: string, constraints: Constraints | undefined): Plane {
  const extent = (name: string): number => {
    const field =
      corners.item.kind === 'object' ? corners.item.fields.find((inner) => inner.name === name) : undefined;
    if (field?.kind !== 'int') return USUAL;
    const { max = USUAL } =
      constraints === undefined ? field : (narrow(field, `${path}[0].${name}`, constraints) as NumberField);
    return Number.isInteger(max) && max > 0 && max <= 100_000 ? max : USUAL;
  };
  return { width: extent('positionX'), height: extent('positionY') };
}

export function toCornerItem(point: Point): { readonly positionX: number; readonly positionY: number } {
  return { positionX: point.x, positionY: point.y };
}

/** Inside the plane, whole. */
export function clampPoint(point: Point, plane: Plane): Point {
  return { x: clamp(Math.round(point.x), plane.width), y: clamp(Math.round(point.y), plane.height) };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}

/**
 * Converts a point between the picture, which counts from the top, and the plane, which counts from the
 * bottom.
 */
export function mirrorPoint(point: Point, plane: Plane): Point {
  return { x: point.x, y: plane.height - point.y };
}

/** Returns a corner moved by an arrow key; undefined for other keys. */
export function movePoint(point: Point, key: string, step: number, plane: Plane): Point | undefined {
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return move === undefined
    ? undefined
    : clampPoint({ x: point.x + move[0] * step, y: point.y + move[1] * step }, plane);
}

/** A new corner in the middle of the longest side; a triangle where there is nothing yet. */
export function addCorner(points: readonly Point[], plane: Plane): readonly Point[] {
  if (points.length < 3) {
    const start: readonly Point[] = [
      { x: 0.3, y: 0.3 },
      { x: 0.7, y: 0.3 },
      { x: 0.5, y: 0.7 },
    ];
    return start.map(
      ({ x, y }, index) => points[index] ?? clampPoint({ x: x * plane.width, y: y * plane.height }, plane),
    );
  }
  let longest = 0;
  let at = 0;
  points.forEach((point, index) => {
    const next = points[(index + 1) % points.length] ?? point;
    const length = Math.hypot(next.x - point.x, next.y - point.y);
    if (length > longest) [longest, at] = [length, index];
  });
  const [from, to] = [points[at], points[(at + 1) % points.length]];
  if (from === undefined || to === undefined) return points;
  return [
    ...points.slice(0, at + 1),
    clampPoint({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, plane),
    ...points.slice(at + 1),
  ];
}

/** True where two sides cross: devices take such a region for something else than was drawn. */
export function hasCrossingSides(points: readonly Point[]): boolean {
  const sides = points.map((point, index) => [point, points[(index + 1) % points.length] ?? point] as const);
  return sides.some(([a, b], first) =>
    sides.some(
      ([c, d], second) =>
        second > first + 1 && !(first === 0 && second === sides.length - 1) && cross(a, b, c, d),
    ),
  );
}

function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point): number =>
    Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
